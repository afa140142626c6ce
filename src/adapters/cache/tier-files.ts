import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import {
  overfull,
  TIERS,
  type TierEntry,
  type TierName,
  type TierPolicy,
  type TierState,
  tierState,
} from "../../budget/index.ts";
import { fail, ok, type Result } from "../../ports/index.ts";
import { makeOwnedFolder, ownedFileCalls, readBounded, removeOwned, writeAtomic } from "../file/index.ts";

/** Bytes one entry may have. */
const MOST_BYTES = 4 * 1024 ** 2;
/** Entries of a tier that are looked at. */
const MOST_ENTRIES = 20_000;
const DIGITS = 32;
/** Share of a tier's size that may be written before it is tidied again. */
const TIDY_SHARE = 1 / 16;

const Entry = z.strictObject({
  version: z.int(),
  tier: z.enum(TIERS as [TierName, ...TierName[]]),
  key: z.string().max(500),
  source: z.string().max(64),
  hash: z.string().max(64),
  level: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]),
  at: z.number(),
  text: z.string(),
});

/** An entry as it lies on the disk, and whether it may be used. */
export interface KeptEntry {
  readonly entry: TierEntry;
  readonly state: TierState;
  readonly bytes: number;
}

/** The cache tiers that are files. */
export interface TierFiles {
  /** Writes an entry, and removes what no longer fits or is over. */
  put(entry: TierEntry, now: number): Result<void, string>;
  /** A valid entry; `source` is the hash of the original as it is now. */
  get(tier: TierName, key: string, now: number, source?: string): TierEntry | undefined;
  /** Everything of a tier, the newest first. Files that are none of ours are passed over. */
  list(tier: TierName, now: number): KeptEntry[];
  /** Removes the entries of a tier, or of all; how many there were. */
  clear(tier?: TierName): number;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Tiers below a folder of ours, one file per entry; names are hashes of keys. */
export function openTierFiles(folder: string, policies: Readonly<Record<TierName, TierPolicy>>): TierFiles {
  const nameOf = (tier: TierName, key: string): string =>
    join(folder, tier, `${sha256(`${tier} ${key}`).slice(0, DIGITS)}.json`);

  function names(tier: TierName): string[] {
    try {
      return ownedFileCalls
        .list(join(folder, tier))
        .filter(name => name.length === DIGITS + 5 && name.endsWith(".json"))
        .slice(0, MOST_ENTRIES);
    } catch {
      return [];
    }
  }

  function read(path: string, now: number, source?: string): KeptEntry | undefined {
    const bytes = readBounded(path, { maxBytes: MOST_BYTES, calls: ownedFileCalls });
    if (!bytes.ok) return undefined;
    try {
      const entry = Entry.parse(JSON.parse(Buffer.from(bytes.value).toString("utf8")));
      const state = tierState(entry, { now, source, hashOf: sha256, policies });
      return { entry, state, bytes: bytes.value.byteLength };
    } catch {
      return undefined;
    }
  }

  function list(tier: TierName, now: number): KeptEntry[] {
    return names(tier)
      .flatMap(name => read(join(folder, tier, name), now) ?? [])
      .sort((a, b) => b.entry.at - a.entry.at);
  }

  /** Bytes written since a tier was last tidied; a tier of an earlier process is tidied at the first write. */
  const written = new Map<TierName, number>();

  /** What is over, or beyond the tier's size, goes. */
  function tidy(tier: TierName, now: number): void {
    const kept = list(tier, now);
    const over = kept.filter(({ state }) => state !== "valid");
    const valid = kept.filter(({ state }) => state === "valid").map(one => ({ ...one, at: one.entry.at }));
    for (const { entry } of [...over, ...overfull(valid, policies[tier].maxBytes)])
      removeOwned(nameOf(tier, entry.key));
  }

  return {
    put(entry, now) {
      const text = JSON.stringify(entry);
      if (Buffer.byteLength(text) > MOST_BYTES)
        return fail(`an entry of more than ${MOST_BYTES} bytes is not cached`);
      try {
        makeOwnedFolder(join(folder, entry.tier));
      } catch (error) {
        return fail((error as Error).message);
      }
      const put = writeAtomic(nameOf(entry.tier, entry.key), text, { calls: ownedFileCalls });
      if (!put.ok) return fail(put.failure.message);
      const since = written.get(entry.tier);
      const bytes = (since ?? 0) + text.length;
      const isDue = since === undefined || bytes >= policies[entry.tier].maxBytes * TIDY_SHARE;
      if (isDue) tidy(entry.tier, now);
      written.set(entry.tier, isDue ? 0 : bytes);
      return ok(undefined);
    },
    get(tier, key, now, source) {
      const found = read(nameOf(tier, key), now, source);
      return found?.state === "valid" && found.entry.key === key ? found.entry : undefined;
    },
    list,
    clear(tier) {
      let count = 0;
      for (const one of tier === undefined ? TIERS : [tier]) {
        for (const name of names(one)) {
          removeOwned(join(folder, one, name));
          count++;
        }
      }
      return count;
    },
  };
}
