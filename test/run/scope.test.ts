import { describe, expect, it } from "vitest";
import { inScope, nextAnswer } from "../../src/run/index.ts";
import { told } from "../reasons.ts";
import { Bench, plan, task } from "./build.ts";

const three = () =>
  plan(
    task("T1.1"),
    task("T1.2", { dependsOn: ["T1.1"] }),
    task("T2.1"),
    task("T2.2", { dependsOn: ["T2.1"] }),
  );

describe("scope (--only)", () => {
  it("[RN1] runs nothing else, across phases", () => {
    const bench = Bench.of(three(), {}, { only: ["T1.1", "T2.1"] });
    expect(bench.results[0]?.events[0]).toMatchObject({ type: "run-started", tasks: 2 });
    bench.done("T1.1");
    bench.done("T2.1");
    expect(bench.all()).toBe("T1.1:completed T1.2:pending T2.1:completed T2.2:pending");
    expect(bench.run.ended).toEqual({
      outcome: "completed",
      reason: told("2 more in the plan, outside --only"),
    });
    expect(bench.run.tasks.filter(state => inScope(bench.run, state))).toHaveLength(2);
  });

  it("[RN1] judges the gate by its own tasks alone", () => {
    const bench = Bench.of(three(), { maxAttempts: 1 }, { only: ["T2.1"] });
    expect(bench.running()).toEqual(["T2.1"]);
  });

  it("[RN1] shows what a failure blocks, but does not count it", () => {
    const bench = Bench.of(three(), { maxAttempts: 1 }, { only: ["T1.1"] });
    bench.fail("T1.1");
    expect(bench.status("T1.2")).toBe("blocked");
    expect(bench.run.ended).toEqual({ outcome: "failed", reason: told("failed: T1.1") });
    expect(nextAnswer(bench.run)).toBe("ERROR:TASKS_FAILED:T1.1");
    expect(bench.run.scopeEnded).toBe(1);
  });

  it("[RN2] says what a task lacks that nothing in this run brings", () => {
    const bench = Bench.of(three(), {}, { only: ["T1.2"] });
    expect(bench.run.ended).toEqual({
      outcome: "failed",
      reason: told(
        "nothing left to start, but these never became ready: T1.2 " +
          "(T1.2 waits for T1.1, which is outside this run (--only))",
      ),
    });
    expect(nextAnswer(bench.run)).toBe("ERROR:NEVER_READY:T1.2");
  });

  it("[RN2] takes a dependency that is done already", () => {
    const p = plan(task("T1.1", { done: true }), task("T1.2", { dependsOn: ["T1.1"] }));
    expect(Bench.of(p, {}, { only: ["T1.2"] }).running()).toEqual(["T1.2"]);
  });

  it("[RN2] is not held back by the file order outside", () => {
    const s = { order: "sequential" } as const;
    const bench = Bench.of(
      plan(task("T1.1", s), task("T1.2", s), task("T1.3", s)),
      {},
      { only: ["T1.2", "T1.3"] },
    );
    expect(bench.running()).toEqual(["T1.2"]);
    bench.done("T1.2");
    expect(bench.running()).toEqual(["T1.3"]);
  });

  it("[RN3] refuses acts on other tasks", () => {
    const bench = Bench.of(three(), {}, { only: ["T1.1"] });
    expect(bench.act("done", "T2.1").refused).toEqual(told("T2.1 is outside this run (--only)"));
    expect(bench.send({ type: "claim", task: "T2.1", now: 0 }).refused).toEqual(
      told("T2.1 is pending, not ready"),
    );
  });
});
