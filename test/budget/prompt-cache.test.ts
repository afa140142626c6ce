import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  adviseBreakpoints,
  CACHE_RATES,
  type CachePart,
  firstDifference,
  sendCost,
  shouldRebase,
} from "../../src/budget/index.ts";

const rates = CACHE_RATES.claude;
const parts = (...pairs: readonly (readonly [string, number])[]): CachePart[] =>
  pairs.map(([key, tokens]) => ({ key, tokens }));

describe("cost of sending", () => {
  it("[BM1] the first package is written, the second read as far as it is the same", () => {
    const one = parts(["system", 5000], ["root", 2000], ["task 1", 300]);
    const two = parts(["system", 5000], ["root", 2000], ["task 2", 400]);
    const { cost, read, written, plain } = sendCost([one, two], rates);
    expect([read, written, plain]).toEqual([7000, 7700, 14_700]);
    expect(cost).toBeCloseTo(7700 * 1.25 + 7000 * 0.1);
  });

  it("[BM1] what stands behind a difference is written again though it is the same", () => {
    const one = parts(["system", 5000], ["root v1", 2000], ["history", 60_000]);
    const edited = parts(["system", 5000], ["root v2", 2000], ["history", 60_000]);
    const appended = parts(["system", 5000], ["root v1", 2000], ["history", 60_000], ["delta", 120]);
    const added = (next: CachePart[]): number =>
      sendCost([one, next], rates).cost - sendCost([one], rates).cost;
    expect(added(edited) / added(appended)).toBeGreaterThan(11);
  });

  it("[BM1] prefixes below the least are not stored", () => {
    const small = parts(["system", 500], ["task", 100]);
    expect(sendCost([small, small], rates).read).toBe(0);
    expect(sendCost([small, small], { ...rates, leastPrefix: 100 }).read).toBe(600);
  });

  it("[BM1] a package that was sent is read whole, any earlier one counts", () => {
    const packages = [parts(["a", 2000], ["x", 10]), parts(["b", 2000]), parts(["a", 2000], ["x", 10])];
    expect(sendCost(packages, rates).read).toBe(2010);
  });

  it("[BM1] reading and writing add up, and order of keys is no matter of chance", () => {
    const packages = fc.array(
      fc.array(fc.record({ key: fc.constantFrom("a", "b", "c", "__proto__"), tokens: fc.nat(3000) }), {
        maxLength: 6,
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(packages, list => {
        const { read, written, plain, cost } = sendCost(list, rates);
        expect(read + written).toBe(plain);
        expect(cost).toBeLessThanOrEqual(plain * rates.write + 1e-6);
        expect(cost).toBeGreaterThanOrEqual(plain * rates.read - 1e-6);
      }),
    );
  });
});

describe("rebase", () => {
  it("[BM2] only when it is free or pays", () => {
    expect(shouldRebase({ log: 0, after: 0, remaining: 100 }, rates)).toBe(false);
    expect(shouldRebase({ log: 120, after: 60_000, remaining: 10, cold: true }, rates)).toBe(true);
    expect(shouldRebase({ log: 120, after: 60_000, remaining: 50 }, rates)).toBe(false);
    // The threshold: remaining > 11.5 × after / log.
    expect(shouldRebase({ log: 1000, after: 2000, remaining: 22 }, rates)).toBe(false);
    expect(shouldRebase({ log: 1000, after: 2000, remaining: 24 }, rates)).toBe(true);
  });

  it("[BM2] folding behind which nothing stands pays at once", () => {
    expect(shouldRebase({ log: 10, after: 0, remaining: 1 }, rates)).toBe(true);
  });
});

describe("breakpoints", () => {
  it("[BM3] stand at the ends of lifetimes, and never in what changes", () => {
    const advised = adviseBreakpoints(
      [
        { name: "role", tokens: 900, lasts: "run" },
        { name: "root", tokens: 2000, lasts: "run" },
        { name: "branch", tokens: 1500, lasts: "branch" },
        { name: "results", tokens: 9000, lasts: "attempt" },
        { name: "task", tokens: 200, lasts: "attempt" },
      ],
      rates,
    );
    expect(advised).toEqual([
      { after: "root", tokens: 2900 },
      { after: "branch", tokens: 4400 },
    ]);
  });

  it("[BM3] are at most four, and none before the least prefix", () => {
    const many = Array.from({ length: 12 }, (_, at) => ({
      name: `doc ${at}`,
      tokens: 300 + at,
      lasts: "run" as const,
    }));
    const advised = adviseBreakpoints(many, rates);
    expect(advised).toHaveLength(4);
    expect(advised.at(-1)?.after).toBe("doc 11");
    expect(Math.min(...advised.map(({ tokens }) => tokens))).toBeGreaterThanOrEqual(1024);
    expect(adviseBreakpoints([{ name: "tiny", tokens: 10, lasts: "run" }], rates)).toEqual([]);
    expect(adviseBreakpoints([], rates)).toEqual([]);
  });
});

describe("first difference", () => {
  it("[BM4] names byte, line and column", () => {
    expect(firstDifference("가나\nline two\n", "가나\nline too\n")).toEqual({
      byte: 7 + 6,
      line: 2,
      column: 7,
      before: "wo",
      after: "oo",
    });
  });

  it("[BM4] an appended text is no difference, a shortened one is", () => {
    expect(firstDifference("abc", "abcdef")).toBeUndefined();
    expect(firstDifference("", "x")).toBeUndefined();
    expect(firstDifference("abc", "abc")).toBeUndefined();
    expect(firstDifference("abcdef", "abc")).toEqual({
      byte: 3,
      line: 1,
      column: 4,
      before: "def",
      after: "",
    });
  });

  it("[BM4] never stands inside a character", () => {
    const difference = firstDifference("x😀", "x😁");
    expect(difference).toMatchObject({ byte: 1, column: 2, before: "😀", after: "😁" });
  });

  it("[BM4] everything before it is the same", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        (shared, a, b) => {
          const difference = firstDifference(shared + a, shared + b);
          expect(difference === undefined).toBe((shared + b).startsWith(shared + a));
          fc.pre(difference !== undefined);
          const left = Buffer.from(shared + a).subarray(0, difference.byte);
          const right = Buffer.from(shared + b).subarray(0, difference.byte);
          expect(left.equals(right)).toBe(true);
          expect(difference.before).not.toBe(difference.after === "" ? "" : difference.after);
        },
      ),
    );
  });
});
