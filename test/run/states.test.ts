import { describe, expect, it } from "vitest";
import { isBroken, isEnded, isSatisfied } from "../../src/run/index.ts";
import { inEnglish, told } from "../reasons.ts";
import { Bench, eventTypes, plan, task } from "./build.ts";

const chain = () =>
  plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3", { dependsOn: ["T1.2"] }));

describe("states", () => {
  it("[RS1] starts what waits for nothing and keeps the rest pending", () => {
    const bench = Bench.of(chain());
    expect(bench.all()).toBe("T1.1:in_progress T1.2:pending T1.3:pending");
    bench.done("T1.1");
    expect(bench.all()).toBe("T1.1:completed T1.2:in_progress T1.3:pending");
    bench.done("T1.2");
    expect(bench.done("T1.3").commands.at(-1)).toMatchObject({ type: "end", outcome: "completed" });
  });

  it("[RS1] waits for all dependencies, not for the first", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1", "T1.2"] })));
    bench.done("T1.2");
    expect(bench.status("T1.3")).toBe("pending");
    bench.done("T1.1");
    expect(bench.status("T1.3")).toBe("in_progress");
  });

  it("[RS1] does not know ids it was not given, whatever they are called", () => {
    const odd = ["__proto__", "constructor", "toString", "hasOwnProperty"].map(id => task(id, { phase: 1 }));
    const last = task("T1.9", { dependsOn: ["__proto__", "constructor", "nobody"] });
    const bench = Bench.of(plan(...odd, last), { parallel: 9 });
    expect(bench.status("T1.9")).toBe("pending");
    bench.done("__proto__");
    bench.done("constructor");
    expect(bench.status("T1.9")).toBe("in_progress");
    expect(inEnglish(bench.send({ type: "claim", task: "valueOf", now: 0 }).refused)).toContain(
      "no task valueOf",
    );
  });

  it("[RS2] knows which states are an end, which satisfy and which break", () => {
    const all = [
      "pending",
      "ready",
      "in_progress",
      "completed",
      "failed",
      "blocked",
      "paused",
      "waiting",
      "cancelled",
      "skipped",
    ] as const;
    expect(all.filter(isEnded)).toEqual(["completed", "failed", "blocked", "cancelled", "skipped"]);
    expect(all.filter(isSatisfied)).toEqual(["completed", "skipped"]);
    expect(all.filter(isBroken)).toEqual(["failed", "blocked", "cancelled"]);
  });

  it("[RS3] blocks everything behind a failure at once, and says by what", () => {
    const bench = Bench.of(chain(), { maxAttempts: 1 });
    const out = bench.fail("T1.1");
    expect(bench.all()).toBe("T1.1:failed T1.2:blocked T1.3:blocked");
    expect(bench.state("T1.2").reason).toEqual(told("blocked by T1.1"));
    expect(bench.state("T1.3").reason).toEqual(told("blocked by T1.2"));
    expect(out.events.filter(event => event.type === "blocked")).toEqual([
      { type: "blocked", task: "T1.2", by: "T1.1" },
      { type: "blocked", task: "T1.3", by: "T1.2" },
    ]);
  });

  it("[RS3] names a dependency that still blocks when the first one is repaired", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1", "T1.2"] })), {
      maxAttempts: 1,
    });
    bench.fail("T1.1");
    bench.fail("T1.2");
    expect(bench.state("T1.3").reason).toEqual(told("blocked by T1.1"));
    const out = bench.act("retry", "T1.1");
    expect(bench.state("T1.3").reason).toEqual(told("blocked by T1.2"));
    expect(out.touched.has(bench.state("T1.3"))).toBe(true);
    expect(inEnglish(bench.act("retry", "T1.3").refused)).toContain("blocked by T1.2");
  });

  it.each(["retry", "skip", "done"] as const)("[RS4] unblocks when a person says %s", action => {
    const bench = Bench.of(chain(), { maxAttempts: 1 });
    bench.fail("T1.1");
    const out = bench.act(action, "T1.1");
    expect(eventTypes(out).filter(type => type === "unblocked")).toHaveLength(2);
    expect(bench.state("T1.3").reason).toBeUndefined();
    if (action === "retry") bench.done("T1.1");
    expect(bench.all()).toMatch(/^T1\.1:(completed|skipped) T1\.2:in_progress T1\.3:pending$/);
  });

  it("[RS4] stays blocked while another dependency is broken", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1", "T1.2"] })), {
      maxAttempts: 1,
    });
    bench.fail("T1.1");
    bench.fail("T1.2");
    bench.act("skip", "T1.1");
    expect(bench.status("T1.3")).toBe("blocked");
    bench.act("skip", "T1.2");
    expect(bench.status("T1.3")).toBe("in_progress");
  });

  it("[RS5] takes a ready task back when its dependency is taken up again", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3")), {
      parallel: 1,
    });
    bench.done("T1.1");
    expect(bench.all()).toBe("T1.1:completed T1.2:in_progress T1.3:ready");
    bench.act("pause", "T1.2");
    bench.act("retry", "T1.1");
    bench.end("T1.2", { kind: "cancelled" }, 1);
    expect(bench.act("resume", "T1.2").refused).toBeUndefined();
    expect(bench.status("T1.2")).toBe("pending");
  });

  it("[RS5] takes a task back that is ready but has not begun", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1"] })), {
      parallel: 1,
    });
    bench.done("T1.1");
    expect(bench.all()).toBe("T1.1:completed T1.2:in_progress T1.3:ready");
    expect(bench.run.due.nextAt()).toBeUndefined();
    bench.act("retry", "T1.1");
    expect(bench.all()).toBe("T1.1:ready T1.2:in_progress T1.3:pending");
  });

  it("[RS3] gives a reason to what is blocked, and to nothing that only waits", () => {
    const bench = Bench.of(
      plan(
        task("T1.1"),
        task("T1.2"),
        task("T1.3"),
        task("T1.4", { dependsOn: ["T1.1", "T1.3"] }),
        task("T1.5", { dependsOn: ["T1.1", "T1.2"] }),
      ),
      { maxAttempts: 1 },
    );
    bench.fail("T1.2");
    const out = bench.done("T1.1");
    expect(bench.state("T1.4")).toMatchObject({ status: "pending", reason: undefined });
    expect(bench.state("T1.5").reason).toEqual(told("blocked by T1.2"));
    // Neither row differs from before.
    expect([...out.touched].map(({ task: { id } }) => id)).toEqual(["T1.1"]);
  });

  it("[RS5] does not start a failed attempt again before its dependency is back", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    bench.done("T1.1");
    bench.act("retry", "T1.1");
    expect(bench.all()).toBe("T1.1:in_progress T1.2:in_progress");
    bench.fail("T1.2");
    expect(bench.status("T1.2")).toBe("pending");
    bench.done("T1.1");
    expect(bench.status("T1.2")).toBe("in_progress");
  });

  it("[RS5] does not start a task out of quota before its dependency is back", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    bench.done("T1.1");
    bench.end("T1.2", { kind: "quota", agent: "claude", until: bench.now + 5000 });
    bench.act("retry", "T1.1");
    bench.tick(6000);
    expect(bench.all()).toBe("T1.1:in_progress T1.2:pending");
    bench.fail("T1.1", "a");
    expect(bench.status("T1.2")).toBe("pending");
  });

  it("[RS6] follows a chain of 100,000 without recursion", () => {
    const long = Array.from({ length: 100_000 }, (_, n) =>
      task(`T1.${n}`, n === 0 ? {} : { dependsOn: [`T1.${n - 1}`] }),
    );
    const bench = Bench.of(plan(...long), { maxAttempts: 1 });
    bench.fail("T1.0");
    expect(bench.run.counts.blocked).toBe(99_999);
    bench.act("retry", "T1.0");
    expect(bench.run.counts.pending).toBe(99_999);
  });

  it("[RS7] touches what changed and nothing when refused", () => {
    const bench = Bench.of(chain());
    const out = bench.done("T1.1");
    expect([...out.touched].map(state => state.task.id).sort()).toEqual(["T1.1", "T1.2"]);
    const refused = bench.act("done", "T1.1");
    expect(refused.refused).toEqual(told("T1.1 is already completed"));
    expect(refused.touched.size + refused.events.length + refused.commands.length).toBe(0);
  });

  it("[RS8] tells a completion before what follows from it", () => {
    const group = task("T1", { phase: 1, children: ["T1.1"] });
    const bench = Bench.of(plan(group, task("T1.1")));
    const told = bench
      .done("T1.1")
      .events.flatMap(event =>
        event.type === "completed" ? [`${event.task} by ${event.by}`] : [event.type],
      );
    expect(told).toEqual(["T1.1 by agent", "T1 by children", "phase-ended", "run-ended"]);
  });

  it("[RS8] tells a failure before the tasks it blocks", () => {
    const bench = Bench.of(chain(), { maxAttempts: 1 });
    expect(eventTypes(bench.fail("T1.1")).slice(0, 4)).toEqual([
      "attempt-failed",
      "failed",
      "blocked",
      "blocked",
    ]);
  });

  it("[RS9] keeps the proof only as long as the completion", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.done("T1.1", true);
    expect(bench.state("T1.1").verified).toBe(true);
    bench.act("retry", "T1.1");
    expect(bench.state("T1.1").verified).toBeUndefined();
    bench.done("T1.1", false);
    expect(bench.state("T1.1").verified).toBe(false);
  });
});
