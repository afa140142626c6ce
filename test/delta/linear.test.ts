import { describe, expect, it } from "vitest";
import { apply, diff } from "../../src/delta/index.ts";
import { numberLines } from "../../src/delta/line-table.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";

function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function lines(count: number, kinds: number, seed: number): string {
  const next = random(seed);
  return Array.from({ length: count }, () => `line ${Math.floor(next() * kinds)}`).join("\n");
}

type Documents = readonly [old: string, next: string];

/** Documents of so many lines, how many hunks between those of 40,000 lines at most. */
const CASES: Record<string, readonly [pairOf: (size: number) => Documents, hunks: number]> = {
  "equal lines, fewer than before": [
    size => ["same\n".repeat(size), `${"same\n".repeat(0.45 * size)}x\n${"same\n".repeat(0.45 * size)}`],
    1,
  ],
  "lines of two kinds in random order, where nothing anchors": [
    size => [lines(size, 2, 1), lines(size, 2, 2)],
    20_000,
  ],
  "lines of few kinds, where everything nearly matches": [
    size => [lines(size, 1_000, 3), lines(size, 1_000, 4)],
    7_000,
  ],
  "documents without a common line": [
    size => [lines(size, 1e9, 5), lines(size, 1e9, 6).replaceAll("line", "Zeile")],
    1,
  ],
  "a moved half: the shorter way, not both": [
    size => {
      const [first, second] = [lines(size / 2, 1e9, 7), lines(size / 2, 1e9, 8)];
      return [`${first}\n${second}`, `${second}\n${first}`];
    },
    9,
  ],
  "the small edits of a large document": [
    size => {
      const old = lines(size, 1e9, 9).split("\n");
      const next = old.map((line, at) => (at % 1_000 === 0 ? `${line} changed` : line));
      return [old.join("\n"), next.join("\n")];
    },
    40,
  ],
};

describe("time", () => {
  it.each(sampleOf(Object.entries(CASES), 1, 2, 5))("[D7] linear for %s", (_, [pairOf, hunks]) => {
    const [old, next] = pairOf(40_000);
    const delta = diff(old, next);
    const result = apply(delta, old);
    expect(result.ok && result.value === next).toBe(true);
    expect(delta.hunks.length).toBeGreaterThan(0);
    expect(delta.hunks.length).toBeLessThanOrEqual(hunks);
    expect(growth(5000, pairOf, pair => diff(...pair))).toBeLessThan(LINEAR);
  });

  it("[D7] numbers lines by content, whichever document they stand in", () => {
    const numbered = numberLines("a\nb\n\na", "b\na\nc\n");
    expect([...numbered!.old.numbers]).toEqual([0, 1, 2, 0]);
    expect([...numbered!.next.numbers]).toEqual([1, 0, 3, 2]);
  });
});
