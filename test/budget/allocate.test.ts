import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allocate, allocateStages, type Claim, reallocate } from "../../src/budget/index.ts";
import { growth, LINEAR } from "../growth.ts";

const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);

const someClaims: fc.Arbitrary<Claim[]> = fc
  .array(
    fc.record(
      {
        weight: fc.constantFrom(1, 2, 3, 0.5, 7),
        cap: fc.nat(10_000),
        floor: fc.nat(3000),
      },
      { requiredKeys: ["weight"] },
    ),
    { maxLength: 25 },
  )
  .map(claims => claims.map((claim, at) => ({ ...claim, id: `A${at}` })));

describe("allocate", () => {
  it("[BA1] shares by weight", () => {
    const { shares, left } = allocate(
      [
        { id: "02", weight: 3 },
        { id: "01", weight: 2 },
        { id: "11", weight: 1 },
      ],
      60_000,
    );
    expect([...shares]).toEqual([
      ["02", 30_000],
      ["01", 20_000],
      ["11", 10_000],
    ]);
    expect(left).toBe(0);
  });

  it("[BA1] never gives a full agent more than its cap, however few there are", () => {
    // The document's own formula gives 112,500 of 150,000 to the first of these two.
    const { shares, left } = allocate(
      [
        { id: "02", weight: 3, cap: 8000 },
        { id: "11", weight: 1, cap: 3000 },
      ],
      150_000,
    );
    expect([...shares.values()]).toEqual([8000, 3000]);
    expect(left).toBe(139_000);
  });

  it("[BA1] gives what a cap cuts to the others", () => {
    const { shares } = allocate(
      [
        { id: "a", weight: 3, cap: 100 },
        { id: "b", weight: 1 },
        { id: "c", weight: 1 },
      ],
      1100,
    );
    expect([...shares.values()]).toEqual([100, 500, 500]);
  });

  it("[BA2] loses no remainder", () => {
    const claims = ["a", "b", "c"].map(id => ({ id, weight: 1 }));
    expect([...allocate(claims, 100).shares.values()]).toEqual([34, 33, 33]);
    expect([...allocate(claims, 1).shares.values()]).toEqual([1, 0, 0]);
  });

  it("[BA2] sums exactly to the smaller of budget and caps", () => {
    fc.assert(
      fc.property(someClaims, fc.nat(100_000), (claims, total) => {
        const { shares, left, short } = allocate(claims, total);
        const caps = sum(claims.map(({ cap }) => cap ?? Infinity));
        const expected = claims.length === 0 ? 0 : Math.min(total, caps);
        expect(sum(shares.values())).toBe(expected);
        expect(left).toBe(total - expected);
        for (const { id, cap, floor } of claims) {
          const share = shares.get(id)!;
          expect(Number.isInteger(share)).toBe(true);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(cap ?? Infinity);
          expect(share).toBeGreaterThanOrEqual(short ? 0 : Math.min(floor ?? 0, cap ?? Infinity));
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("[BA1] [BA2] bears whatever numbers come", () => {
    const odd = fc.oneof(fc.double(), fc.nat(50), fc.constantFrom(Number.NaN, Infinity, 2 ** 53));
    const claims = fc.array(fc.record({ weight: odd, cap: odd, floor: odd }, { requiredKeys: ["weight"] }));
    fc.assert(
      fc.property(claims, odd, (given, total) => {
        const named = given.map((claim, at) => ({ id: String(at), ...claim }));
        const { shares, left } = allocate(named, total);
        const all = [...shares.values()];
        expect(all.every(share => Number.isSafeInteger(share) && share >= 0)).toBe(true);
        const budget = total > 0 ? Math.min(Math.floor(total), 2 ** 50) : 0;
        expect(all.reduce((sum, share) => sum + share, left)).toBe(budget);
      }),
    );
  });

  it("[BA1] gives equals the same, to one token", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(100_000), (count, total) => {
        const claims = Array.from({ length: count }, (_, at) => ({ id: String(at), weight: 2 }));
        const shares = [...allocate(claims, total).shares.values()];
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("[BA3] lowers floors that are too much, and says so", () => {
    const { shares, short } = allocate(
      [
        { id: "a", weight: 1, floor: 3000 },
        { id: "b", weight: 1, floor: 1000 },
      ],
      2000,
    );
    expect(short).toBe(true);
    expect([...shares.values()]).toEqual([1500, 500]);
  });

  it.each([0, -5, Number.NaN])("[BA2] a budget of %d is nothing", total => {
    const { shares } = allocate([{ id: "a", weight: 1 }], total);
    expect(shares.get("a")).toBe(0);
  });

  it("[BA2] nobody is no error", () => {
    expect(allocate([], 1000)).toEqual({ shares: new Map(), left: 1000, short: false });
  });

  it("is linear in the claims", () => {
    const claimsOf = (size: number) =>
      Array.from({ length: size }, (_, at) => ({
        id: String(at),
        weight: 1 + (at % 3),
        cap: 100 + at,
        floor: at % 50,
      }));
    expect(sum(allocate(claimsOf(10_000), 20_000_000).shares.values())).toBe(20_000_000);
    expect(growth(2500, claimsOf, claims => allocate(claims, 2000 * claims.length))).toBeLessThan(LINEAR);
  });
});

const stage = (name: string, budget: number | undefined, ...caps: number[]) => ({
  name,
  ...(budget === undefined ? {} : { budget }),
  claims: caps.map((cap, at) => ({ id: `${name}${at}`, weight: 1, cap })),
});

describe("stages", () => {
  it("[BA4] passes on what a stage's agents may not have", () => {
    const plan = allocateStages([stage("one", 10_000, 3000), stage("two", 1000, 5000, 5000)], 20_000);
    expect(plan.stages.map(({ budget }) => budget)).toEqual([10_000, 8000]);
    expect([...plan.stages[1]!.shares.values()]).toEqual([4000, 4000]);
    expect(plan.left).toBe(20_000 - 11_000);
  });

  it("[BA4] stages without a budget share what the others leave", () => {
    const plan = allocateStages(
      [stage("one", 6000, 6000), stage("two", undefined, 9000), stage("three", undefined, 9000)],
      10_000,
    );
    expect(plan.stages.map(({ shares }) => sum(shares.values()))).toEqual([6000, 2000, 2000]);
    expect(plan.left).toBe(0);
  });

  it.each([-5, Number.NaN, 0.5])("[BA4] takes a stage's budget of %d for nothing", budget => {
    const stages = [
      { name: "a", budget, claims: [] },
      { name: "b", budget: 100, claims: [{ id: "b", weight: 1 }] },
    ];
    expect(allocateStages(stages, 10)).toMatchObject({ left: 0, stages: [{ budget: 0 }, { budget: 10 }] });
  });

  it("[BA4] is never more than the total, whatever the stages ask for", () => {
    const stages = fc.array(
      fc.record({
        budget: fc.option(fc.nat(50_000), { nil: undefined }),
        caps: fc.array(fc.nat(9000), { maxLength: 5 }),
      }),
      {
        maxLength: 6,
      },
    );
    fc.assert(
      fc.property(stages, fc.nat(100_000), (given, total) => {
        const plan = allocateStages(
          given.map(({ budget, caps }, at) => stage(`S${at}-`, budget, ...caps)),
          total,
        );
        const spent = sum(plan.stages.map(({ shares }) => sum(shares.values())));
        expect(spent).toBeLessThanOrEqual(total);
        expect(spent + plan.left).toBe(total);
      }),
    );
  });

  it("[BA5] gives those to come what those done have left", () => {
    const stages = [stage("one", 4000, 2000, 2000), stage("two", 2000, 9000, 9000)];
    const before = allocateStages(stages, 6000);
    expect([...before.stages[1]!.shares.values()]).toEqual([1000, 1000]);
    const after = reallocate(
      stages,
      6000,
      new Map([
        ["one0", 500],
        ["one1", 500],
      ]),
    );
    expect([...after.stages[1]!.shares.values()]).toEqual([2500, 2500]);
    expect(after.total).toBe(5000);
  });

  it("[BA5] takes from those to come what those done took too much", () => {
    const stages = [stage("one", 4000, 2000, 2000), stage("two", 2000, 9000, 9000)];
    const after = reallocate(
      stages,
      6000,
      new Map([
        ["one0", 3000],
        ["one1", 2000],
      ]),
    );
    expect(sum(after.stages[1]!.shares.values())).toBe(1000);
    expect(
      sum(
        reallocate(stages, 6000, new Map([["one0", 7000]])).stages.flatMap(({ shares }) => [
          ...shares.values(),
        ]),
      ),
    ).toBe(0);
  });

  it("[BA5] what is spent and what is shared never pass the total together", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5000), { minLength: 1, maxLength: 8 }), fc.nat(40_000), (used, total) => {
        const stages = [stage("one", 9000, ...used.map(() => 3000)), stage("two", 8000, 4000, 4000)];
        const spent = new Map(
          used.slice(0, Math.ceil(used.length / 2)).map((tokens, at) => [`one${at}`, tokens]),
        );
        const plan = reallocate(stages, total, spent);
        const shared = sum(plan.stages.flatMap(({ shares }) => [...shares.values()]));
        expect(shared).toBeLessThanOrEqual(Math.max(0, total - sum(spent.values())));
        for (const id of spent.keys()) expect(plan.stages[0]!.shares.has(id)).toBe(false);
      }),
    );
  });
});
