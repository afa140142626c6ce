import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frontier, hull, type Point, upgrades } from "../../src/budget/select/hull.ts";
import { pack } from "../../src/budget/select/knapsack.ts";

const OUT: Point = { tokens: 0, value: 0, offer: -1 };

const somePoints = (most: number): fc.Arbitrary<Point[]> =>
  fc
    .array(fc.record({ tokens: fc.nat(most), value: fc.nat(1000) }), { minLength: 1, maxLength: 6 })
    .map(points => points.map((point, offer) => ({ ...point, offer })));

/** The best worth of one form of each item within a budget, by trying all. */
function best(items: readonly (readonly Point[])[], budget: number): number {
  const [first, ...rest] = items;
  if (first === undefined) return 0;
  return Math.max(
    ...first.map(({ tokens, value }) => (tokens <= budget ? value + best(rest, budget - tokens) : -Infinity)),
  );
}

describe("the frontier", () => {
  it("[S3] keeps what nothing else beats, by cost", () => {
    fc.assert(
      fc.property(somePoints(50), points => {
        const kept = frontier(points);
        for (const [at, point] of kept.entries()) {
          const next = kept[at + 1];
          expect(next === undefined || (next.tokens > point.tokens && next.value > point.value)).toBe(true);
        }
        for (const point of points)
          expect(kept.some(({ tokens, value }) => tokens <= point.tokens && value >= point.value)).toBe(true);
      }),
    );
  });
});

describe("the hull", () => {
  it("[S3] lies on the frontier, keeps its ends, and its steps pay less and less", () => {
    fc.assert(
      fc.property(somePoints(200), points => {
        const front = frontier(points);
        const kept = hull(front);
        expect(front).toEqual(expect.arrayContaining(kept));
        expect(kept[0]).toEqual(front[0]);
        expect(kept.at(-1)).toEqual(front.at(-1));
        const rates = upgrades([kept]).map(({ tokens, value }) => value / tokens);
        for (const [at, rate] of rates.entries()) expect(rates[at + 1] ?? -1).toBeLessThan(rate + 1e-12);
      }),
    );
  });

  it("[S3] no form of the frontier lies above it", () => {
    fc.assert(
      fc.property(somePoints(200), points => {
        const front = frontier(points);
        const kept = hull(front);
        for (const { tokens, value } of front) {
          const after = kept.findIndex(point => point.tokens >= tokens);
          const right = kept[after]!;
          const left = kept[Math.max(0, after - 1)]!;
          const share =
            right.tokens === left.tokens ? 1 : (tokens - left.tokens) / (right.tokens - left.tokens);
          expect(value).toBeLessThanOrEqual(left.value + share * (right.value - left.value) + 1e-9);
        }
      }),
    );
  });

  it("[S3] puts the steps of all items in one order, and an item's own in theirs", () => {
    fc.assert(
      fc.property(fc.array(somePoints(80), { maxLength: 8 }), items => {
        const steps = upgrades(items.map(points => hull(frontier([OUT, ...points]))));
        for (const [at, step] of steps.entries()) {
          const next = steps[at + 1];
          expect(next === undefined || step.value * next.tokens >= next.value * step.tokens - 1e-9).toBe(
            true,
          );
        }
        const last = new Map<number, number>();
        for (const { item, to } of steps) {
          expect(to.tokens).toBeGreaterThan(last.get(item) ?? -1);
          last.set(item, to.tokens);
        }
      }),
    );
  });
});

describe("packing", () => {
  const items = fc.array(somePoints(60), { maxLength: 6 });

  it("[S3] finds the best there is of few items, and proves it", () => {
    fc.assert(
      fc.property(items, fc.nat(250), (given, budget) => {
        const forms = given.map(points => [OUT, ...points]);
        const { chosen, tokens, value, bound } = pack(forms, budget);
        expect(value).toBe(best(forms, budget));
        expect(bound).toBeGreaterThanOrEqual(value);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(chosen.reduce((sum, point) => sum + point.tokens, 0)).toBe(tokens);
        expect(chosen.reduce((sum, point) => sum + point.value, 0)).toBe(value);
        for (const [at, point] of chosen.entries()) expect(forms[at]).toContainEqual(point);
      }),
      { numRuns: 1000 },
    );
  });

  it("[S3] also where every item must have one of its forms", () => {
    fc.assert(
      fc.property(items, fc.nat(100), (given, extra) => {
        const least = given.reduce((sum, points) => sum + Math.min(...points.map(({ tokens }) => tokens)), 0);
        const { value, tokens } = pack(given, least + extra);
        expect(tokens).toBeLessThanOrEqual(least + extra);
        expect(value).toBe(best(given, least + extra));
      }),
      { numRuns: 500 },
    );
  });

  it("[S3] of many items comes within one step of the relaxed problem", () => {
    const many = fc.array(somePoints(400), { minLength: 41, maxLength: 120 });
    fc.assert(
      fc.property(many, fc.integer({ min: 0, max: 20_000 }), (given, budget) => {
        const forms = given.map(points => [OUT, ...points]);
        const { value, bound, tokens } = pack(forms, budget);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(value).toBeLessThanOrEqual(bound + 1e-9);
        expect(bound - value).toBeLessThanOrEqual(1000);
      }),
      { numRuns: 100 },
    );
  });

  it("[S3] nothing to pack is worth nothing", () => {
    expect(pack([], 100)).toEqual({ chosen: [], tokens: 0, value: 0, bound: 0 });
  });
});
