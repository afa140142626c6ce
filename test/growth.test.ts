import { describe, expect, it } from "vitest";
import { growth, LINEAR } from "./growth.ts";
import { itWhole } from "./sample.ts";

const numbers = (size: number): Float64Array => Float64Array.from({ length: size }, (_, at) => at % 97);

function sum(all: Float64Array): number {
  let total = 0;
  for (const one of all) total += one;
  return total;
}

function pairs(all: Float64Array): number {
  let equal = 0;
  for (const one of all) for (const other of all) if (one === other) equal++;
  return equal;
}

describe("growth", () => {
  it("is about four for what is linear", () => {
    const factor = growth(50_000, numbers, sum);
    expect(factor).toBeGreaterThan(2);
    expect(factor).toBeLessThan(LINEAR);
  });

  it("stays below the bound for sorting", () => {
    const mixed = (size: number) => numbers(size).map(one => Math.imul(one + 1, 2_654_435_761) >>> 8);
    expect(growth(5000, mixed, all => all.toSorted())).toBeLessThan(LINEAR);
  });

  it("is about sixteen for what is quadratic, however quick each step is", () => {
    expect(growth(300, numbers, pairs)).toBeGreaterThan(LINEAR);
  });

  itWhole("is about sixteen for a quadratic copy inside a linear loop", () => {
    const shifted = (all: number[]) => {
      for (const rest = [...all]; rest.length > 0; ) rest.splice(0, 1);
    };
    expect(growth(4000, size => Array.from(numbers(size)), shifted)).toBeGreaterThan(LINEAR);
  });

  it("is about four for a linear work that takes its time from some size on, as one does that no longer fits into a cache", () => {
    const stepped = (size: number) => {
      let one = 1;
      for (let at = 0; at < size * (size > 2000 ? 8 : 2); at++) one = Math.imul(one, 31) + at;
      return one;
    };
    expect(growth(1000, size => size, stepped)).toBeLessThan(LINEAR);
  });

  it("is about sixteen for what is quadratic up to a limit, beyond which nothing is done", () => {
    const limited = (all: Float64Array) => (all.length > 1300 ? 0 : pairs(all));
    expect(growth(300, numbers, limited)).toBeGreaterThan(LINEAR);
  });

  it("hands each work its own input, of the size and of four times the size", () => {
    const seen = new Set<number>();
    growth(
      10,
      size => size,
      input => {
        seen.add(input);
        for (let at = 0; at < 1000 * input; at++) Math.sqrt(at);
      },
    );
    expect([...seen]).toEqual([10, 40]);
  });
});
