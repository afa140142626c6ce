import { describe, expect, it } from "vitest";
import { LEFT_OUT, TEXT_CHANGED } from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, dispatched, edited, eventTypes, plan, task, withTask } from "./build.ts";

const three = () => plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3"));

describe("changed plans", () => {
  it("[RE1] takes in added tasks at their place", () => {
    const bench = Bench.of(three(), { parallel: 2 });
    bench.done("T1.1");
    const out = bench.edit(plan(task("T1.0"), ...three().tasks, task("T1.4", { dependsOn: ["T1.1"] })));
    expect(out.events[0]).toEqual({ type: "plan-changed", added: 2, removed: 0, changed: 0 });
    expect(bench.all()).toBe("T1.0:ready T1.1:completed T1.2:in_progress T1.3:in_progress T1.4:ready");
    expect(dispatched(bench.done("T1.2"))).toEqual(["T1.0"]);
  });

  it("[RE1] drops removed tasks, and frees what waited for them once a person says so", () => {
    const bench = Bench.of(three(), { maxAttempts: 1, parallel: 1 });
    const out = bench.edit(plan(task("T1.2"), task("T1.3")));
    expect(out.removed).toEqual(["T1.1"]);
    expect(bench.run.byId.has("T1.1")).toBe(false);
    expect(bench.all()).toBe("T1.2:paused T1.3:ready");
    bench.act("resume", "T1.2");
    expect(bench.all()).toBe("T1.2:ready T1.3:ready");
  });

  it("[RE1] judges dependents again", () => {
    const bench = Bench.of(three(), { maxAttempts: 1 });
    bench.fail("T1.1");
    expect(bench.status("T1.2")).toBe("blocked");
    bench.edit(withTask(three(), "T1.2", t => edited(t, { dependsOn: ["T1.3"] })));
    expect(bench.all()).toBe("T1.1:failed T1.2:paused T1.3:in_progress");
    bench.act("resume", "T1.2");
    expect(bench.all()).toBe("T1.1:failed T1.2:pending T1.3:in_progress");
    expect(bench.state("T1.2").reason).toBeUndefined();
    const back = bench.edit(withTask(three(), "T1.2", t => edited(t, { dependsOn: ["T1.3", "T1.1"] })));
    expect(back.events).toEqual([{ type: "blocked", task: "T1.2", by: "T1.1" }]);
  });

  it("[RE1] names the blocker that is left", () => {
    const p = plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1", "T1.2"] }));
    const bench = Bench.of(p, { maxAttempts: 1 });
    bench.fail("T1.1");
    bench.fail("T1.2");
    bench.edit(withTask(p, "T1.3", t => edited(t, { dependsOn: ["T1.2"] })));
    bench.act("resume", "T1.3");
    expect(bench.state("T1.3")).toMatchObject({ status: "blocked", reason: told("blocked by T1.2") });
  });

  it("[RE1] keeps counts, times and waits", () => {
    const p = plan(task("T1.1"), task("T1.2"), task("T1.3"));
    const bench = Bench.of(p, { backoffMs: 1000 });
    bench.fail("T1.1", "a");
    bench.end("T1.2", { kind: "quota", agent: "a", until: bench.now + 50_000 });
    bench.end("T1.3", { kind: "stalled", reason: agentSaid("EAGAIN") });
    bench.edit(plan(...p.tasks, task("T1.4")));
    expect(bench.state("T1.1")).toMatchObject({
      status: "ready",
      retries: 1,
      sameError: 1,
      reason: told("a"),
    });
    expect(bench.state("T1.2").status).toBe("waiting");
    expect(bench.state("T1.3").stalls).toBe(1);
    expect(dispatched(bench.tick(1000))).toEqual(["T1.1", "T1.3"]);
    expect(dispatched(bench.tick(49_000))).toEqual(["T1.2"]);
  });

  it("[RE1] completes a container whose last open child left", () => {
    const p = plan(task("A", { children: ["T1.1", "T1.2"] }), task("T1.1"), task("T1.2"), task("T1.3"));
    const bench = Bench.of(p);
    bench.done("T1.1");
    const out = bench.edit(plan(task("A", { children: ["T1.1"] }), task("T1.1"), task("T1.3")));
    expect(out.events).toContainEqual({
      type: "completed",
      task: "A",
      verified: true,
      by: "children",
      ms: 0,
    });
    expect(out.commands).toContainEqual({ type: "tick-box", task: "A" });
  });

  it("[RE1] says nothing when only boxes or lines changed", () => {
    const bench = Bench.of(three());
    const out = bench.edit(
      withTask(three(), "T1.3", t => ({ ...t, line: 99, text: t.text.replace("[ ]", "[x]") })),
    );
    expect(out.events).toEqual([]);
    expect(bench.state("T1.3").task.line).toBe(99);
  });

  it("[RE2] asks a person about a completed task whose text changed", () => {
    const bench = Bench.of(three());
    bench.done("T1.1");
    const out = bench.edit(withTask(three(), "T1.1", edited));
    expect(out.events.slice(0, 2)).toEqual([
      { type: "plan-changed", added: 0, removed: 0, changed: 1 },
      { type: "paused", task: "T1.1", reason: TEXT_CHANGED, by: "rule" },
    ]);
    expect(bench.state("T1.1")).toMatchObject({
      status: "paused",
      reason: TEXT_CHANGED,
      verified: undefined,
    });
  });

  it.each([
    ["done", "completed"],
    ["retry", "in_progress"],
  ] as const)("[RE2] goes on when the person says %s", (action, status) => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.done("T1.1");
    bench.edit(withTask(bench.run.plan, "T1.1", edited));
    bench.act(action, "T1.1");
    expect(bench.status("T1.1")).toBe(status);
  });

  it("[RE2] holds dependents back until then", () => {
    const bench = Bench.of(three(), { parallel: 1 });
    bench.done("T1.1");
    bench.act("pause", "T1.2");
    bench.end("T1.2", { kind: "cancelled" });
    bench.edit(withTask(three(), "T1.1", edited));
    bench.act("resume", "T1.2");
    expect(bench.status("T1.2")).toBe("pending");
    bench.act("done", "T1.1");
    bench.done("T1.3");
    expect(bench.running()).toEqual(["T1.2"]);
  });

  it("[RE2] never asks about a container, which has no work of its own", () => {
    const p = plan(task("A", { children: ["T1.1"] }), task("T1.1"), task("T1.2"));
    const bench = Bench.of(p);
    bench.done("T1.1");
    bench.edit(withTask(p, "A", edited));
    expect(bench.status("A")).toBe("completed");
  });

  it("[RE3] puts the DONE of a task edited meanwhile before a person", () => {
    const bench = Bench.of(three());
    bench.edit(withTask(three(), "T1.1", edited));
    expect(bench.status("T1.1")).toBe("in_progress");
    const out = bench.done("T1.1");
    expect(out.events).toEqual([{ type: "paused", task: "T1.1", reason: TEXT_CHANGED, by: "rule" }]);
    expect(bench.status("T1.2")).toBe("pending");
  });

  it("[RE3] counts its FAIL and takes the new text for the next attempt", () => {
    const bench = Bench.of(three());
    bench.edit(withTask(three(), "T1.1", edited));
    bench.fail("T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", retries: 1, edited: false });
    expect(bench.state("T1.1").task.text).toContain("one more line");
    bench.done("T1.1");
    expect(bench.status("T1.1")).toBe("completed");
  });

  it("[RE4] lets a running task that left finish without counting, in its place", () => {
    const p = plan(task("T1.1", { files: ["a"] }), task("T1.2", { files: ["a"] }), task("T1.3"));
    const bench = Bench.of(p, { parallel: 2 });
    const out = bench.edit(plan(...p.tasks.slice(1), task("T1.4")));
    expect(out.events).toContainEqual(
      expect.objectContaining({ type: "warning", code: "ORPHANED", task: "T1.1" }),
    );
    expect(dispatched(out)).toEqual([]);
    expect(bench.running()).toEqual(["T1.3"]);
    const ended = bench.end("T1.1", { kind: "done", verified: true, textHash: "" }, 1);
    expect(ended.events[0]).toMatchObject({ type: "warning", code: "ORPHANED", task: "T1.1" });
    expect(dispatched(ended)).toEqual(["T1.2"]);
  });

  it("[RE4] keeps everything away from a lone orphan", () => {
    const p = plan(task("T1.1", { risk: "critical" }), task("T1.2"));
    const bench = Bench.of(p);
    expect(dispatched(bench.edit(plan(task("T1.2"))))).toEqual([]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }, 1))).toEqual(["T1.2"]);
  });

  it("[RE4] goes on with the attempt of a task that came back", () => {
    const bench = Bench.of(three());
    bench.edit(plan(task("T1.3")));
    bench.edit(three());
    expect(bench.run.orphans.size).toBe(0);
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", attempts: 1 });
    bench.done("T1.1");
    expect(bench.status("T1.1")).toBe("completed");
  });

  it("[RE4] asks about the result when it came back with other words", () => {
    const bench = Bench.of(three());
    bench.edit(plan(task("T1.3")));
    bench.edit(withTask(three(), "T1.1", edited));
    bench.done("T1.1");
    expect(bench.state("T1.1").reason).toBe(TEXT_CHANGED);
  });

  it("[RE4] does not take up an attempt that a person ended", () => {
    const bench = Bench.of(three());
    bench.act("pause", "T1.1");
    bench.edit(plan(task("T1.3")));
    bench.edit(three());
    expect(bench.status("T1.1")).toBe("paused");
    bench.done("T1.1");
    expect(bench.status("T1.1")).toBe("paused");
  });

  it("[RE4] lets go of a running task that became a container", () => {
    const bench = Bench.of(three());
    bench.edit(withTask(three(), "T1.1", t => edited(t, { children: ["T1.3"] })));
    expect([...bench.run.orphans.keys()]).toEqual(["T1.1"]);
    expect(bench.status("T1.1")).toBe("pending");
    bench.done("T1.1");
    expect(bench.status("T1.1")).toBe("pending");
    bench.done("T1.3");
    expect(bench.status("T1.1")).toBe("completed");
  });

  it("[RE5] forgets nothing of a task that left and came back", () => {
    const bench = Bench.of(three(), { maxAttempts: 3, sameErrorLimit: 0 });
    bench.done("T1.1");
    bench.fail("T1.2");
    bench.act("pause", "T1.3", "later");
    bench.end("T1.3", { kind: "cancelled" });
    bench.edit(plan(task("T1.9")));
    bench.edit(plan(...three().tasks, task("T1.9")));
    expect(bench.state("T1.1")).toMatchObject({ status: "completed", verified: true });
    expect(bench.state("T1.2")).toMatchObject({ status: "in_progress", retries: 1 });
    expect(bench.state("T1.3")).toMatchObject({ status: "paused", reason: told("later") });
  });

  it("[RE5] nor of what became of it since it came back", () => {
    const bench = Bench.of(three());
    bench.edit(plan(...three().tasks.slice(1)));
    bench.end("T1.1", { kind: "cancelled" }, 1);
    bench.edit(three());
    bench.done("T1.1");
    bench.edit(plan(...three().tasks, task("T1.9")));
    expect(bench.state("T1.1")).toMatchObject({ status: "completed", verified: true });
  });

  it("[RE5] asks about a completed task that came back with other words", () => {
    const bench = Bench.of(three());
    bench.done("T1.1");
    bench.edit(plan(task("T1.3")));
    bench.edit(withTask(three(), "T1.1", edited));
    expect(bench.state("T1.1")).toMatchObject({ status: "paused", reason: TEXT_CHANGED });
  });

  it("[RE6] skips what the file leaves out, and takes it in again afresh", () => {
    const bench = Bench.of(three(), { maxAttempts: 1 });
    bench.fail("T1.1");
    const out = withTask(three(), "T1.1", t => edited(t, { skip: true }));
    bench.edit(out);
    expect(bench.state("T1.1")).toMatchObject({ status: "skipped", reason: LEFT_OUT });
    expect(bench.status("T1.2")).toBe("in_progress");
    bench.edit(three());
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", retries: 0, reason: undefined });
  });

  it("[RE6] skips an added task that is left out from the beginning", () => {
    const bench = Bench.of(three());
    bench.edit(plan(...three().tasks, task("T1.4", { skip: true })));
    expect(bench.status("T1.4")).toBe("skipped");
  });

  it("[RE6] does not try a running task again that was left out", () => {
    const bench = Bench.of(three());
    bench.edit(withTask(three(), "T1.3", t => edited(t, { skip: true })));
    expect(bench.status("T1.3")).toBe("in_progress");
    bench.fail("T1.3");
    expect(bench.state("T1.3")).toMatchObject({ status: "skipped", reason: LEFT_OUT, notBefore: 0 });
  });

  it("[RE6] does not undo what a person skipped", () => {
    const bench = Bench.of(three());
    bench.act("skip", "T1.2");
    bench.edit(withTask(three(), "T1.2", edited));
    expect(bench.status("T1.2")).toBe("skipped");
  });

  it("[RE7] keeps the open phase open, and what was told told", () => {
    const p = plan(task("T1.1"), task("T2.1"), task("T3.1"));
    const bench = Bench.of(p);
    bench.done("T1.1");
    const out = bench.edit(plan(...p.tasks, task("T1.2"), task("T2.2")));
    expect(bench.running()).toEqual(["T2.1", "T1.2", "T2.2"]);
    expect(eventTypes(out)).toEqual(["plan-changed", "dispatched"]);
    expect(bench.run.phases[bench.run.open]?.label).toBe("2");
  });

  it("[RE7] goes back to the last phase that was open when the open one is gone", () => {
    const p = plan(task("T1.1"), task("T1.2"), task("T2.1"), task("T3.1"));
    const bench = Bench.of(p, { maxAttempts: 1, phaseGate: 0.5 });
    bench.done("T1.1");
    bench.fail("T1.2");
    expect(bench.running()).toEqual(["T2.1"]);
    bench.act("skip", "T2.1");
    bench.end("T2.1", { kind: "cancelled" });
    expect(bench.running()).toEqual(["T3.1"]);
    bench.edit(plan(...p.tasks.filter(t => t.id !== "T2.1" && t.id !== "T3.1"), task("T4.1")));
    expect(bench.run.phases.map(phase => phase.label)).toEqual(["1", "4"]);
    bench.end("T3.1", { kind: "cancelled" }, 1);
    expect(bench.running()).toEqual(["T4.1"]);
  });

  it("[RE7] does not slip past the gate when the open phase is gone", () => {
    const p = plan(task("T1.1"), task("T2.1"), task("T3.1"));
    const bench = Bench.of(p, { maxAttempts: 1 }, { forced: ["2"] });
    bench.fail("T1.1");
    expect(bench.running()).toEqual(["T2.1"]);
    bench.edit(plan(task("T1.1"), task("T3.1")));
    bench.end("T2.1", { kind: "cancelled" }, 1);
    expect(bench.status("T3.1")).toBe("pending");
    expect(bench.run.ended?.outcome).toBe("waiting");
  });

  it("[RE8] touches every task, new objects that they are", () => {
    const bench = Bench.of(three());
    const before = bench.state("T1.1");
    const out = bench.edit(withTask(three(), "T1.3", edited));
    expect(bench.state("T1.1")).not.toBe(before);
    expect([...out.touched].map(state => state.task.id).sort()).toEqual(["T1.1", "T1.2", "T1.3"]);
    for (const state of out.touched) expect(bench.run.byId.get(state.task.id)).toBe(state);
    expect(out.runTouched).toBe(true);
  });

  it("[RE1] can take back the end of a run", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.done("T1.1");
    const out = bench.edit(plan(task("T1.1"), task("T1.2")));
    expect(bench.run.ended).toBeUndefined();
    expect(dispatched(out)).toEqual(["T1.2"]);
  });
});
