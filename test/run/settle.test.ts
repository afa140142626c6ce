import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY, restoreRun, step } from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, eventTypes, plan, task } from "./build.ts";

const twoPhases = () => plan(task("T1.1"), task("T2.1"));
const settled = (bench: Bench, phase: number, outcome: "done" | "refused" | "stopped", reason = "") =>
  step(bench.run, {
    type: "phase-settled",
    phase,
    outcome,
    reason: reason === "" ? undefined : agentSaid(reason),
    now: bench.now,
  });

describe("the end of a phase as work of its own", () => {
  it("[RP8] is asked for before the next phase opens", () => {
    const bench = Bench.of(twoPhases(), { settlePhases: true });
    const out = bench.done("T1.1");
    expect(out.commands).toContainEqual({ type: "settle-phase", phase: 1 });
    expect(eventTypes(out)).toEqual(["completed", "phase-ended"]);
    expect(bench.status("T2.1")).toBe("pending");
    expect(eventTypes(settled(bench, 1, "done"))).toEqual(["phase-started", "dispatched"]);
  });

  it("[RP8] keeps the run from ending, a stop included", () => {
    const bench = Bench.of(plan(task("T1.1")), { settlePhases: true });
    bench.done("T1.1");
    expect(bench.run.ended).toBeUndefined();
    step(bench.run, { type: "stop", by: "me", how: "soft", now: bench.now });
    expect(bench.run.ended).toBeUndefined();
    settled(bench, 1, "done");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RX3] is interrupted where a stop cut it short, and nothing stands against the phase", () => {
    const bench = Bench.of(plan(task("T1.1")), { settlePhases: true });
    bench.done("T1.1");
    step(bench.run, { type: "stop", by: "me", how: "soft", now: bench.now });
    const out = settled(bench, 1, "stopped");
    expect(eventTypes(out)).toEqual(["run-ended"]);
    expect(out.commands.map(({ type }) => type)).toEqual(["end"]);
    expect(bench.run.ended?.outcome).toBe("interrupted");
  });

  it("[RX3] is interrupted where a stop came before it was begun", () => {
    const bench = Bench.of(plan(task("T1.1")), { settlePhases: true });
    step(bench.run, { type: "stop", by: "me", how: "soft", now: bench.now });
    bench.done("T1.1");
    expect(bench.run.ended?.outcome).toBe("interrupted");
  });

  it("[RP8] is not asked for where nothing completed, below the gate, or twice", () => {
    const skipped = Bench.of(twoPhases(), { settlePhases: true });
    skipped.act("skip", "T1.1");
    skipped.end("T1.1", { kind: "cancelled" });
    expect(skipped.status("T2.1")).toBe("in_progress");
    const failing = Bench.of(plan(task("T1.1"), task("T1.2"), task("T2.1")), {
      settlePhases: true,
      maxAttempts: 1,
    });
    failing.fail("T1.1");
    expect(failing.done("T1.2").commands.filter(({ type }) => type === "settle-phase")).toEqual([]);
    expect(failing.run.ended?.outcome).toBe("waiting");
  });

  it("[RP8] comes late for a phase that a person forces past its gate", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T2.1")), {
      settlePhases: true,
      maxAttempts: 1,
    });
    bench.fail("T1.1");
    bench.done("T1.2");
    const out = step(bench.run, { type: "force-phase", phase: 2, by: "me", now: bench.now });
    expect(out.commands).toEqual([{ type: "settle-phase", phase: 1 }]);
    settled(bench, 1, "done");
    expect(bench.status("T2.1")).toBe("in_progress");
  });

  it("[RP9] holds the next phase back when it is refused, until it is forced", () => {
    const bench = Bench.of(twoPhases(), { settlePhases: true });
    bench.done("T1.1");
    const out = settled(bench, 1, "refused", "phase.verify exit 1");
    expect(eventTypes(out)).toEqual(["phase-refused", "run-ended"]);
    expect(bench.run.ended).toEqual({ outcome: "waiting", reason: told("phase 1: phase.verify exit 1") });
    step(bench.run, { type: "force-phase", phase: 2, by: "me", now: bench.now });
    expect(bench.status("T2.1")).toBe("in_progress");
  });

  it("[RP9] is worked off anew when a task of it is taken up again", () => {
    const bench = Bench.of(plan(task("T1.1")), { settlePhases: true });
    bench.done("T1.1");
    bench.act("retry", "T1.1");
    expect(eventTypes(settled(bench, 1, "done"))).toEqual([]);
    expect(bench.run.ended).toBeUndefined();
    expect(bench.done("T1.1").commands).toContainEqual({ type: "settle-phase", phase: 1 });
    settled(bench, 1, "done");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RP9] an answer about a phase nobody knows changes nothing", () => {
    const bench = Bench.of(twoPhases(), { settlePhases: true });
    const out = settled(bench, 7, "done");
    expect([out.events, out.runTouched]).toEqual([[], false]);
    expect(bench.status("T1.1")).toBe("in_progress");
  });

  it("[RP9] an answer is that of the phase it names, and is kept", () => {
    const bench = Bench.of(twoPhases(), { settlePhases: true });
    bench.done("T1.1");
    settled(bench, 1, "done");
    bench.done("T2.1");
    const out = settled(bench, 2, "refused", "phase.verify exit 1");
    expect(out.runTouched).toBe(true);
    expect(bench.run.phases.map(({ settlement, refusal }) => [settlement, refusal])).toEqual([
      ["done", undefined],
      ["refused", agentSaid("phase.verify exit 1")],
    ]);
  });
});

describe("conflicts", () => {
  const conflict = (more: object = {}) =>
    ({
      kind: "conflict",
      files: ["a.ts"],
      others: ["T1.2"],
      reason: agentSaid("conflict in a.ts"),
      again: true,
      content: "a.ts 1 2 3",
      ...more,
    }) as const;

  it("[RR11] cost no attempt and give the task back at once", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { maxAttempts: 1 });
    bench.done("T1.2");
    const out = bench.end("T1.1", conflict());
    expect(eventTypes(out)).toEqual(["conflict", "dispatched"]);
    expect(bench.status("T1.1")).toBe("in_progress");
    expect(bench.run.byId.get("T1.1")?.retries).toBe(0);
  });

  it("[RR11] are remembered: what was touched is held from then on", () => {
    const tasks = plan(task("T1.1"), task("T1.2"), task("T1.3", { files: ["a.ts"], dependsOn: ["T1.2"] }));
    const bench = Bench.of(tasks);
    bench.end("T1.1", conflict());
    bench.done("T1.2");
    expect(bench.status("T1.3")).toBe("ready");
    bench.done("T1.1");
    expect(bench.status("T1.3")).toBe("in_progress");
  });

  it("[RR11] are remembered by what had completed before, for when it is taken up again", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2"), task("T1.3")));
    bench.done("T1.2");
    bench.end("T1.1", conflict({ others: ["T1.2", "T1.3", "gone"] }));
    bench.act("retry", "T1.2");
    expect(bench.status("T1.2")).toBe("ready");
    expect(bench.state("T1.2").files).toEqual(["a.ts"]);
    expect(bench.state("T1.3").files).toEqual([]);
    bench.done("T1.1");
    expect(bench.status("T1.2")).toBe("in_progress");
  });

  it("[RR11] are remembered when the plan changes", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.end("T1.1", conflict());
    const next = plan(task("T1.1"), task("T1.2"), task("T1.4"));
    step(bench.run, { type: "plan-changed", plan: next, now: bench.now });
    expect(bench.run.byId.get("T1.1")?.files).toEqual(["a.ts"]);
  });

  it("[RR11] are remembered after a restart, by everybody who was in them", () => {
    const tasks = plan(task("T1.1"), task("T1.2"), task("T1.3"), task("T1.4"));
    const conflicts = [
      { tasks: ["T1.1", "T1.2"], files: ["a.ts", "b.ts"] },
      { tasks: ["T1.1", "gone"], files: ["a.ts", "c.ts"] },
    ];
    const run = restoreRun(tasks, [], { policy: DEFAULT_POLICY, conflicts });
    expect(run.byId.get("T1.1")?.files).toEqual(["a.ts", "b.ts", "c.ts"]);
    step(run, { type: "start", resumed: true, now: 0 });
    const status = (id: string) => run.byId.get(id)?.status;
    expect([status("T1.1"), status("T1.3")]).toEqual(["in_progress", "in_progress"]);
    expect(status("T1.2")).toBe("ready");
  });

  it("[RR11] are met as often as others land, and pause the task only when the same one is met again", () => {
    const bench = Bench.of(plan(task("T1.1")));
    for (const n of Array(20).keys()) bench.end("T1.1", conflict({ content: `a.ts ${n}` }));
    expect(bench.status("T1.1")).toBe("in_progress");
    const same = bench.end("T1.1", conflict({ content: "a.ts 19" }));
    expect(same.events.at(1)).toEqual({
      type: "paused",
      task: "T1.1",
      reason: told("conflict in a.ts"),
      by: "rule",
    });
    expect(bench.status("T1.1")).toBe("paused");
    bench.act("resume", "T1.1");
    bench.end("T1.1", conflict({ content: "a.ts 19" }));
    expect(bench.status("T1.1")).toBe("in_progress");
  });

  it("[RR11] pause the task at once where its agent may not solve them", () => {
    const other = Bench.of(plan(task("T1.1")));
    other.end("T1.1", conflict({ again: false }));
    expect(other.status("T1.1")).toBe("paused");
    expect(other.run.ended?.outcome).toBe("waiting");
  });
});

describe("a halt", () => {
  it("[RX6] ends the run for a person to look", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    const halt = agentSaid("GIT_CONFIG_CHANGED: core.fsmonitor");
    step(bench.run, { type: "stop", by: "git", how: "soft", halt, now: bench.now });
    bench.end("T1.1", { kind: "needs-person", reason: halt });
    bench.end("T1.2", { kind: "cancelled" });
    expect(bench.run.ended).toEqual({ outcome: "waiting", reason: halt });
  });
});
