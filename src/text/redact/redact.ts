import { maskable } from "./forms.ts";
import { compile, createStream, type RedactionStream, type Sought } from "./stream.ts";

const MASK = "[redacted]";

/** Masks secrets in texts, and in streams of bytes. */
export interface Redactor {
  (text: string): string;
  /** A stream of its own, for bytes that come in pieces. */
  stream(): RedactionStream;
}

/** The names of environment variables whose values are taken for secrets. */
export function looksSecret(name: string): boolean {
  return /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|WEBHOOK|PRIVATE)/i.test(name);
}

/**
 * Replaces known secret values in every form in which programs write them, and what is shaped like a well-known token, a
 * private key, a signed token or the password of a URL, by `[redacted]`. Values of less than 8 characters are left alone:
 * masking them would hide ordinary words. Everything else stays as it is, byte for byte.
 */
export function createRedactor(values: Iterable<string>): Redactor {
  const secrets = maskable(values, MASK);
  const mask = new TextEncoder().encode(MASK);
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let sought: Sought | undefined;
  let texts: RedactionStream | undefined;
  const stream = (): RedactionStream => {
    sought ??= compile(secrets);
    return createStream(sought, mask);
  };
  const redact = (text: string): string => {
    texts ??= stream();
    const bytes = encoder.encode(text);
    const clear = texts.push(bytes);
    const rest = texts.end();
    if (rest.length === 0 && clear === bytes) return text;
    return decoder.decode(clear, { stream: true }) + decoder.decode(rest);
  };
  return Object.assign(redact, { stream });
}

/** A stream for texts that come in pieces. */
export function textStream(redact: Redactor): { push(piece: string): string; end(): string } {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const stream = redact.stream();
  return {
    push: piece => decoder.decode(stream.push(encoder.encode(piece)), { stream: true }),
    end: () => decoder.decode(stream.end()),
  };
}
