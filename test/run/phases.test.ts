import { describe, expect, it } from "vitest";
import { countedTasks, isGated, passesGate } from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, task } from "./build.ts";

/** Ten tasks of phase 1 and one of phase 2. */
const ten = () => plan(...Array.from({ length: 10 }, (_, n) => task(`T1.${n}`)), task("T2.1"));
const finish = (bench: Bench, failing: number, skipping = 0) => {
  for (let n = 0; n < skipping; n++) {
    bench.act("skip", `T1.${n}`);
    if (bench.run.orphans.has(`T1.${n}`)) bench.end(`T1.${n}`, { kind: "cancelled" });
  }
  for (let n = skipping; n < 10; n++) {
    if (n < skipping + failing) bench.fail(`T1.${n}`);
    else bench.done(`T1.${n}`);
  }
};

describe("phases", () => {
  it("[RP1] opens the next phase when all of this one have ended", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T2.1")));
    bench.done("T1.1");
    expect(bench.status("T2.1")).toBe("pending");
    const out = bench.done("T1.2");
    expect(eventTypes(out)).toEqual(["completed", "phase-ended", "phase-started", "dispatched"]);
    expect(out.events[1]).toEqual({ type: "phase-ended", phase: "1", completed: 2, counted: 2 });
    expect(out.events[2]).toEqual({ type: "phase-started", phase: "2", title: "phase 2", tasks: 1 });
    expect(out.runTouched).toBe(true);
  });

  it("[RP1] orders phases as the plan lists them, fractions and words included", () => {
    const phases = [0, 1, 1.5, 2, "PF"];
    const bench = Bench.of(plan(...phases.toReversed().map(phase => task(`T${phase}`, { phase }))));
    expect(bench.run.phases.map(phase => phase.label)).toEqual(["0", "1", "1.5", "2", "PF"]);
    for (const phase of phases) {
      expect(bench.running()).toEqual([`T${phase}`]);
      bench.done(`T${phase}`);
    }
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it.each([
    [1, 0, true],
    [2, 0, false],
    [0, 5, true],
    [1, 1, false],
    [1, 10, true],
  ])("[RP1] with %i of ten failed and %i skipped the gate says %s", (failing, skipping, opens) => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, Math.min(failing, 10 - skipping), skipping);
    expect(bench.status("T2.1")).toBe(opens ? "in_progress" : "pending");
  });

  it("[RP1] counts cancelled and blocked tasks against the gate", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T2.1")));
    bench.act("cancel", "T1.1");
    bench.end("T1.1", { kind: "cancelled" });
    expect(bench.all()).toBe("T1.1:cancelled T1.2:blocked T2.1:pending");
    expect(bench.run.ended?.outcome).toBe("waiting");
  });

  it("[RP1] computes the gate from the counted tasks", () => {
    const phase = (members: number, completed: number, skipped: number) =>
      ({ members: Array(members).fill(0), completed, skipped }) as unknown as Parameters<
        typeof passesGate
      >[0];
    expect(countedTasks(phase(10, 5, 4))).toBe(6);
    expect(passesGate(phase(10, 9, 0), 0.9)).toBe(true);
    expect(passesGate(phase(10, 8, 0), 0.9)).toBe(false);
    expect(passesGate(phase(30, 27, 0), 0.9)).toBe(true);
    expect(passesGate(phase(7, 5, 2), 1)).toBe(true);
    expect(passesGate(phase(3, 0, 3), 0.9)).toBe(true);
    expect(passesGate(phase(0, 0, 0), 1)).toBe(true);
  });

  it("[RP2] says once that the gate is missed, and waits", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, 2);
    const gated = bench.results.flatMap(out => out.events).filter(event => event.type === "phase-gated");
    expect(gated).toEqual([{ type: "phase-gated", phase: "1", completed: 8, counted: 10 }]);
    expect(isGated(bench.run)).toBe(true);
    expect(bench.run.ended?.reason).toEqual(
      told(
        "phase 1 is below its gate (8/10 completed; failed: T1.0, T1.1); " +
          "repair its tasks or continue with --force-phase 2",
      ),
    );
  });

  it("[RP2] opens by itself once enough is repaired", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, 2);
    bench.act("retry", "T1.0");
    const out = bench.done("T1.0");
    expect(eventTypes(out)).toContain("phase-started");
    expect(out.events).toContainEqual({ type: "phase-ended", phase: "1", completed: 9, counted: 10 });
  });

  it("[RP3] opens a forced phase although the gate is missed", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, 5);
    const out = bench.send({ type: "force-phase", phase: 2, by: "ann", now: bench.now });
    expect(out.events[0]).toEqual({ type: "phase-forced", phase: "2", by: "ann" });
    expect(dispatched(out)).toEqual(["T2.1"]);
    expect(bench.run.forced).toEqual(new Set(["2"]));
  });

  it("[RP3] remembers a phase forced in advance, and does not run it beside the one before", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 }, { forced: ["2"] });
    expect(bench.status("T2.1")).toBe("pending");
    finish(bench, 9);
    expect(bench.status("T2.1")).toBe("in_progress");
  });

  it("[RP3] opens a forced phase past tasks that wait for a person, once nothing else moves", () => {
    const bench = Bench.of(
      plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1"] }), task("T2.1")),
      {
        backoffMs: 0,
      },
    );
    bench.end("T1.1", { kind: "needs-person", reason: agentSaid("?") });
    bench.send({ type: "force-phase", phase: "2", by: "ann", now: bench.now });
    expect(bench.status("T2.1")).toBe("pending");
    expect(dispatched(bench.done("T1.2"))).toEqual(["T2.1"]);
    bench.done("T2.1");
    expect(bench.run.ended).toEqual({
      outcome: "waiting",
      reason: told("paused, waiting for a person: T1.1"),
    });
    bench.act("retry", "T1.1");
    bench.done("T1.1");
    bench.done("T1.3");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RP3] refuses a phase that does not exist", () => {
    const out = Bench.of(ten()).send({ type: "force-phase", phase: 7, by: "ann", now: 0 });
    expect(out.refused).toEqual(told("no phase 7 in this plan"));
    expect(out.events).toEqual([]);
  });

  it("[RP4] keeps a phase open while a task of it is paused", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T2.1")));
    bench.act("pause", "T1.1");
    bench.end("T1.1", { kind: "cancelled" });
    bench.done("T1.2");
    expect(bench.status("T2.1")).toBe("pending");
    expect(bench.run.ended?.outcome).toBe("waiting");
  });

  it("[RP5] passes phases that are over by their boxes without a word", () => {
    const bench = Bench.of(plan(task("T1.1", { done: true }), task("T2.1", { done: true }), task("T3.1")));
    const events = bench.results[0]?.events.map(event => ("phase" in event ? event.phase : event.type));
    expect(events).toEqual(["run-started", "3", "dispatched"]);
  });

  it("[RP5] tells the end of a phase whose tasks were all blocked before it opened", () => {
    const p = plan(
      ...Array.from({ length: 10 }, (_, n) => task(`T1.${n}`)),
      task("T2.1", { dependsOn: ["T1.0"] }),
    );
    const bench = Bench.of(p, { maxAttempts: 1, parallel: 20 });
    finish(bench, 1);
    const ended = bench.results.flatMap(out => out.events).filter(event => event.type === "phase-ended");
    expect(ended.map(event => `${event.phase} ${event.completed}/${event.counted}`)).toEqual([
      "1 9/10",
      "2 0/1",
    ]);
    expect(bench.run.ended?.reason).toEqual(told("failed: T1.0; blocked: T2.1"));
  });

  it("[RP6] tells the new end of a phase that was repaired after it had been passed", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, 1);
    expect(bench.running()).toEqual(["T2.1"]);
    bench.act("retry", "T1.0");
    expect(bench.running()).toEqual(["T1.0", "T2.1"]);
    expect(eventTypes(bench.done("T1.0"))).toEqual(["completed", "phase-ended"]);
    expect(bench.status("T2.1")).toBe("in_progress");
  });

  it("[RP6] says nothing of the gate of a phase that was passed", () => {
    const bench = Bench.of(ten(), { maxAttempts: 1, parallel: 20 });
    finish(bench, 1);
    bench.act("retry", "T1.1");
    expect(eventTypes(bench.fail("T1.1"))).toEqual(["attempt-failed", "failed", "phase-ended"]);
  });

  it("[RP7] runs phases the plan forgot to list", () => {
    const whole = plan(task("T1.1"), task("Tx", { phase: "X" }), task("Ty", { phase: "Y" }));
    const bench = Bench.of({
      ...whole,
      phases: [
        { phase: 1, title: "one" },
        { phase: 9, title: "empty" },
      ],
    });
    expect(bench.run.phases.map(phase => phase.label)).toEqual(["1", "X", "Y"]);
    for (const id of ["T1.1", "Tx", "Ty"]) bench.done(id);
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RP1] ends a plan without tasks at once", () => {
    expect(Bench.of(plan()).run.ended).toEqual({ outcome: "completed", reason: undefined });
  });
});
