import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../adapters/file/index.ts";
import { createRedactor, looksSecret, type Redactor } from "../text/index.ts";

/** Bytes of a file of settings that is read for secrets, and how many such files are. */
const LONGEST = 256 * 1024;
const MOST_FILES = 20;

/** The password in a URL, as it stands there and as it is meant. */
function passwordsIn(value: string): string[] {
  const written = /^[a-z][a-z\d+.-]{0,30}:\/\/[^\s/:@]{0,256}:([^\s/]{1,512})@/i.exec(value)?.[1];
  if (written === undefined) return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    return [written];
  }
}

/** What one setting gives away. */
function secretsIn([name, value]: readonly [string, string | undefined]): string[] {
  if (value === undefined) return [];
  return looksSecret(name) ? [value, ...passwordsIn(value)] : passwordsIn(value);
}

/** `NAME=value` lines, as files of settings have them; a quoted value may have several lines. */
function settingsIn(text: string): [string, string][] {
  const line = /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,200})[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\n]*))/gm;
  return Array.from(text.matchAll(line), ([, name = "", double, single, plain = ""]) => [
    name,
    double?.replaceAll("\\n", "\n") ?? single ?? plain.split(" #", 1)[0]!.trim(),
  ]);
}

/** The settings in the `.env` files of a project; what cannot be read is none. */
function settingsOf(root: string): [string, string][] {
  try {
    const names = readdirSync(root).filter(name => /^\.env(?:\..+)?$/.test(name));
    return names.slice(0, MOST_FILES).flatMap(name => {
      const bytes = readBounded(join(root, name), { maxBytes: LONGEST });
      return bytes.ok ? settingsIn(Buffer.from(bytes.value).toString("utf8")) : [];
    });
  } catch {
    return [];
  }
}

/**
 * Masks the secrets of an environment and of a project's `.env` files, known by the names of their variables, the passwords
 * of URLs in either, and what is shaped like a secret.
 */
export function redactorOf(env: NodeJS.ProcessEnv, root?: string): Redactor {
  const settings = [...Object.entries(env), ...(root === undefined ? [] : settingsOf(root))];
  return createRedactor(settings.flatMap(secretsIn));
}

/** Masks the texts in a value on their way into JSON: masked afterwards, an escape may be torn. */
export function maskedValues(redact: (text: string) => string): (key: string, value: unknown) => unknown {
  return (_key, value) => (typeof value === "string" ? redact(value) : value);
}
