import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSessionTier,
  overfull,
  TIER_VERSION,
  type TierEntry,
  tierState,
} from "../../src/budget/index.ts";

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
const DAY = 86_400_000;
const entry = (extra: Partial<TierEntry> = {}): TierEntry => {
  const text = extra.text ?? "decision: use SQLite";
  return {
    version: TIER_VERSION,
    tier: "project",
    key: "02/T1.3",
    source: hashOf("original"),
    hash: hashOf(text),
    level: 1,
    at: 100 * DAY,
    text,
    ...extra,
  };
};
const at = (day: number, source?: string) => ({
  now: day * DAY,
  hashOf,
  ...(source === undefined ? {} : { source }),
});

describe("tiers", () => {
  it.each([
    ["valid", entry(), at(101)],
    ["valid", entry(), at(107)],
    ["expired", entry(), at(107.01)],
    ["valid", entry({ tier: "persistent" }), at(5000)],
    ["valid", entry({ tier: "session" }), at(5000)],
    ["stale", entry(), at(101, hashOf("another original"))],
    ["valid", entry(), at(101, hashOf("original"))],
    ["damaged", entry({ hash: hashOf("something else") }), at(101)],
    ["other-version", entry({ version: 0 }), at(101)],
    ["other-version", entry({ version: 2 }), at(101)],
  ] as const)("[BK1] %s", (state, one, check) => {
    expect(tierState(one, check)).toBe(state);
  });

  it("[BK2] a clock set back a little changes nothing, set back far makes no entry eternal", () => {
    expect(tierState(entry(), at(99))).toBe("valid");
    expect(tierState(entry(), at(10))).toBe("expired");
  });

  it("[BK3] the oldest go first", () => {
    const sized = [
      { name: "a", at: 1, bytes: 40 },
      { name: "b", at: 3, bytes: 40 },
      { name: "c", at: 2, bytes: 40 },
    ];
    expect(overfull(sized, 80).map(({ name }) => name)).toEqual(["a"]);
    expect(overfull(sized, 1000)).toEqual([]);
    expect(overfull(sized, 0)).toHaveLength(3);
  });

  it("[BK3] what stays is within the size, and nothing newer went", () => {
    const entries = fc.array(fc.record({ at: fc.nat(50), bytes: fc.nat(100) }), { maxLength: 30 });
    fc.assert(
      fc.property(entries, fc.nat(1000), (list, most) => {
        const gone = new Set(overfull(list, most));
        const kept = list.filter(one => !gone.has(one));
        expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(most);
        const newestGone = Math.max(-1, ...[...gone].map(one => one.at));
        for (const one of kept.filter(({ bytes }) => bytes > 0))
          expect(one.at).toBeGreaterThanOrEqual(newestGone);
      }),
    );
  });

  it("[BK3] the session tier forgets what was asked for longest ago, and replaces by key", () => {
    const tier = createSessionTier<string>(100);
    tier.put("a", "first", 60);
    tier.put("b", "second", 30);
    expect(tier.get("a")).toBe("first");
    tier.put("c", "third", 30);
    expect([tier.get("a"), tier.get("b"), tier.get("c")]).toEqual(["first", undefined, "third"]);
    tier.put("a", "less", 10);
    tier.put("d", "fourth", 60);
    expect(tier.size).toBe(3);
    tier.put("huge", "all of it", 101);
    expect(tier.get("huge")).toBeUndefined();
    expect(tier.size).toBe(3);
    // What is too large now is not there as it was before either.
    tier.put("a", "grown", 101);
    expect(tier.get("a")).toBeUndefined();
  });

  it("[BK3] the session tier never holds more than its size, and always what was put last", () => {
    const puts = fc.array(fc.record({ key: fc.constantFrom("a", "b", "c", "d", "e"), bytes: fc.nat(120) }), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(puts, list => {
        const tier = createSessionTier<number>(100);
        const sizes = new Map<string, number>();
        for (const { key, bytes } of list) {
          tier.put(key, bytes, bytes);
          sizes.set(key, bytes);
          expect(tier.get(key)).toBe(bytes > 100 ? undefined : bytes);
          const held = [...sizes].filter(([name]) => tier.get(name) !== undefined);
          expect(held.reduce((sum, [, size]) => sum + size, 0)).toBeLessThanOrEqual(100);
          for (const [name, size] of held) expect(tier.get(name)).toBe(size);
        }
      }),
    );
  });
});
