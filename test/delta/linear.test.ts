import { describe, expect, it } from "vitest";
import { apply, diff } from "../../src/delta/index.ts";
import { numberLines } from "../../src/delta/line-table.ts";

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

function exactWithin(old: string, next: string, ms: number): number {
  const start = performance.now();
  const delta = diff(old, next);
  expect(performance.now() - start).toBeLessThan(ms);
  const result = apply(delta, old);
  expect(result.ok && result.value === next).toBe(true);
  return delta.hunks.length;
}

describe("time", () => {
  it("[D7] takes 100,000 equal lines against 90,000", () => {
    expect(
      exactWithin("same\n".repeat(100_000), `${"same\n".repeat(45_000)}x\n${"same\n".repeat(45_000)}`, 5_000),
    ).toBe(1);
  });

  it("[D7] takes lines of two kinds in random order, where nothing anchors", () => {
    expect(exactWithin(lines(100_000, 2, 1), lines(100_000, 2, 2), 8_000)).toBeLessThan(50_000);
  });

  it("[D7] takes lines of few kinds, where everything nearly matches", () => {
    expect(exactWithin(lines(60_000, 1_000, 3), lines(60_000, 1_000, 4), 8_000)).toBeLessThan(10_000);
  });

  it("[D7] takes documents without a common line", () => {
    expect(
      exactWithin(lines(100_000, 1e9, 5), lines(100_000, 1e9, 6).replaceAll("line", "Zeile"), 5_000),
    ).toBe(1);
  });

  it("[D7] takes a moved half: the shorter way, not both", () => {
    const first = lines(20_000, 1e9, 7);
    const second = lines(20_000, 1e9, 8);
    expect(exactWithin(`${first}\n${second}`, `${second}\n${first}`, 5_000)).toBeLessThan(10);
  });

  it("[D7] finds the small edits of a large document", () => {
    const old = lines(100_000, 1e9, 9).split("\n");
    const next = old.map((line, at) => (at % 1_000 === 0 ? `${line} changed` : line));
    expect(exactWithin(old.join("\n"), next.join("\n"), 3_000)).toBe(100);
  });

  it("[D7] numbers lines by content, whichever document they stand in", () => {
    const numbered = numberLines("a\nb\n\na", "b\na\nc\n");
    expect([...numbered!.old.numbers]).toEqual([0, 1, 2, 0]);
    expect([...numbered!.next.numbers]).toEqual([1, 0, 3, 2]);
  });
});
