import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readBounded } from "../../adapters/file/index.ts";
import { because, type Reason, type UnreadFile } from "../../ports/index.ts";
import { createRedactor, looksSecret, type Redactor } from "../../text/index.ts";
import { settingsIn } from "./dotenv.ts";

/**
 * What of a project's files of settings is read: they may come with a repository, and looking for a secret costs time and
 * memory. Bytes of a file, files, and values with their characters in all.
 */
const MOST = { bytes: 64 * 1024, files: 20, values: 500, characters: 32 * 1024 } as const;

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
function secretsIn(name: string, value: string): string[] {
  return looksSecret(name) ? [value, ...passwordsIn(value)] : passwordsIn(value);
}

interface Settings {
  readonly secrets: readonly string[];
  /** What was not read for being too much. */
  readonly leftOut: readonly UnreadFile[];
}

/** The secrets in one file; undefined where it is too large. What cannot be read has none. */
function secretsOf(path: string): string[] | undefined {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST.bytes) return undefined;
  const bytes = readBounded(path, { maxBytes: MOST.bytes });
  if (!bytes.ok) return [];
  const settings = settingsIn(Buffer.from(bytes.value).toString("utf8"));
  return settings.flatMap(([name, values]) => values.flatMap(value => secretsIn(name, value)));
}

/** The `.env` files of a project, the one without an ending first. */
function filesIn(root: string): string[] {
  try {
    return readdirSync(root)
      .filter(name => /^\.env(?:\..+)?$/.test(name))
      .toSorted();
  } catch {
    return [];
  }
}

function settingsOf(root: string): Settings {
  const names = filesIn(root);
  const secrets = new Set<string>();
  const leftOut: UnreadFile[] = names.slice(MOST.files).map(file => ({ file, most: { files: MOST.files } }));
  let characters = 0;
  for (const name of names.slice(0, MOST.files)) {
    const found = secretsOf(join(root, name));
    if (found === undefined) leftOut.push({ file: name, most: { kib: MOST.bytes / 1024 } });
    for (const secret of found ?? []) {
      if (secrets.has(secret)) continue;
      const isMore = secrets.size === MOST.values || characters + secret.length > MOST.characters;
      if (isMore) {
        leftOut.push({ file: name, most: { values: MOST.values, kib: MOST.characters / 1024 } });
        break;
      }
      characters += secret.length;
      secrets.add(secret);
    }
  }
  return { secrets: [...secrets], leftOut };
}

/** What of a project's files of settings is too much to be looked for, in one line; undefined for nothing. */
export function unreadSettings(root: string): Reason | undefined {
  const { leftOut } = settingsOf(root);
  return leftOut.length === 0 ? undefined : because("settings-unread", { files: leftOut });
}

/**
 * Masks the secrets of an environment and of a project's `.env` files, known by the names of their variables, the passwords
 * of URLs in either, and what is shaped like a secret.
 */
export function redactorOf(env: NodeJS.ProcessEnv, root?: string): Redactor {
  const own = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : secretsIn(name, value),
  );
  return createRedactor([...own, ...(root === undefined ? [] : settingsOf(root).secrets)]);
}

/** Masks the texts in a value on their way into JSON: masked afterwards, an escape may be torn. */
export function maskedValues(redact: (text: string) => string): (key: string, value: unknown) => unknown {
  return (_key, value) => (typeof value === "string" ? redact(value) : value);
}
