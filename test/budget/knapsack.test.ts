import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { improve, relaxation } from "../../src/budget/select/exact.ts";
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
  it("[BS3] keeps what nothing else beats, by cost", () => {
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

  it("[BS3] has the best of what costs the same, and the first of what is the same", () => {
    const [worse, best, again] = [10, 20, 20].map((value, offer) => ({ tokens: 5, value, offer }));
    expect(frontier([worse!, best!, again!])).toEqual([best]);
    expect(frontier([again!, worse!, best!])).toEqual([again]);
  });
});

describe("the hull", () => {
  it("[BS3] lies on the frontier, keeps its ends, and its steps pay less and less", () => {
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

  it("[BS3] has no form on the straight way between two others", () => {
    const [first, middle, last] = [1, 2, 3].map(at => ({ tokens: at, value: at, offer: at }));
    expect(hull([first!, middle!, last!])).toEqual([first, last]);
  });

  it("[BS3] no form of the frontier lies above it", () => {
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

  it("[BS3] puts the steps of all items in one order, and an item's own in theirs", () => {
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

describe("the bound of a search", () => {
  const form = (tokens: number, value: number): Point => ({ tokens, value, offer: tokens });
  const free = [[OUT, form(5, 20), form(15, 30)], [OUT, form(10, 100)], [OUT]];
  const bound = [[form(3, 7), form(13, 107)], [form(4, 1)]];

  it.each<[string, Point[][], number, number]>([
    ["nothing", [], 0, 0],
    ["nothing", [], 50, 0],
    ["nothing", [], -1, -Infinity],
    ["items", free, -1, -Infinity],
    ["items", free, 0, 0],
    ["items", free, 5, 50],
    ["items", free, 10, 100],
    ["items", free, 12, 108],
    ["items", free, 15, 120],
    ["items", free, 20, 125],
    ["items", free, 25, 130],
    ["items", free, 99, 130],
    ["items that must have a form", bound, 6, -Infinity],
    ["items that must have a form", bound, 7, 8],
    ["items that must have a form", bound, 12, 58],
    ["items that must have a form", bound, 17, 108],
    ["items that must have a form", bound, 18, 108],
  ])(
    "[BS3] %s with steps taken in part (%j) are worth, in a room of %i, at most %d",
    (_, hulls, room, most) => {
      expect(relaxation(hulls)(room)).toBe(most);
    },
  );

  it("[BS3] a choice that none is better than stays, and is proved", () => {
    const [first, second] = [form(5, 50), form(5, 50)];
    const known = { chosen: [first, OUT], tokens: 5, value: 50, bound: 90 };
    expect(
      improve(
        [
          [OUT, first],
          [OUT, second],
        ],
        5,
        known,
      ),
    ).toEqual({ ...known, bound: 50 });
  });

  it("[BS3] is searched for among up to 20,000 choices at once; where there are more, what is known stays", () => {
    const known = { chosen: [OUT], tokens: 0, value: -1, bound: 50_000 };
    const item = (forms: number): Point[] => Array.from({ length: forms }, (_, at) => form(at, at));
    expect(improve([item(20_000)], 50_000, known)).toMatchObject({ tokens: 19_999, bound: 19_999 });
    expect(improve([item(20_001)], 50_000, known)).toBe(known);
  });
});

/** Forty items of three forms at the same sizes on every run, none of them alike. */
function forty(seed: number, range: number, more: number): Point[][] {
  let state = seed;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  return Array.from({ length: 40 }, () =>
    [0, 1, 2].map((offer): Point => {
      const tokens = 1 + next(range);
      return { tokens, value: more === 0 ? 1 + next(range) : tokens + more + next(3), offer };
    }),
  );
}

/** The best worth, from a table of all budgets. */
function tabled(items: readonly (readonly Point[])[], budget: number): number {
  let row = new Float64Array(budget + 1);
  for (const points of items) {
    const best = new Float64Array(budget + 1).fill(-Infinity);
    for (const { tokens, value } of points)
      for (let at = tokens; at <= budget; at++) best[at] = Math.max(best[at]!, row[at - tokens]! + value);
    row = best;
  }
  return row[budget]!;
}

describe("forty items", () => {
  it.each([
    [1, 0],
    [2, 0],
    [1, 100],
  ])("[BS3] are searched to the end, and the answer says that it is the best (%i, %i)", (seed, more) => {
    const forms = forty(seed, 3000, more).map(points => [OUT, ...points]);
    const packing = pack(forms, 25_000);
    expect(packing.value).toBe(tabled(forms, 25_000));
    expect(packing.bound).toBe(packing.value);
  });

  it("[BS3] also when each must have one of its forms", () => {
    const forms = forty(3, 2000, 0);
    const least = forms.reduce((sum, points) => sum + Math.min(...points.map(({ tokens }) => tokens)), 0);
    const packing = pack(forms, least + 6000);
    expect(packing.value).toBe(tabled(forms, least + 6000));
    expect(packing.bound).toBe(packing.value);
  });

  it("[BS3] of too many states are answered all the same, near the bound", () => {
    const forms = forty(1, 1_000_000, 1000).map(points => [OUT, ...points]);
    const { value, bound, tokens } = pack(forms, 11_000_000);
    expect(tokens).toBeLessThanOrEqual(11_000_000);
    expect(bound).toBeGreaterThan(value);
    expect(value / bound).toBeGreaterThan(0.99);
  });
});

describe("more items than are searched", () => {
  const form = (tokens: number, value: number): Point => ({ tokens, value, offer: tokens });
  /** As many items beside these as make them `count`, with nothing to offer. */
  const among = (count: number, ...items: Point[][]): Point[][] =>
    Array.from({ length: count }, (_, at) => [OUT, ...(items[at] ?? [])]);
  const taken = (forms: Point[][], budget: number): number[] =>
    pack(forms, budget).chosen.map(({ tokens }) => tokens);

  it("[BS3] are packed by worth per token; forty are searched for the best", () => {
    const items = [[form(6, 60)], [form(5, 45)], [form(5, 45)]];
    expect(pack(among(40, ...items), 10)).toMatchObject({ tokens: 10, value: 90, bound: 90 });
    expect(pack(among(41, ...items), 10)).toMatchObject({ tokens: 6, value: 60, bound: 96 });
  });

  it("[BS3] a step that fits exactly is taken, and the next one finds no room", () => {
    const packing = pack(among(41, [form(10, 100)], [form(5, 1)]), 10);
    expect(packing).toMatchObject({ tokens: 10, value: 100, bound: 100 });
  });

  it("[BS3] what room is left goes to forms between the steps, up to the last token", () => {
    const items = among(41, [form(10, 100)], [form(10, 20), form(30, 90)]);
    expect(pack(items, 20)).toMatchObject({ tokens: 20, value: 120, bound: 130 });
    const further = among(41, [form(10, 100), form(15, 101), form(30, 200)]);
    expect(pack(further, 15)).toMatchObject({ tokens: 15, value: 101, bound: 125 });
    expect(taken(further, 14)[0]).toBe(10);
  });

  it("[BS3] of those forms the one that gains most comes first, then what still fits", () => {
    const items = among(
      41,
      [form(1, 100)],
      [form(3, 4), form(5, 8), form(30, 90)],
      [form(5, 9), form(30, 90)],
      [form(2, 1), form(30, 90)],
    );
    expect(taken(items, 6).slice(0, 4)).toEqual([1, 0, 5, 0]);
    expect(taken(items, 9).slice(0, 4)).toEqual([1, 3, 5, 0]);
    expect(taken(items, 13).slice(0, 4)).toEqual([1, 5, 5, 2]);
    expect(pack(items, 13)).toMatchObject({ tokens: 13, value: 118 });
  });

  it("[BS3] what an item has already is no gain", () => {
    const items = among(41, [form(10, 100), form(12, 101), form(30, 200)], [form(2, 5), form(30, 90)]);
    expect(taken(items, 12).slice(0, 2)).toEqual([10, 2]);
  });

  it("[BS3] of equal gains the first item's", () => {
    const items = among(41, [form(4, 5), form(30, 90)], [form(4, 5), form(30, 90)]);
    expect(taken(items, 7).slice(0, 2)).toEqual([4, 0]);
  });
});

describe("packing", () => {
  const items = fc.array(somePoints(60), { maxLength: 6 });

  it("[BS3] finds the best there is of few items, and proves it", () => {
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

  it("[BS3] also where every item must have one of its forms", () => {
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

  it("[BS3] of many items comes within one step of the relaxed problem", () => {
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

  it("[BS3] nothing to pack is worth nothing", () => {
    expect(pack([], 100)).toEqual({ chosen: [], tokens: 0, value: 0, bound: 0 });
  });
});
