import type { Level } from "../levels.ts";

/** How long an output is kept, and in what form: the document's three cache levels. */
export type TierName = "session" | "project" | "persistent";

export const TIERS: readonly TierName[] = ["session", "project", "persistent"];

export interface TierPolicy {
  readonly location: "memory" | "disk";
  /** Milliseconds an entry lives; undefined for as long as the session, or for ever. */
  readonly ttlMs?: number | undefined;
  readonly level: Level;
  /** Bytes all entries of the tier may have together. */
  readonly maxBytes: number;
}

const DAY = 86_400_000;
const MIB = 1024 ** 2;

export const TIER_POLICIES: Readonly<Record<TierName, TierPolicy>> = {
  session: { location: "memory", level: 0, maxBytes: 256 * MIB },
  project: { location: "disk", ttlMs: 7 * DAY, level: 1, maxBytes: 64 * MIB },
  persistent: { location: "disk", level: 3, maxBytes: 16 * MIB },
};

/** Version of the entries' format; others are not read. */
export const TIER_VERSION = 1;

/** A kept output. */
export interface TierEntry {
  readonly version: number;
  readonly tier: TierName;
  /** Agent and task it comes from. Foreign text, never a path. */
  readonly key: string;
  /** SHA-256 of the original it was made from. */
  readonly source: string;
  /** SHA-256 of `text`. */
  readonly hash: string;
  readonly level: Level;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly text: string;
}

/** Whether an entry may be used, and if not, why. */
export type TierState = "valid" | "expired" | "stale" | "damaged" | "other-version";

/** What an entry is held against. */
export interface TierCheck {
  readonly now: number;
  /** Hash of the original as it is now; absent when the original is not at hand. */
  readonly source?: string | undefined;
  readonly hashOf: (text: string) => string;
  readonly policies?: Readonly<Record<TierName, TierPolicy>>;
}

/** Judges an entry. A clock that was set back does not make entries of the future live longer than their time. */
export function tierState(entry: TierEntry, check: TierCheck): TierState {
  if (entry.version !== TIER_VERSION) return "other-version";
  const { ttlMs } = (check.policies ?? TIER_POLICIES)[entry.tier];
  if (ttlMs !== undefined && Math.abs(check.now - entry.at) > ttlMs) return "expired";
  if (check.source !== undefined && check.source !== entry.source) return "stale";
  return check.hashOf(entry.text) === entry.hash ? "valid" : "damaged";
}

/** Which entries of a tier must go so that it stays within its size: the oldest. */
export function overfull<Entry extends { readonly at: number; readonly bytes: number }>(
  entries: readonly Entry[],
  maxBytes: number,
): Entry[] {
  let bytes = 0;
  return [...entries]
    .sort((a, b) => b.at - a.at)
    .filter(entry => {
      bytes += entry.bytes;
      return bytes > maxBytes;
    });
}
