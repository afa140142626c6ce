import { describe, expect, it } from "vitest";
import { standing } from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, plan, task } from "./build.ts";

const many = (count: number) => Array.from({ length: count }, (_, n) => task(`T1.${n}`));

describe("the end of a run", () => {
  it("[RU1] ends once, with a command and an event that say the same", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.done("T1.1");
    const out = bench.done("T1.2");
    const end = { outcome: "completed", reason: undefined };
    expect(out.commands.at(-1)).toEqual({ type: "end", ...end });
    expect(out.events.at(-1)).toEqual({ type: "run-ended", ...end });
    expect(out.runTouched).toBe(true);
    expect(bench.run.ended).toEqual(end);
  });

  it("[RU2] fails with what failed and what it blocked", () => {
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.2"] }), task("T1.4")),
      {
        maxAttempts: 1,
      },
    );
    bench.done("T1.1");
    bench.fail("T1.2");
    bench.act("cancel", "T1.4");
    bench.end("T1.4", { kind: "cancelled" });
    expect(bench.run.ended).toEqual({
      outcome: "failed",
      reason: told("failed: T1.2; cancelled: T1.4; blocked: T1.3"),
    });
  });

  it("[RU2] waits rather than fails while something is paused", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { maxAttempts: 1 });
    bench.fail("T1.1");
    bench.end("T1.2", { kind: "needs-person", reason: agentSaid("login") });
    expect(bench.run.ended).toEqual({
      outcome: "waiting",
      reason: told("paused, waiting for a person: T1.2"),
    });
  });

  it("[RU2] completes with skipped tasks", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.done("T1.1");
    bench.act("skip", "T1.2");
    bench.end("T1.2", { kind: "cancelled" });
    expect(bench.run.ended).toEqual({ outcome: "completed", reason: undefined });
  });

  it("[RU2] says so when a broken plan leaves tasks that can never start", () => {
    const bench = Bench.of(
      plan(task("T1.1", { dependsOn: ["T1.2"] }), task("T1.2", { dependsOn: ["T1.1"] })),
    );
    expect(bench.run.ended).toEqual({
      outcome: "failed",
      reason: told("nothing left to start, but these never became ready: T1.1, T1.2 (T1.1 waits for T1.2)"),
    });
  });

  it("[RU3] names five and counts the rest", () => {
    const bench = Bench.of(plan(...many(9)), { maxAttempts: 1, parallel: 9 });
    for (let n = 0; n < 9; n++) bench.fail(`T1.${n}`);
    expect(bench.run.ended?.reason).toEqual(told("failed: T1.0, T1.1, T1.2, T1.3, T1.4 and 4 more"));
  });

  it("[RU3] names five when there are five", () => {
    const bench = Bench.of(plan(...many(5)), { maxAttempts: 1 });
    for (let n = 0; n < 5; n++) bench.fail(`T1.${n}`);
    expect(bench.run.ended?.reason).toEqual(told("failed: T1.0, T1.1, T1.2, T1.3, T1.4"));
  });

  it("[RU5] calls a run that did only its part interrupted where others read it", () => {
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2"), task("T1.3", { done: true })),
      {},
      { only: ["T1.1"] },
    );
    expect(standing(bench.run, "running")).toBe("running");
    bench.done("T1.1");
    expect(bench.run.ended).toEqual({
      outcome: "completed",
      reason: told("1 more in the plan, outside --only"),
    });
    expect(standing(bench.run, "running")).toBe("interrupted");
  });

  it("[RU5] calls any other run what it ended as", () => {
    const bench = Bench.of(plan(task("T1.1", { done: true }), task("T1.2")), {}, { only: ["T1.2"] });
    bench.done("T1.2");
    expect(bench.run.ended).toEqual({ outcome: "completed", reason: undefined });
    expect(standing(bench.run, "running")).toBe("completed");
    const failing = Bench.of(plan(task("T1.1"), task("T1.2")), { maxAttempts: 1 }, { only: ["T1.1"] });
    failing.fail("T1.1");
    expect(standing(failing.run, "running")).toBe("failed");
  });

  it("[RU4] changes nothing after the end for results, ticks and stops", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.done("T1.1");
    for (const out of [bench.fail("T1.1"), bench.tick(5), bench.stop()]) {
      expect(out.events.length + out.commands.length + out.touched.size).toBe(0);
    }
    expect(bench.run.ended?.outcome).toBe("completed");
    expect(bench.run.stopping).toBe(false);
  });
});
