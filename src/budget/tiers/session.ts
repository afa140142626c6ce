import { overfull, TIER_POLICIES, type TierEntry } from "./tier.ts";

/** Full outputs of this process, by key, within the tier's size. */
export interface SessionTier {
  get(key: string): TierEntry | undefined;
  put(entry: TierEntry): void;
  readonly entries: readonly TierEntry[];
  clear(): void;
}

/** A session tier: it lives as long as whoever holds it. */
export function createSessionTier(maxBytes: number = TIER_POLICIES.session.maxBytes): SessionTier {
  const kept = new Map<string, TierEntry>();
  let bytes = 0;
  const sizeOf = (entry: TierEntry): number => entry.text.length * 2;
  return {
    get: key => kept.get(key),
    put(entry) {
      const before = kept.get(entry.key);
      if (before !== undefined) bytes -= sizeOf(before);
      kept.delete(entry.key);
      kept.set(entry.key, entry);
      bytes += sizeOf(entry);
      if (bytes <= maxBytes) return;
      const sized = [...kept.values()].map(one => ({ at: one.at, bytes: sizeOf(one), one }));
      for (const { one } of overfull(sized, maxBytes)) {
        kept.delete(one.key);
        bytes -= sizeOf(one);
      }
    },
    get entries() {
      return [...kept.values()];
    },
    clear() {
      kept.clear();
      bytes = 0;
    },
  };
}
