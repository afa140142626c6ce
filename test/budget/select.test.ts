import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type BudgetItem, type Level, type Offer, RETENTION, selectLevels } from "../../src/budget/index.ts";
import { withoutRepeats } from "../../src/budget/select/redundancy.ts";
import { casesOf } from "../sample.ts";

/** An item of four levels at the given sizes. */
function item(id: string, sizes: readonly number[], extra: Partial<BudgetItem> = {}): BudgetItem {
  const offers = sizes.map(
    (tokens, level): Offer => ({ level: level as Level, tokens, retention: RETENTION[level]! }),
  );
  return { id, offers, priority: 0.5, ...extra };
}

const anItem: fc.Arbitrary<Omit<BudgetItem, "id">> = fc.record(
  {
    offers: fc.array(
      fc.record({
        level: fc.constantFrom<Level>(0, 1, 2, 3),
        tokens: fc.nat(60),
        retention: fc.double({ min: 0.01, max: 1, noNaN: true }),
      }),
      { maxLength: 4 },
    ),
    priority: fc.double({ min: 0.01, max: 1, noNaN: true }),
    pinned: fc.boolean(),
    critical: fc.boolean(),
    finest: fc.constantFrom<Level>(0, 1, 2),
    content: fc.constantFrom("x", "y", "z"),
  },
  { requiredKeys: ["offers", "priority"] },
);
const someItems = (maxLength: number): fc.Arbitrary<BudgetItem[]> =>
  fc.array(anItem, { maxLength }).map(items => items.map((one, at) => ({ ...one, id: `I${at}` })));

/** The best worth by trying everything. */
function best(items: readonly BudgetItem[], budget: number): number {
  const [first, ...rest] = items;
  if (first === undefined) return 0;
  let most = best(rest, budget);
  for (const { tokens, retention } of first.offers)
    if (tokens <= budget)
      most = Math.max(most, Math.max(first.priority * retention, 1e-9) + best(rest, budget - tokens));
  return most;
}

describe("selectLevels", () => {
  it("[BS1] never costs more than the budget, whatever is asked", () => {
    fc.assert(
      fc.property(someItems(60), fc.nat(1500), (items, budget) => {
        const { choices, tokens } = selectLevels(items, budget);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(choices.reduce((sum, choice) => sum + choice.tokens, 0)).toBe(tokens);
      }),
      { numRuns: casesOf(375, 1500) },
    );
  });

  it("[BS3] is the best there is where there are few", () => {
    const plain = someItems(6).map(items =>
      items.map(({ id, offers, priority }) => ({ id, offers, priority })),
    );
    fc.assert(
      fc.property(plain, fc.nat(200), (items, budget) => {
        const { value, bound } = selectLevels(items, budget);
        expect(value).toBeCloseTo(best(items, budget), 9);
        expect(bound).toBeGreaterThanOrEqual(value - 1e-9);
      }),
      { numRuns: 1000 },
    );
  });

  it("[BS3] is near the bound where there are many", () => {
    const items = Array.from({ length: 300 }, (_, at) =>
      item(`A${at}`, [3000 + ((at * 911) % 5000), 2000 + ((at * 37) % 1000), 900, 250], {
        priority: 0.2 + ((at * 617) % 800) / 1000,
      }),
    );
    const { value, bound, tokens } = selectLevels(items, 150_000);
    expect(tokens).toBeLessThanOrEqual(150_000);
    expect(value / bound).toBeGreaterThan(0.995);
  });

  it("[BS4] answers in the order of the items, each with its reason", () => {
    const { choices } = selectLevels(
      [
        item("old", [4000, 2000, 900, 200], { priority: 0.1 }),
        item("new", [4000, 2000, 900, 200], { priority: 0.9 }),
      ],
      4300,
    );
    expect(choices).toEqual([
      { id: "old", level: 3, tokens: 200, reason: "compressed" },
      { id: "new", level: 0, tokens: 4000, reason: "fits" },
    ]);
  });

  it("[BS4] says what has no room and what has nothing to offer", () => {
    const { choices } = selectLevels([item("big", [500]), item("none", [])], 100);
    expect(choices).toEqual([
      { id: "big", level: undefined, tokens: 0, reason: "no-room" },
      { id: "none", level: undefined, tokens: 0, reason: "no-offer" },
    ]);
  });

  it("[BS2] puts pinned items before worthier ones, and critical ones behind them", () => {
    const { choices } = selectLevels(
      [
        item("worthy", [600], { priority: 1 }),
        item("critical", [600], { priority: 0.2, critical: true }),
        item("pinned", [600], { priority: 0.1, pinned: true }),
      ],
      1200,
    );
    expect(choices.map(({ level, reason }) => [level, reason])).toEqual([
      [undefined, "no-room"],
      [0, "critical"],
      [0, "pinned"],
    ]);
  });

  it("[BS2] gives every pinned item its cheapest form before any gets a better one", () => {
    const { choices } = selectLevels(
      [
        item("a", [1000, 500, 300, 100], { pinned: true, priority: 1 }),
        item("b", [1000, 500, 300, 100], { pinned: true, priority: 0.1 }),
      ],
      1100,
    );
    expect(choices.every(({ level }) => level !== undefined)).toBe(true);
    expect(choices[0]!.level).toBeLessThan(choices[1]!.level!);
  });

  it("[BS2] leaves out the least worthy pinned item when not even the cheapest forms fit", () => {
    const pinned = ["a", "b", "c"].map((id, at) =>
      item(id, [400, 200, 150, 100], { pinned: true, priority: 0.2 + at / 10 }),
    );
    const { choices, tokens } = selectLevels(pinned, 220);
    expect(choices.map(({ level }) => level)).toEqual([undefined, 3, 3]);
    expect(tokens).toBe(200);
  });

  it("[BS2] a pinned item that does not fit takes no other's room", () => {
    const pinned = [
      item("big", [200], { pinned: true, priority: 0.9 }),
      item("small", [100], { pinned: true, priority: 0.1 }),
      item("free", [0], { pinned: true, priority: 0.05 }),
    ];
    expect(selectLevels(pinned, 120).choices.map(({ level }) => level)).toEqual([undefined, 0, 0]);
    expect(selectLevels(pinned, 100).choices.map(({ level }) => level)).toEqual([undefined, 0, 0]);
  });

  it("[BS2] a pinned item that takes the last token leaves none to the next", () => {
    const pinned = ["a", "b"].map(id => item(id, [100], { pinned: true }));
    const { choices, tokens } = selectLevels(pinned, 100);
    expect(choices.map(({ level }) => level)).toEqual([0, undefined]);
    expect(tokens).toBe(100);
  });

  it("[BS5] uses no level that may not be used", () => {
    const restricted = item("a", [100, 80, 60, 40], { finest: 2 });
    expect(selectLevels([restricted], 1000).choices[0]).toEqual({
      id: "a",
      level: 2,
      tokens: 60,
      reason: "restricted",
    });
    const useful = item("b", [900, 500, 300, 10], { coarsest: 1 });
    expect(selectLevels([useful], 400).choices[0]!.reason).toBe("no-room");
    fc.assert(
      fc.property(someItems(30), fc.nat(800), (items, budget) => {
        for (const [at, { level }] of selectLevels(items, budget).choices.entries())
          expect(level ?? 3).toBeGreaterThanOrEqual(items[at]!.finest ?? 0);
      }),
    );
  });

  it("[BS5] an offer that costs more and tells less is never chosen", () => {
    const short: BudgetItem = {
      id: "short",
      priority: 0.5,
      offers: [
        { level: 0, tokens: 120, retention: 1 },
        { level: 1, tokens: 300, retention: 0.8 },
      ],
    };
    for (const budget of [120, 299, 300, 1000])
      expect(selectLevels([short], budget).choices[0]!.level).toBe(0);
  });

  it("[BS6] takes one of several with the same content, the worthiest", () => {
    const twins = [
      item("a", [100], { content: "h", priority: 0.3 }),
      item("b", [100], { content: "h", priority: 0.8 }),
    ];
    expect(selectLevels(twins, 1000).choices).toEqual([
      { id: "a", level: undefined, tokens: 0, reason: "duplicate", standsIn: "b" },
      { id: "b", level: 0, tokens: 100, reason: "fits" },
    ]);
  });

  it("[BS6] a pinned item stands for a worthier one with the same content", () => {
    const twins = [
      item("a", [100], { content: "h", pinned: true, priority: 0.1 }),
      item("b", [100], { content: "h", priority: 0.9 }),
    ];
    expect(selectLevels(twins, 1000).choices.map(({ reason }) => reason)).toEqual(["pinned", "duplicate"]);
  });

  it("[BS6] so does a critical item, and a pinned one for a critical one", () => {
    const item1 = item("plain", [100], { content: "h", priority: 0.9 });
    const item2 = item("critical", [100], { content: "h", critical: true, priority: 0.1 });
    const item3 = item("pinned", [100], { content: "h", pinned: true, priority: 0.1 });
    const reasons = (...items: BudgetItem[]): string[] =>
      selectLevels(items, 1000).choices.map(({ reason }) => reason);
    expect(reasons(item1, item2)).toEqual(["duplicate", "critical"]);
    expect(reasons(item1, item2, item3)).toEqual(["duplicate", "duplicate", "pinned"]);
  });

  it("[BS6] of equally worthy ones the first stands for all", () => {
    const twins = ["a", "b"].map(id => item(id, [100], { content: "h" }));
    expect(selectLevels(twins, 1000).choices.map(({ reason }) => reason)).toEqual(["fits", "duplicate"]);
  });

  it("[BS6] an item keeps a fifth of its worth, and of the rest the share of its facts that are new", () => {
    const telling = (id: string, priority: number, facts: string[]): BudgetItem =>
      item(id, [100], { priority, facts });
    const items = [
      telling("half", 0.5, ["D-1", "D-2"]),
      telling("first", 0.9, ["D-1"]),
      telling("echo", 0.4, ["D-1"]),
      telling("silent", 0.3, []),
      item("other", [100], { priority: 0.2 }),
    ];
    const worths = withoutRepeats(items).worths.map(worth => Number(worth.toFixed(9)));
    expect(worths).toEqual([0.6, 1, 0.2, 1, 1]);
    expect(selectLevels(items, 500).value).toBeCloseTo(0.3 + 0.9 + 0.08 + 0.3 + 0.2, 9);
  });

  it("[BS6] prefers what is new to what is told already", () => {
    const facts = (names: string): string[] => names.split(" ");
    const items = [
      item("first", [500], { priority: 0.9, facts: facts("D-1 D-2 D-3") }),
      item("echo", [500], { priority: 0.8, facts: facts("D-1 D-2 D-3") }),
      item("fresh", [500], { priority: 0.5, facts: facts("D-7 D-8") }),
    ];
    expect(selectLevels(items, 1000).choices.map(({ level }) => level)).toEqual([0, undefined, 0]);
  });

  it.each([Number.NaN, Infinity, -Infinity, -1, 0])("[BS7] a priority of %d does no harm", priority => {
    const { choices, value } = selectLevels([item("a", [100], { priority }), item("b", [100])], 1000);
    expect(choices.map(({ level }) => level)).toEqual([0, 0]);
    expect(Number.isFinite(value)).toBe(true);
  });

  it.each(["priority", "distance", "floor", "retention"])(
    "[BS7] one whose %s is no number keeps no other from its place",
    name => {
      const item = (id: string, priority: number, more = {}) => ({
        id,
        priority,
        pinned: name !== "distance",
        offers: [{ level: 0 as const, tokens: 5, retention: 1, ...(name === "retention" ? more : {}) }],
        ...(name === "floor" ? { floor: 1 } : {}),
        ...more,
      });
      const items = [item("odd", 0.1, { [name]: Number.NaN }), item("low", 0.2), item("high", 0.9)];
      for (const given of [items, items.toReversed(), items.with(0, items[1]!).with(1, items[0]!)]) {
        const { choices } = selectLevels(given, 5);
        expect(choices.filter(({ level }) => level === 0).map(({ id }) => id)).toEqual(["high"]);
      }
    },
  );

  it.each([Number.NaN, Infinity, -5])("[BS7] an offer of %d tokens is none", tokens => {
    const broken: BudgetItem = { id: "a", priority: 1, offers: [{ level: 0, tokens, retention: 1 }] };
    expect(selectLevels([broken], 1000).choices[0]!.reason).toBe("no-offer");
  });

  it.each([0, -10, Number.NaN])("[BS1] a budget of %d takes only what costs nothing", budget => {
    const { choices, tokens } = selectLevels([item("a", [10]), item("free", [0])], budget);
    expect(tokens).toBe(0);
    expect(choices.map(({ level }) => level)).toEqual([undefined, 0]);
  });

  it("[BS1] fractions of tokens are rounded up", () => {
    expect(selectLevels([item("a", [99.5])], 99).choices[0]!.level).toBeUndefined();
    expect(selectLevels([item("a", [99.5])], 100).tokens).toBe(100);
  });

  it("[BS4] the same items give the same answer, and order breaks no tie by chance", () => {
    fc.assert(
      fc.property(someItems(50), fc.nat(900), (items, budget) => {
        expect(selectLevels(items, budget)).toEqual(selectLevels(structuredClone(items), budget));
      }),
    );
  });

  it("[BS3] equal items in great number are no trouble", () => {
    const items = Array.from({ length: 40 }, (_, at) => item(`A${at}`, [997, 501, 251, 127]));
    const { tokens } = selectLevels(items, 17_011);
    expect(tokens).toBeLessThanOrEqual(17_011);
    expect(tokens).toBeGreaterThan(16_000);
  });

  it("[BS8] sets floors aside first, then lets what is near choose before what is far", () => {
    const sizes = [1000, 500, 300, 100];
    const { choices, tokens } = selectLevels(
      [
        item("far", sizes, { distance: 2, priority: 1, floor: 2 }),
        item("near", sizes, { distance: 0, priority: 0.1, floor: 1 }),
        item("middle", sizes, { distance: 1, priority: 0.9 }),
        item("critical", sizes, { critical: true, priority: 0.1 }),
      ],
      2300,
    );
    expect(choices.map(({ level }) => level)).toEqual([3, 0, 3, 0]);
    expect(tokens).toBe(2200);
    // Floors that do not all fit: the lower ones do.
    const few = selectLevels(
      ["b", "a"].map((id, at) => item(id, [900, 400, 200, 150], { floor: 2 - at, priority: 1 - at / 2 })),
      160,
    );
    expect(few.choices.map(({ level }) => level)).toEqual([undefined, 3]);
  });

  it("[BS1] [BS8] never costs more than the budget with floors and distances, and gives every floor that fits", () => {
    const extras = fc.record({ distance: fc.nat(4), floor: fc.option(fc.nat(3), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(anItem, extras), { maxLength: 40 }), fc.nat(1500), (given, budget) => {
        const items = given.map(
          ([one, { distance, floor }], at): BudgetItem => ({
            ...one,
            id: `I${at}`,
            distance,
            ...(floor === undefined ? {} : { floor }),
          }),
        );
        const { choices, tokens } = selectLevels(items, budget);
        expect(tokens).toBeLessThanOrEqual(budget);
        expect(choices.reduce((sum, choice) => sum + choice.tokens, 0)).toBe(tokens);
        const usable = (one: BudgetItem) => one.offers.filter(({ level }) => level >= (one.finest ?? 0));
        const { standsIn } = withoutRepeats(items);
        const floors = items.filter(
          (one, at) => one.floor !== undefined && usable(one).length > 0 && !standsIn.has(at),
        );
        const least = floors.map(one => Math.min(...usable(one).map(offer => offer.tokens)));
        const all = least.reduce((sum, one) => sum + one, 0) <= budget;
        const left = floors.filter(({ id }) => choices.find(one => one.id === id)?.level === undefined);
        expect(all ? left : []).toEqual([]);
      }),
      { numRuns: 800 },
    );
  });
});
