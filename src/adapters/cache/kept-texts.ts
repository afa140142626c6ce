import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { fail, ok, type Result } from "../../ports/index.ts";
import {
  entriesOwned,
  makeOwnedFolder,
  ownedFileCalls,
  readBounded,
  removeOwned,
  writeAtomic,
} from "../file/index.ts";

/** Version of the files' format; others are not read. */
const VERSION = 1;
/** Bytes of one file. */
const MOST_BYTES = 4 * 1024 ** 2;
/** Files that are looked at. */
const MOST_FILES = 50_000;
const DIGITS = 32;
/** Share of the size that may be written before the folder is tidied again. */
const TIDY_SHARE = 1 / 16;

const Kept = z.strictObject({
  version: z.literal(VERSION),
  key: z.string(),
  hash: z.string(),
  text: z.string(),
});

/** Texts by key, in files of ours: what is lost is made again. */
export interface KeptTexts {
  /** The text as it was put; undefined where there is none, or what lies there is not what was put. */
  get(key: string): string | undefined;
  put(key: string, text: string): Result<void, string>;
  /** How many there are, and their bytes. */
  size(): { readonly texts: number; readonly bytes: number };
  /** Removes all; how many there were. */
  clear(): number;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Texts below a folder of ours; beyond `maxBytes` those that were written longest ago go. */
export function openKeptTexts(folder: string, maxBytes: number): KeptTexts {
  const pathOf = (key: string): string => join(folder, `${sha256(key).slice(0, DIGITS)}.json`);
  /** Bytes written since the folder was last tidied; undefined before the first write. */
  let written: number | undefined;

  function files(): { readonly path: string; readonly bytes: number; readonly at: number }[] {
    let entries: ReturnType<typeof entriesOwned>;
    try {
      entries = entriesOwned(folder);
    } catch {
      return [];
    }
    return entries.slice(0, MOST_FILES).flatMap(({ name, facts }) => {
      if (name.length !== DIGITS + 5 || !name.endsWith(".json") || facts.kind !== "file") return [];
      return [{ path: join(folder, name), bytes: facts.size, at: Number(facts.modified) / 1e6 }];
    });
  }

  function tidy(): void {
    let bytes = 0;
    for (const file of files().sort((a, b) => b.at - a.at)) {
      bytes += file.bytes;
      if (bytes > maxBytes) removeOwned(file.path);
    }
  }

  return {
    get(key) {
      const bytes = readBounded(pathOf(key), { maxBytes: MOST_BYTES, calls: ownedFileCalls });
      if (!bytes.ok) return undefined;
      try {
        const kept = Kept.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
        return kept.key === key && kept.hash === sha256(kept.text) ? kept.text : undefined;
      } catch {
        return undefined;
      }
    },
    put(key, text) {
      const body = JSON.stringify({ version: VERSION, key, hash: sha256(text), text });
      if (Buffer.byteLength(body) > MOST_BYTES)
        return fail(`a text of more than ${MOST_BYTES} bytes is not kept`);
      try {
        makeOwnedFolder(folder);
      } catch (error) {
        return fail((error as Error).message);
      }
      const put = writeAtomic(pathOf(key), body, { calls: ownedFileCalls });
      if (!put.ok) return fail(put.failure.message);
      const bytes = (written ?? 0) + body.length;
      const isDue = written === undefined || bytes >= maxBytes * TIDY_SHARE;
      if (isDue) tidy();
      written = isDue ? 0 : bytes;
      return ok(undefined);
    },
    size() {
      const all = files();
      return { texts: all.length, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0) };
    },
    clear() {
      const all = files();
      for (const { path } of all) removeOwned(path);
      return all.length;
    },
  };
}
