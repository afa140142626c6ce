import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  byAgent,
  costOf,
  createTracker,
  estimatedCost,
  finestLevel,
  listPrice,
  mayCompressAgain,
  passThresholds,
  priceOf,
  refusalOf,
  shareUsed,
  type ThresholdName,
  tokensOf,
  track,
} from "../../src/budget/index.ts";
import { readConfig } from "../../src/config/index.ts";

const call = (attempt: string, inputTokens: number, agent = "02") => ({
  agent,
  attempt,
  usage: { inputTokens },
});

describe("list prices", () => {
  it.each([
    ["claude-opus-5-5", 4],
    ["anthropic/claude-opus-5-5[1m]", 4],
    ["claude-opus-5", 5],
    ["claude-opus-4-20250514", 15],
    ["claude-haiku-4-5-20251001", 1],
    ["GPT-5.6-Terra", 2],
    ["openai/gpt-5-codex", 1.25],
    ["gpt-5.4-mini", 0.75],
    ["gemini-3.1-pro-preview", 2],
  ])("[BT9] a model is known by its longest name: %s", (model, input) => {
    expect(listPrice(model)?.input).toBe(input);
  });

  it("[BT9] what is not listed has none", () => {
    for (const model of ["", "opus", "gpt-5.9", "gpt-50", "claude-opus-55", "my-claude-opus-5", "__proto__"])
      expect(listPrice(model)).toBeUndefined();
  });

  it("[BT9] the configuration goes before them, by agent and by model", () => {
    const prices = (text: string) => {
      const read = readConfig(text);
      return read.ok ? read.value.budget.prices : undefined;
    };
    const agents =
      "agents: { codex: { model: gpt-5.6-sol }, gemini: {}, mine: { command: x, model: own } }\n";
    expect(prices(agents)).toEqual({ codex: { input: 5, output: 30, cached: 0.5 } });
    const given =
      "budget: { prices: { gpt-5.6-sol: { input: 1, output: 2 }, own: { input: 3, output: 4 } } }\n";
    expect(prices(`${agents}${given}`)).toMatchObject({ codex: { input: 1 }, mine: { input: 3 } });
    const named =
      "budget: { prices: { codex: { input: 7, output: 8 }, default: { input: 9, output: 9 } } }\n";
    expect(prices(`${agents}${named}`)).toMatchObject({ codex: { input: 7 }, default: { input: 9 } });
  });
});

describe("tracker", () => {
  it("[BT1] counts an agent that runs twice twice", () => {
    const tracker = createTracker(150_000);
    track(tracker, call("T1#1", 8200));
    track(tracker, call("T1#2", 1000));
    track(tracker, call("T2#1", 500, "05"));
    expect(tracker.used).toBe(9700);
    expect(byAgent(tracker)).toEqual([
      { agent: "02", tokens: 9200, cost: undefined, calls: 2 },
      { agent: "05", tokens: 500, cost: undefined, calls: 1 },
    ]);
  });

  it("[BT1] a report replaces the estimate of its attempt, and the report before it", () => {
    const tracker = createTracker(1000);
    track(tracker, { agent: "02", attempt: "T1#1", estimate: 700 });
    expect(tracker.used).toBe(700);
    track(tracker, {
      agent: "02",
      attempt: "T1#1",
      estimate: 700,
      usage: { inputTokens: 300, outputTokens: 20 },
    });
    expect(tracker.used).toBe(320);
    track(tracker, { agent: "02", attempt: "T1#1", usage: { inputTokens: 400, outputTokens: 30 } });
    expect(tracker.used).toBe(430);
    expect(tracker.calls.size).toBe(1);
  });

  it("[BT1] the sum is always that of the calls, whatever comes", () => {
    const calls = fc.array(
      fc.record(
        {
          agent: fc.constantFrom("02", "05", "x"),
          attempt: fc.constantFrom("a", "b", "c", "d"),
          estimate: fc.oneof(fc.nat(5000), fc.double()),
          usage: fc.record(
            { inputTokens: fc.nat(5000), outputTokens: fc.nat(500), costUsd: fc.nat(3) },
            { requiredKeys: [] },
          ),
        },
        { requiredKeys: ["agent", "attempt"] },
      ),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(calls, list => {
        const tracker = createTracker(10_000, { "02": { input: 3, output: 15 } });
        for (const one of list) track(tracker, one);
        const totals = byAgent(tracker);
        expect(tracker.used).toBeCloseTo(
          totals.reduce((sum, { tokens }) => sum + tokens, 0),
          3,
        );
        expect(tracker.cost).toBeCloseTo(
          totals.reduce((sum, { cost }) => sum + (cost ?? 0), 0),
          2,
        );
        expect(Number.isFinite(tracker.used)).toBe(true);
        expect(tracker.unpriced).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it("[BT1] counts what is no amount as not reported", () => {
    const { NaN: none } = Number;
    const tracker = createTracker(100, { a: { input: 1, output: 1 } });
    track(tracker, { agent: "a", attempt: "1", usage: { inputTokens: 10, costUsd: 0.5 } });
    track(tracker, {
      agent: "a",
      attempt: "2",
      usage: { inputTokens: none, outputTokens: -4, costUsd: none },
    });
    track(tracker, { agent: "a", attempt: "3", usage: { outputTokens: 1e300 } });
    track(tracker, { agent: "a", attempt: "3", usage: { outputTokens: 20, costUsd: 0.25 } });
    expect([tracker.used, tracker.cost]).toEqual([30, 0.75]);
    expect(shareUsed(createTracker(none))).toBe(1);
  });

  it("[BT1] learns how far an agent's estimates are off", () => {
    const tracker = createTracker(10_000_000);
    for (let at = 0; at < 40; at++)
      track(tracker, { agent: "02", attempt: `T${at}#1`, estimate: 1000, usage: { inputTokens: 1500 } });
    expect(tracker.calibrations.get("02")?.factor).toBeCloseTo(1.5, 1);
    const before = tracker.used;
    track(tracker, { agent: "02", attempt: "T99#1", estimate: 1000 });
    expect(tracker.used - before).toBeGreaterThan(1400);
    track(tracker, { agent: "05", attempt: "T98#1", estimate: 1000 });
    expect(tracker.calibrations.has("05")).toBe(false);
  });

  it("[BT1] learns from the first report of an attempt only, however often it is repeated", () => {
    const tracker = createTracker(10_000_000);
    const told = { agent: "02", attempt: "T1#1", estimate: 1000, usage: { inputTokens: 1500 } };
    track(tracker, told);
    const once = tracker.calibrations.get("02");
    for (let again = 0; again < 10; again++) track(tracker, told);
    expect(tracker.calibrations.get("02")).toEqual(once);
    expect(once?.samples).toBe(1);
  });

  it("[BT2] fires each threshold once", () => {
    const tracker = createTracker(1000);
    const fired = [600, 100, 50, 60, 100, 500].map(
      (tokens, at) => track(tracker, call(`T${at}#1`, tokens)).fired,
    );
    expect(fired).toEqual([[], ["warn"], [], ["compress"], ["stop"], []]);
  });

  it("[BT2] passes several at once in their order", () => {
    expect(track(createTracker(1000), call("T1#1", 950)).fired).toEqual(["warn", "compress", "stop"]);
  });

  it("[BT2] fires again only after usage fell well below", () => {
    let standing: readonly ThresholdName[] = [];
    const seen = [0.81, 0.79, 0.82, 0.74, 0.81].map(share => {
      const step = passThresholds(standing, share, [{ name: "compress", at: 0.8 }]);
      ({ standing } = step);
      return [...step.fired, ...step.cleared.map(name => `-${name}`)].join();
    });
    expect(seen).toEqual(["compress", "", "", "-compress", "compress"]);
  });

  it("[BT2] never fires twice without clearing between", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), { maxLength: 60 }), shares => {
        let standing: readonly ThresholdName[] = [];
        const open = new Set<ThresholdName>();
        for (const share of shares) {
          const step = passThresholds(standing, share);
          ({ standing } = step);
          for (const name of step.fired) {
            expect(open.has(name)).toBe(false);
            open.add(name);
          }
          for (const name of step.cleared) open.delete(name);
          expect(new Set(standing)).toEqual(open);
        }
      }),
    );
  });

  it("[BT3] restricts later outputs to level 2 from 80 % on", () => {
    const tracker = createTracker(1000);
    track(tracker, call("T1#1", 799));
    expect(finestLevel(tracker)).toBe(0);
    track(tracker, call("T2#1", 1));
    expect(finestLevel(tracker)).toBe(2);
  });

  it("[BT3] a budget of nothing is used up", () => {
    expect(shareUsed(createTracker(0))).toBe(1);
    expect(shareUsed(createTracker(-5))).toBe(1);
  });

  it.each([
    [1000, 940, true],
    [1000, 950, true],
    [1000, 951, false],
    [1000, 1200, false],
    [0, 0, false],
  ])("[BT4] from %i to %i: again %s", (before, after, again) => {
    expect(mayCompressAgain(before, after)).toBe(again);
  });
});

describe("money", () => {
  const price = { input: 3, output: 15 };

  it("[BT5] is what the agent reported, else by price, else unknown", () => {
    expect(costOf({ inputTokens: 1_000_000, costUsd: 0.5 }, price)).toBe(0.5);
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 100_000 }, price)).toBeCloseTo(4.5);
    expect(costOf({ inputTokens: 1_000_000 }, undefined)).toBeUndefined();
  });

  it("[BT5] cached tokens cost a tenth, or what the price says", () => {
    const usage = { inputTokens: 1_000_000, cachedTokens: 900_000 };
    expect(costOf(usage, price)).toBeCloseTo(0.3 + 0.27);
    expect(costOf(usage, { ...price, cached: 1 })).toBeCloseTo(0.3 + 0.9);
    expect(costOf({ inputTokens: 10, cachedTokens: 900_000 }, { ...price, cached: 0 })).toBe(0);
  });

  it("[BT5] finds the agent's price, or the default", () => {
    const prices = { claude: price, default: { input: 1, output: 2 } };
    expect(priceOf(prices, "claude")).toBe(price);
    expect(priceOf(prices, "gemini")?.input).toBe(1);
    expect(priceOf({}, "gemini")).toBeUndefined();
    expect(priceOf({}, "constructor")).toBeUndefined();
    expect(priceOf({ claude: price }, "__proto__")).toBeUndefined();
  });

  it("[BT5] estimates before and adds what went in and out", () => {
    expect(estimatedCost(1_000_000, 0, price)).toBe(3);
    expect(tokensOf({ inputTokens: 5, outputTokens: 7, cachedTokens: 3 })).toBe(12);
    expect(tokensOf({})).toBe(0);
  });
});

describe("limits", () => {
  it("[BT6] lets an attempt go that fits exactly", () => {
    expect(
      refusalOf({ maxTokens: 1000 }, { tokens: 600, cost: 0 }, { tokens: 400, cost: undefined }),
    ).toBeUndefined();
    expect(refusalOf({}, { tokens: 1e9, cost: 1e9 }, { tokens: 1e9, cost: 1e9 })).toBeUndefined();
  });

  it("[BT6] refuses what would pass a limit, and says which", () => {
    expect(
      refusalOf({ maxTokens: 1000 }, { tokens: 600, cost: 0 }, { tokens: 401, cost: undefined }),
    ).toEqual({
      limit: "tokens",
      used: 600,
      needed: 401,
      most: 1000,
    });
    expect(refusalOf({ maxCost: 1 }, { tokens: 0, cost: 0.9 }, { tokens: 0, cost: 0.2 })?.limit).toBe("cost");
  });

  it("[BT6] refuses everything once a limit is reached, even what costs nothing known", () => {
    expect(
      refusalOf({ maxTokens: 1000 }, { tokens: 1000, cost: 0 }, { tokens: 0, cost: undefined })?.limit,
    ).toBe("tokens");
    expect(refusalOf({ maxCost: 2 }, { tokens: 0, cost: 2 }, { tokens: 0, cost: undefined })?.limit).toBe(
      "cost",
    );
  });
});
