import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSpending, expectSpend, freshRun, nextAnswer } from "../../src/run/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { agentSaid, inEnglish, told } from "../reasons.ts";
import { Bench, dispatched, hash, plan, rules, task } from "./build.ts";

/** A run of independent tasks that may take so much. */
function bench(
  count: number,
  limits: { maxTokens?: number; maxCost?: number },
  parallel = 1,
  before: readonly { tokens: number; cost?: number }[] = [],
): Bench {
  const tasks = Array.from({ length: count }, (_, at) => task(`T1.${at + 1}`));
  const run = freshRun(plan(...tasks), { policy: rules({ parallel, maxAttempts: 2 }) }, hash);
  run.spending = createSpending(limits, before);
  const made = new Bench(run);
  made.start();
  return made;
}

function end(
  on: Bench,
  id: string,
  tokens: number | undefined,
  cost?: number,
  kind: "done" | "failed" = "done",
) {
  const outcome = kind === "done" ? { kind, verified: false, textHash: "" } : { kind, reason: told("no") };
  const spent = tokens === undefined ? undefined : { tokens, cost };
  const attempt = on.run.byId.get(id)!.attempts;
  return on.send({ type: "attempt-ended", task: id, attempt, outcome, spent, ms: 1, now: on.now });
}

describe("a run's budget", () => {
  it("[RU6] begins no attempt that would pass it, and says what remains", () => {
    const run = bench(5, { maxTokens: 250 });
    end(run, "T1.1", 100);
    expect(dispatched(end(run, "T1.2", 100))).toEqual([]);
    expect(run.run.ended).toEqual({
      outcome: "waiting",
      reason: told(
        "budget reached: 200 of 250 tokens used; 3 tasks remain, about 300 tokens more; go on with --max-tokens 600",
      ),
    });
    expect(run.status("T1.3")).toBe("ready");
  });

  it("[RU6] begins what fits exactly", () => {
    const run = bench(3, { maxTokens: 300 });
    end(run, "T1.1", 100);
    end(run, "T1.2", 100);
    expect(run.status("T1.3")).toBe("in_progress");
    end(run, "T1.3", 100);
    expect(run.run.ended?.outcome).toBe("completed");
  });

  it("[RU6] lets running ones finish, and counts what they are expected to take", () => {
    const run = bench(6, { maxTokens: 350 }, 3, [{ tokens: 100 }]);
    expect([...run.run.running].map(({ task: { id } }) => id)).toEqual(["T1.1", "T1.2"]);
    expect(run.run.ended).toBeUndefined();
    end(run, "T1.1", 100);
    expect(run.run.ended).toBeUndefined();
    expect(run.run.running.size).toBe(1);
    end(run, "T1.2", 100);
    expect(run.run.ended?.outcome).toBe("waiting");
  });

  it("[RU6] goes on when running ones took less than expected", () => {
    const run = bench(4, { maxTokens: 350 }, 3, [{ tokens: 100 }]);
    expect(run.run.running.size).toBe(2);
    end(run, "T1.1", 10);
    expect(run.run.running.size).toBeGreaterThan(1);
  });

  it("[RU6] an exhausted budget begins nothing at resume, a raised one goes on", () => {
    expect(bench(2, { maxTokens: 100 }, 1, [{ tokens: 100 }]).run.ended?.outcome).toBe("waiting");
    expect(bench(2, { maxTokens: 300 }, 1, [{ tokens: 100 }]).run.running.size).toBe(1);
  });

  it("[RU6] knows nothing before the first report, and asks for nothing then", () => {
    const run = bench(3, { maxTokens: 10 }, 2);
    expect(run.run.running.size).toBe(2);
    end(run, "T1.1", undefined);
    expect(run.run.running.size).toBe(2);
    end(run, "T1.2", undefined);
    end(run, "T1.3", undefined);
    expect(run.run.ended?.outcome).toBe("completed");
  });

  it("[RU6] holds money to its limit as well", () => {
    const run = bench(4, { maxCost: 1 });
    end(run, "T1.1", 1000, 0.6);
    expect(run.run.ended?.reason).toEqual(
      told(
        "budget reached: $0.60 of $1.00 used; 3 tasks remain, about 3,000 tokens more, $1.80; go on with --max-cost 3.00",
      ),
    );
  });

  it("[RU6] a retry needs budget too", () => {
    const run = bench(1, { maxTokens: 150 });
    end(run, "T1.1", 100, undefined, "failed");
    expect(run.status("T1.1")).toBe("ready");
    expect(run.run.ended?.outcome).toBe("waiting");
  });

  it("[RU7] counts what a failed or late attempt took", () => {
    const run = bench(2, { maxTokens: 1000 });
    end(run, "T1.1", 100, undefined, "failed");
    run.send({
      type: "attempt-ended",
      task: "T1.1",
      attempt: 1,
      outcome: { kind: "cancelled" },
      spent: { tokens: 50 },
      ms: 1,
      now: run.now,
    });
    expect(run.run.spending?.tokens).toBe(150);
  });

  it("[RU7] a late report leaves alone what the newer attempt is expected to take, and tells nothing of nothing", () => {
    const run = bench(2, { maxTokens: 1000 }, 1, [{ tokens: 100 }]);
    end(run, "T1.1", 100, undefined, "failed");
    const late = {
      type: "attempt-ended",
      task: "T1.1",
      attempt: 1,
      outcome: { kind: "cancelled" },
      ms: 1,
      now: run.now,
    } as const;
    expect(run.send(late).events).toEqual([]);
    expect(run.run.spending?.promised.get("T1.1")).toEqual({ attempt: 2, tokens: 100, cost: 0 });
    expect(end(run, "T1.1", undefined).events.map(({ type }) => type)).toEqual(["completed", "dispatched"]);
    expect([...run.run.spending!.promised.keys()]).toEqual(["T1.2"]);
  });

  it("[RU8] tells who took the run beyond its budget, once", () => {
    const run = bench(3, { maxTokens: 1000, maxCost: 5 }, 2);
    const over = (id: string) =>
      end(run, id, 900, 1).events.filter(event => event.type === "warning" && event.code === "OVER_BUDGET");
    expect(over("T1.1")).toEqual([]);
    expect(over("T1.2")).toEqual([
      {
        type: "warning",
        code: "OVER_BUDGET",
        task: "T1.2",
        message: told(
          "T1.2#1 took 900 tokens, $1.00: the run is over its budget, 1,800 of 1,000 tokens, $2.00 of $5.00",
        ),
      },
    ]);
  });

  it("[RU8] tells it of a model as well", () => {
    const run = bench(1, { maxTokens: 1000 });
    const charge = () => run.send({ type: "charge", spent: { tokens: 800 }, now: run.now }).events;
    charge();
    expect(charge().map(event => event.type === "warning" && event.code)).toContain("OVER_BUDGET");
    expect(charge().map(event => event.type === "warning" && event.code)).not.toContain("OVER_BUDGET");
  });

  it("[RU6] takes up what was charged before, without expecting it of the next attempt", () => {
    const spending = createSpending({ maxTokens: 1000 }, [{ tokens: 100 }], [{ tokens: 300, cost: 2 }]);
    expect(spending).toMatchObject({ tokens: 400, cost: 2, attempts: { count: 1, tokens: 100 } });
  });

  it("[RU9] refuses a lead's claim that would pass it, and asks again the next time", () => {
    const tasks = ["T1.1", "T1.2", "T1.3"].map(id => task(id));
    const run = freshRun(plan(...tasks), { policy: rules({ parallel: 3, advance: "asked" }) }, hash);
    run.spending = createSpending({ maxTokens: 300 }, [{ tokens: 100 }]);
    const made = new Bench(run);
    made.start();
    expect(made.send({ type: "claim", task: "T1.1", now: 1 }).refused).toBeUndefined();
    expect(made.send({ type: "claim", task: "T1.2", now: 2 }).refused).toBeUndefined();
    const refused = made.send({ type: "claim", task: "T1.3", now: 3 });
    expect(inEnglish(refused.refused)).toMatch(/^budget reached: 100 of 300 tokens used; 3 tasks remain/);
    expect(refused.commands).toEqual([]);
    end(made, "T1.1", 10);
    expect(made.run.ended).toBeUndefined();
    expect(made.send({ type: "claim", task: "T1.3", now: 4 }).refused).toBeUndefined();
  });

  it("[RT3] a lead is offered as many tasks as the budget has room for together, each at what its package takes", () => {
    const tasks = ["T1.1", "T1.2", "T1.3", "T1.4"].map(id => task(id));
    const run = freshRun(plan(...tasks), { policy: rules({ parallel: 4, advance: "asked" }) }, hash);
    run.spending = createSpending({ maxTokens: 400 }, [{ tokens: 100 }]);
    const made = new Bench(run);
    made.start();
    expect(nextAnswer(run)).toBe("READY:T1.1,T1.2,T1.3|T1.4");
    expectSpend(run, "T1.2", { tokens: 150 });
    expect(nextAnswer(run)).toBe("READY:T1.1,T1.2|T1.3+1");
    for (const id of ["T1.1", "T1.2"])
      expect(made.send({ type: "claim", task: id, now: 1 }).refused).toBeUndefined();
    // Those that run may take less than they are expected to.
    expect(nextAnswer(run)).toBe("WAIT:T1.1,T1.2");
    expect(inEnglish(made.send({ type: "claim", task: "T1.3", now: 2 }).refused)).toContain("budget reached");
  });

  it("[RT4] a lead is told in one short line that the budget ends the run, and what it would take to go on", () => {
    const tasks = ["T1.1", "T1.2", "T1.3"].map(id => task(id));
    const run = freshRun(plan(...tasks), { policy: rules({ parallel: 4, advance: "asked" }) }, hash);
    run.spending = createSpending({ maxTokens: 150_000_000, maxCost: 1_000_000 }, [
      { tokens: 149_999_999, cost: 999_999 },
    ]);
    new Bench(run).start();
    const answer = nextAnswer(run);
    expect(answer).toBe(
      "STOP:BUDGET:3 tasks remain, about 449,999,997 tokens more, $2999997.00; go on with --max-tokens 749999995",
    );
    expect(countTokens(answer)).toBeLessThanOrEqual(60);
    run.spending = createSpending({ maxCost: 1 }, [{ tokens: 10, cost: 0.6 }]);
    expect(nextAnswer(run)).toBe(
      "STOP:BUDGET:3 tasks remain, about 30 tokens more, $1.80; go on with --max-cost 3.00",
    );
    run.spending = createSpending({ maxCost: 9 }, [{ tokens: 10, cost: 0.6 }]);
    expect(nextAnswer(run)).toBe("READY:T1.1,T1.2,T1.3");
  });

  it("[RU7] tells each mark once", () => {
    const run = bench(20, { maxTokens: 1000 });
    const marks: string[] = [];
    for (let at = 1; at <= 20 && run.run.ended === undefined; at++)
      for (const event of end(run, `T1.${at}`, 60).events)
        if (event.type === "warning") marks.push(inEnglish(event.message));
    expect(marks).toEqual([
      "70 % of the run's budget is used: 720 of 1,000 tokens",
      "80 % of the run's budget is used: 840 of 1,000 tokens",
      "90 % of the run's budget is used: 900 of 1,000 tokens",
    ]);
  });

  it("[RU7] tells no mark again that was passed before a resume", () => {
    const run = bench(3, { maxTokens: 1000 }, 1, [{ tokens: 400 }, { tokens: 350 }]);
    expect(end(run, "T1.1", 10).events.filter(({ type }) => type === "warning")).toEqual([]);
  });

  it("[RU6] with even attempts it is never passed, and every run ends", () => {
    const cases = fc.tuple(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 60, max: 400 }),
    );
    fc.assert(
      fc.property(cases, ([count, parallel, each, maxTokens]) => {
        const run = bench(count, { maxTokens }, parallel, [{ tokens: each }]);
        for (let guard = 0; guard < 100 && run.run.running.size > 0; guard++) {
          const [first] = run.run.running;
          end(run, first!.task.id, each);
        }
        expect(run.run.spending!.tokens).toBeLessThanOrEqual(maxTokens);
        expect(run.run.ended).toBeDefined();
        expect(run.run.spending!.promised.size).toBe(0);
      }),
    );
  });
});

describe("what is taken beside the attempts", () => {
  it("[RU7] counts, tells the marks, and leaves the expectation as it was", () => {
    const run = bench(4, { maxTokens: 1000 });
    end(run, "T1.1", 100);
    const out = run.send({ type: "charge", spent: { tokens: 650, cost: 0.1 }, now: run.now });
    expect(out.events.map(({ type }) => type)).toEqual(["warning"]);
    expect(run.run.spending).toMatchObject({ tokens: 750, cost: 0.1 });
    end(run, "T1.2", 100);
    expect(run.status("T1.3")).toBe("in_progress");
    end(run, "T1.3", 100);
    expect(inEnglish(run.run.ended?.reason)).toContain(
      "950 of 1,000 tokens used; 1 task remains, about 100 tokens more",
    );
  });

  it("[RU7] changes nothing after the end, and nothing without a limit", () => {
    const run = bench(1, {});
    run.run.spending = undefined;
    expect(run.send({ type: "charge", spent: { tokens: 5 }, now: run.now }).events).toEqual([]);
    end(run, "T1.1", 1);
    expect(run.send({ type: "charge", spent: { tokens: 5 }, now: run.now }).events).toEqual([]);
  });
});

describe("an attempt that finds no room", () => {
  const refused = (on: Bench, id: string, tokens: number) =>
    on.send({
      type: "attempt-ended",
      task: id,
      attempt: on.run.byId.get(id)!.attempts,
      outcome: { kind: "unaffordable", tokens, reason: agentSaid("no room") },
      ms: 0,
      now: on.now,
    });

  it("[RU6] costs no attempt, and waits until another one has ended", () => {
    const run = bench(4, { maxTokens: 1000 }, 2);
    expect(run.run.running.size).toBe(2);
    const out = refused(run, "T1.2", 700);
    expect(dispatched(out)).toEqual([]);
    expect(run.status("T1.2")).toBe("ready");
    expect(run.run.byId.get("T1.2")!.retries).toBe(0);
    end(run, "T1.1", 200);
    expect(run.status("T1.2")).toBe("in_progress");
  });

  it("[RU6] ends the run when there is no room alone either", () => {
    const run = bench(2, { maxTokens: 1000 });
    refused(run, "T1.1", 1400);
    expect(run.run.ended).toEqual({
      outcome: "waiting",
      reason: told(
        "budget reached: 0 of 1,000 tokens used; 2 tasks remain, about 2,800 tokens more; go on with --max-tokens 2940",
      ),
    });
  });

  it("[RU6] never turns in a circle", () => {
    const run = bench(6, { maxTokens: 1000 }, 3);
    let rounds = 0;
    while (run.run.running.size > 0 && rounds++ < 50) {
      const [first] = run.run.running;
      const others = run.run.running.size - 1;
      if (others > 0) refused(run, first!.task.id, 600);
      else end(run, first!.task.id, 600);
    }
    expect(rounds).toBeLessThan(20);
    expect(run.run.spending!.tokens).toBeLessThanOrEqual(1000);
    expect(run.run.ended?.outcome).toBe("waiting");
  });
});
