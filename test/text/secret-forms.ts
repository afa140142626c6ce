/** How programs write a secret, made by the encoders of this platform and of others: what redaction is measured against. */
export function secretForms(secret: string): ReadonlyMap<string, Uint8Array> {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const pairs = hex.match(/../g) ?? [];
  const json = JSON.stringify(secret).slice(1, -1);
  const units = Array.from({ length: secret.length }, (_, at) =>
    secret.charCodeAt(at).toString(16).padStart(4, "0"),
  );
  const html = secret
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
  const inside = (before: number, after: number) =>
    Buffer.concat([Buffer.alloc(before, "a"), bytes, Buffer.alloc(after, "z")]);
  const texts: Record<string, string> = {
    plain: secret,
    "decomposed (NFD)": secret.normalize("NFD"),
    json,
    "json in json": JSON.stringify(json).slice(1, -1),
    "json with escaped slashes": json.replaceAll("/", "\\/"),
    "json, ASCII only": Array.from(json, char =>
      char.length === 1 && char.charCodeAt(0) < 127
        ? char
        : Array.from(
            { length: char.length },
            (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, "0")}`,
          ).join(""),
    ).join(""),
    "json, every character escaped": units.map(unit => `\\u${unit}`).join(""),
    "URL component": encodeURIComponent(secret),
    "URL component, small letters": encodeURIComponent(secret).replace(/%../g, code => code.toLowerCase()),
    URL: encodeURI(secret),
    "URL form": new URLSearchParams({ a: secret }).toString().slice(2),
    "URL, every byte": pairs.map(pair => `%${pair}`).join(""),
    html,
    "html, every character": Array.from(secret, char => `&#x${char.codePointAt(0)!.toString(16)};`).join(""),
    "html, decimal": Array.from(secret, char => `&#${char.codePointAt(0)};`).join(""),
    hex,
    "hex, capitals": hex.toUpperCase(),
    "hex with colons": pairs.join(":"),
    "hex as Node shows buffers": pairs.join(" "),
    "hex escapes": pairs.map(pair => `\\x${pair}`).join(""),
    "shell, single quotes": `'${secret.replaceAll("'", "'\\''")}'`,
    "shell, backslashes": secret.replace(/[^\w\n]/gu, "\\$&"),
    base64: bytes.toString("base64"),
    "base64 for URLs": bytes.toString("base64url"),
    "base64 of a user and it": Buffer.from(`user:${secret}`).toString("base64"),
    ...Object.fromEntries(
      [0, 1, 2].flatMap(before =>
        [0, 1, 2].map(after => [
          `base64 within (${before}, ${after})`,
          inside(before, after).toString("base64"),
        ]),
      ),
    ),
  };
  const forms = new Map<string, Uint8Array>(
    Object.entries(texts).map(([name, text]) => [name, Buffer.from(text)]),
  );
  if (/[\u0080-\u00ff]/.test(secret) && !/[^\0-\u00ff]/.test(secret))
    forms.set("latin-1", Buffer.from(secret, "latin1"));
  return forms;
}

/** What of a form tells the secret: of base64 all but the bits it shares with its neighbours. */
export function tellingPart(name: string, form: Uint8Array, secret: string): Uint8Array {
  if (!name.startsWith("base64 ")) return form;
  const text = Buffer.from(form).toString();
  const before = name.startsWith("base64 of") ? 5 : Number(/\((\d)/.exec(name)?.[1] ?? 0);
  const from = Math.ceil((before * 8) / 6);
  return Buffer.from(text.slice(from, Math.floor(((before + Buffer.byteLength(secret)) * 8) / 6)));
}

/** A secret with everything that encodings treat differently. */
export const HARD = `pä"ss\\w0rd'&<한글🔑> $x/+%y=`;
/** One that Latin-1 can write. */
export const NARROW = "clé-d'accès-très-secrète";
export const PLAIN = "hunter2-hunter2-hunter2";
export const LINES = `first line of it\nSecond0Line1Of2It3With4Digits\nthe third`;
export const SECRETS: readonly string[] = [HARD, NARROW, PLAIN, LINES];
