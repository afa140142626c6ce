import { describe, expect, it } from "vitest";
import { createSpendLedger, packageSpend, spentBy, usageTogether } from "../../src/engine/spent.ts";
import { createSpending, freshRun } from "../../src/run/index.ts";
import { hash, plan, rules, task } from "../run/build.ts";

describe("what an attempt took", () => {
  const prices = { claude: { input: 3, output: 15 }, default: { input: 1, output: 1 } };

  it.each([
    [
      "what it reported",
      { agent: "claude", usage: { inputTokens: 1000, outputTokens: 100 }, estimate: 5 },
      { tokens: 1100, cost: 0.0045 },
    ],
    [
      "its own cost",
      { agent: "claude", usage: { inputTokens: 1000, costUsd: 2 } },
      { tokens: 1000, cost: 2 },
    ],
    [
      "its package, where it reports nothing",
      { agent: "x", estimate: 2_000_000 },
      { tokens: 2_000_000, cost: 2 },
    ],
    [
      "its package, where it reports only its window",
      { agent: "x", usage: { contextUsed: 5 }, estimate: 100 },
      { tokens: 100, cost: 0.0001 },
    ],
    ["nothing, where only the shell read it", { agent: "shell", estimate: 100 }, { tokens: 0, cost: 0 }],
    ["nothing, where nobody knows", { agent: "shell" }, undefined],
    ["only its cost", { agent: "x", usage: { costUsd: 1 } }, { tokens: 0, cost: 1 }],
  ])("is %s", (_what, row, spent) => {
    expect(spentBy(row, prices)).toEqual(spent);
  });

  it("has no cost without a price", () => {
    expect(spentBy({ agent: "claude", usage: { inputTokens: 10 } })).toEqual({ tokens: 10 });
  });
});

describe("what several agents took together", () => {
  const prices = { claude: { input: 1, output: 0 }, codex: { input: 10, output: 0 } };
  const usage = (inputTokens: number) => ({ inputTokens });

  it("[E123] is the sum, each at its own price", () => {
    const both = usageTogether(
      [
        { agent: "claude", usage: usage(1_000_000), estimate: 500 },
        { agent: "codex", usage: usage(2_000_000), estimate: 500 },
      ],
      prices,
    );
    expect(both).toEqual({ usage: { inputTokens: 3_000_000, costUsd: 21 }, estimate: 0 });
    expect(spentBy({ agent: "claude", ...both }, prices)).toEqual({ tokens: 3_000_000, cost: 21 });
  });

  it("[E123] counts who reported nothing with its estimate, and all of them where nobody did", () => {
    const silent = { agent: "claude", estimate: 1_000_000 };
    const told = [silent, { agent: "codex", usage: usage(5), estimate: 9 }];
    expect(usageTogether(told).usage).toEqual({ inputTokens: 1_000_005 });
    expect(usageTogether([{ ...silent, usage: { contextUsed: 7 } }, told[1]!]).usage).toMatchObject({
      inputTokens: 1_000_005,
    });
    expect(usageTogether([silent, silent])).toEqual({ estimate: 2_000_000 });
  });

  it("[E123] is of one alone what that one told", () => {
    const one = { agent: "claude", usage: usage(5), estimate: 9 };
    expect(usageTogether([one], prices)).toEqual({ usage: { inputTokens: 5 }, estimate: 9 });
  });
});

describe("the ledger of packages", () => {
  function started(maxTokens: number | undefined, parallel: number) {
    const run = freshRun(
      plan(task("T1.1"), task("T1.2"), task("T1.3")),
      { policy: rules({ parallel }) },
      hash,
    );
    run.spending = createSpending({ maxTokens }, []);
    return { run, ledger: createSpendLedger(run) };
  }
  const promise = (run: ReturnType<typeof started>["run"], ...ids: readonly string[]) => {
    for (const id of ids) run.spending!.promised.set(id, { attempt: 1, tokens: 0, cost: 0 });
  };

  it("lets packages go that fit beside each other, and no more", () => {
    const { run, ledger } = started(1000, 3);
    promise(run, "T1.1", "T1.2", "T1.3");
    expect(ledger.refuses("T1.1", { tokens: 600 })).toBeUndefined();
    expect(ledger.refuses("T1.2", { tokens: 400 })).toBeUndefined();
    expect(ledger.refuses("T1.3", { tokens: 1 })).toMatchObject({ tokens: 1 });
  });

  it("has room again when one has ended", () => {
    const { run, ledger } = started(1000, 2);
    promise(run, "T1.1", "T1.2");
    ledger.refuses("T1.1", { tokens: 900 });
    expect(ledger.refuses("T1.2", { tokens: 200 })).toBeDefined();
    ledger.end("T1.1");
    run.spending!.promised.delete("T1.1");
    expect(ledger.refuses("T1.2", { tokens: 200 })).toBeUndefined();
  });

  it("counts what is spent already", () => {
    const { run, ledger } = started(1000, 1);
    run.spending!.tokens = 950;
    expect(ledger.refuses("T1.1", { tokens: 51 })).toBeDefined();
    expect(ledger.refuses("T1.1", { tokens: 50 })).toBeUndefined();
  });

  it("holds what packages cost to the limit of money, beside each other", () => {
    const { run, ledger } = started(undefined, 2);
    run.spending = createSpending({ maxCost: 1 }, [{ tokens: 10, cost: 0.25 }]);
    promise(run, "T1.1", "T1.2");
    expect(
      ledger.refuses("T1.1", packageSpend(100_000, "claude", { claude: { input: 5, output: 25 } })),
    ).toBe(undefined);
    expect(ledger.refuses("T1.2", { tokens: 60_000, cost: 0.3 })).toMatchObject({ cost: 0.3 });
    expect(ledger.refuses("T1.2", { tokens: 60_000, cost: 0.25 })).toBeUndefined();
    expect(packageSpend(100, "nobody")).toEqual({ tokens: 100 });
  });

  it("never refuses where there is no limit", () => {
    const { run, ledger } = started(undefined, 1);
    expect(ledger.refuses("T1.1", { tokens: 1e12, cost: 1e6 })).toBeUndefined();
    run.spending = undefined;
    expect(ledger.refuses("T1.1", { tokens: 1e12, cost: 1e6 })).toBeUndefined();
  });
});
