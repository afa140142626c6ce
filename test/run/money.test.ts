import { describe, expect, it } from "vitest";
import { createSpending, expectSpend, freshRun, nextAnswer } from "../../src/run/index.ts";
import { agentSaid, inEnglish, told } from "../reasons.ts";
import { Bench, dispatched, hash, plan, rules, task } from "./build.ts";

// What holds of tokens holds of money: the same budgets, in dollars.

type Limits = Parameters<typeof createSpending>[0];

function bench(
  count: number,
  limits: Limits,
  parallel = 1,
  before: Parameters<typeof createSpending>[1] = [],
): Bench {
  const tasks = Array.from({ length: count }, (_, at) => task(`T1.${at + 1}`));
  const run = freshRun(plan(...tasks), { policy: rules({ parallel }) }, hash);
  run.spending = createSpending(limits, before);
  const made = new Bench(run);
  made.start();
  return made;
}

function end(on: Bench, id: string, cost: number | undefined, tokens = 0) {
  return on.send({
    type: "attempt-ended",
    task: id,
    attempt: on.state(id).attempts,
    outcome: { kind: "done", verified: false, textHash: "" },
    spent: { tokens, cost },
    ms: 1,
    now: on.now,
  });
}

const warnings = (out: ReturnType<typeof end>): string[] =>
  out.events.flatMap(event => (event.type === "warning" ? [inEnglish(event.message)] : []));

describe("a budget in money", () => {
  it("[RU6] begins what fits exactly, and no more", () => {
    const run = bench(4, { maxCost: 3 });
    end(run, "T1.1", 1);
    end(run, "T1.2", 1);
    expect(run.status("T1.3")).toBe("in_progress");
    expect(dispatched(end(run, "T1.3", 1))).toEqual([]);
    expect(run.run.ended?.outcome).toBe("waiting");
  });

  it("[RU6] counts what running ones are expected to take, and what each that begins with them is", () => {
    const run = bench(6, { maxCost: 3.5 }, 4, [{ tokens: 0, cost: 1 }]);
    expect(run.running()).toEqual(["T1.1", "T1.2"]);
    end(run, "T1.1", 1);
    expect(run.running()).toEqual(["T1.2"]);
    expect(run.run.ended).toBeUndefined();
    end(run, "T1.2", 1);
    expect(run.run.ended?.outcome).toBe("waiting");
  });

  it("[RU6] expects the mean of attempts that took something", () => {
    const run = bench(9, { maxCost: 10 }, 1, [
      { tokens: 0, cost: 1 },
      { tokens: 0, cost: 3 },
      { tokens: 0, cost: 0 },
      { tokens: 0 },
      { tokens: -5, cost: -5 },
    ]);
    expect(run.run.spending).toMatchObject({ cost: 4, attempts: { count: 2, cost: 4 } });
    expect(run.run.spending?.promised.get("T1.1")).toEqual({ attempt: 1, tokens: 0, cost: 2 });
  });

  it("[RU6] expects no less of a task than its package takes, for each agent that works on it", () => {
    const pair = task("T1.2", { text: "two" });
    const resources = {
      caps: new Map<string, number>(),
      agentsOf: (one: { readonly id: string }) => (one.id === "T1.2" ? ["a", "b"] : ["a"]),
    };
    const run = freshRun(plan(task("T1.1"), pair), { policy: rules({ parallel: 4, resources }) }, hash);
    run.spending = createSpending({ maxCost: 100, maxTokens: 100_000 }, [{ tokens: 10, cost: 1 }]);
    expectSpend(run, "T1.2", { tokens: 25, cost: 2 });
    new Bench(run).start();
    expect(Object.fromEntries(run.spending.promised)).toEqual({
      "T1.1": { attempt: 1, tokens: 10, cost: 1 },
      "T1.2": { attempt: 1, tokens: 50, cost: 4 },
    });
  });

  it("[RT3] [RT4] offers a lead as many tasks as it has room for, and names what the rest would take", () => {
    const tasks = ["T1.1", "T1.2", "T1.3", "T1.4"].map(id => task(id));
    const run = freshRun(plan(...tasks), { policy: rules({ parallel: 4, advance: "asked" }) }, hash);
    run.spending = createSpending({ maxCost: 4 }, [{ tokens: 0, cost: 1 }]);
    const made = new Bench(run);
    made.start();
    expect(nextAnswer(run)).toBe("READY:T1.1,T1.2,T1.3|T1.4");
    expectSpend(run, "T1.2", { tokens: 0, cost: 1.5 });
    expect(nextAnswer(run)).toBe("READY:T1.1,T1.2|T1.3+1");
    expectSpend(run, "T1.1", { tokens: 0, cost: 9 });
    expect(nextAnswer(run)).toBe(
      "STOP:BUDGET:4 tasks remain, about 0 tokens more, $12.50; go on with --max-cost 14.50",
    );
  });

  it("[RU6] says what remains by the packages that are known, where nothing was taken yet", () => {
    const run = bench(3, { maxCost: 1 });
    run.send({
      type: "attempt-ended",
      task: "T1.1",
      attempt: 1,
      outcome: { kind: "unaffordable", tokens: 40, cost: 1.2, reason: agentSaid("no room") },
      ms: 0,
      now: run.now,
    });
    expect(run.run.ended?.reason).toEqual(
      told(
        "budget reached: $0.00 of $1.00 used; 3 tasks remain, about 120 tokens more, $3.60; go on with --max-cost 3.78",
      ),
    );
  });

  it.each([0.333_333, 0.1, 0.004])(
    "[RU6] names the limit to go on with in whole cents, never too few: %d each",
    each => {
      const run = bench(3, { maxCost: each }, 1, [{ tokens: 1, cost: each }]);
      const reason = inEnglish(run.run.ended?.reason);
      expect(reason).toContain("3 tasks remain");
      const limit = Number(/--max-cost (\d+\.\d\d)$/.exec(reason)?.[1]);
      expect(limit).toBeGreaterThanOrEqual(5 * each - 1e-9);
      expect(limit).toBeLessThan(5 * each + 0.01);
    },
  );

  it("[RU6] a limit of nothing begins nothing", () => {
    for (const limits of [{ maxCost: 0 }, { maxTokens: 0 }]) {
      const run = bench(2, limits, 1, [{ tokens: 1, cost: 1 }]);
      expect(run.run.ended?.outcome).toBe("waiting");
      expect(run.run.spending?.standing).toHaveLength(3);
    }
  });

  it("[RU7] tells each mark once, in money", () => {
    const run = bench(5, { maxCost: 10 });
    expect(warnings(end(run, "T1.1", 6.9))).toEqual([]);
    const later = bench(5, { maxCost: 10, maxTokens: 1_000_000 }, 5);
    expect(warnings(end(later, "T1.1", 7))).toEqual([
      "70 % of the run's budget is used: 0 of 1,000,000 tokens, $7.00 of $10.00",
    ]);
    expect(warnings(end(later, "T1.2", 0.9))).toEqual([]);
    expect(warnings(end(later, "T1.3", 1.2)).map(text => text.slice(0, 4))).toEqual(["80 %", "90 %"]);
  });

  it("[RU8] tells who took the run beyond its budget, in what is limited", () => {
    const money = bench(3, { maxCost: 1 }, 3);
    expect(warnings(end(money, "T1.1", 1)).filter(text => text.includes("over"))).toEqual([]);
    expect(warnings(end(money, "T1.2", 0.5, 70))).toEqual([
      "T1.2#1 took $0.50: the run is over its budget, $1.50 of $1.00",
    ]);
    expect(warnings(end(money, "T1.3", 0.5))).toEqual([]);
    const tokens = bench(3, { maxTokens: 100 }, 3);
    expect(warnings(end(tokens, "T1.1", 9, 101)).at(-1)).toBe(
      "T1.1#1 took 101 tokens: the run is over its budget, 101 of 100 tokens",
    );
    const model = bench(1, { maxCost: 1 });
    const charged = model.send({ type: "charge", spent: { tokens: 5, cost: 1.25 }, now: model.now });
    expect(warnings(charged).at(-1)).toMatch(/took \$1\.25.*\$1\.25 of \$1\.00$/);
    expect(charged.events.at(-1)).not.toHaveProperty("task");
  });

  it("[RU9] a lead is refused a claim by what is limited", () => {
    const run = freshRun(
      plan(task("T1.1"), task("T1.2")),
      { policy: rules({ parallel: 2, advance: "asked" }) },
      hash,
    );
    run.spending = createSpending({ maxCost: 1 }, [{ tokens: 0, cost: 0.9 }]);
    const made = new Bench(run);
    made.start();
    expect(inEnglish(made.send({ type: "claim", task: "T1.1", now: 1 }).refused)).toBe(
      "budget reached: $0.90 of $1.00 used; 2 tasks remain, about 0 tokens more, $1.80; go on with --max-cost 3.60",
    );
  });
});
