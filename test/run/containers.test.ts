import { describe, expect, it } from "vitest";
import { actionsFor } from "../../src/run/index.ts";
import { told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, task } from "./build.ts";

const group = (more = {}) => task("T1", { phase: 1, children: ["T1.1", "T1.2"], ...more });
const grouped = (...more: ReturnType<typeof task>[]) => plan(group(), task("T1.1"), task("T1.2"), ...more);

describe("containers", () => {
  it("[RC1] is never dispatched and completes with its children", () => {
    const bench = Bench.of(grouped(task("T1.3", { dependsOn: ["T1"] })));
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
    bench.done("T1.1");
    const out = bench.done("T1.2");
    expect(out.events).toContainEqual({
      type: "completed",
      task: "T1",
      verified: true,
      by: "children",
      ms: 0,
    });
    expect(out.commands).toContainEqual({ type: "tick-box", task: "T1" });
    expect(dispatched(out)).toEqual(["T1.3"]);
    expect(bench.state("T1").attempts).toBe(0);
  });

  it.each([
    [true, true, true],
    [true, false, false],
  ])("[RC1] is verified when all children are (%s, %s)", (first, second, verified) => {
    const bench = Bench.of(grouped());
    bench.done("T1.1", first);
    bench.done("T1.2", second);
    expect(bench.state("T1").verified).toBe(verified);
  });

  it.each<[string, (bench: Bench) => unknown]>([
    ["pending", () => {}],
    ["completed", bench => [bench.done("T1.1"), bench.done("T1.2")]],
    ["blocked", bench => bench.fail("T1.1")],
    ["paused", bench => bench.act("pause", "T1")],
    ["skipped", bench => bench.act("skip", "T1")],
    ["cancelled", bench => bench.act("cancel", "T1")],
  ])("[RA3] what is offered for one that is %s is accepted", (status, prepare) => {
    const at = () => {
      const bench = Bench.of(grouped(), { maxAttempts: 1 });
      prepare(bench);
      expect(bench.status("T1")).toBe(status);
      return bench;
    };
    for (const action of actionsFor(at().state("T1")))
      expect([action, at().act(action, "T1", "x").refused]).toEqual([action, undefined]);
  });

  it("[RC1] waits for what it declares itself, too", () => {
    const bench = Bench.of(plan(task("T1.0"), group({ dependsOn: ["T1.0"] }), task("T1.1"), task("T1.2")));
    bench.done("T1.1");
    bench.done("T1.2");
    expect(bench.status("T1")).toBe("pending");
    bench.done("T1.0");
    expect(bench.status("T1")).toBe("completed");
  });

  it("[RC1] completes with skipped children, and nested ones in turn", () => {
    const bench = Bench.of(
      plan(
        task("A", { children: ["B", "T1.3"] }),
        task("B", { children: ["T1.1", "T1.2"] }),
        task("T1.1"),
        task("T1.2"),
        task("T1.3"),
      ),
    );
    for (const id of ["T1.1", "T1.3"]) bench.done(id);
    bench.act("skip", "T1.2");
    bench.end("T1.2", { kind: "cancelled" });
    expect(bench.all()).toBe("A:completed B:completed T1.1:completed T1.2:skipped T1.3:completed");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RC1] completes at once, unverified, when it groups nothing", () => {
    const bench = Bench.of(plan(task("A", { children: [] }), task("T1.1")));
    expect(bench.state("A")).toMatchObject({ status: "completed", verified: false });
  });

  it("[RC2] is blocked by a failed child and free again with it", () => {
    const bench = Bench.of(grouped(task("T1.3", { dependsOn: ["T1"] })), { maxAttempts: 1 });
    bench.fail("T1.1");
    expect(bench.state("T1")).toMatchObject({ status: "blocked", reason: told("blocked by T1.1") });
    expect(bench.status("T1.3")).toBe("blocked");
    bench.act("retry", "T1.1");
    expect(bench.all()).toContain("T1:pending");
    expect(bench.status("T1.3")).toBe("pending");
  });

  it("[RC2] is completed no more when a child is taken up again", () => {
    const bench = Bench.of(grouped(task("T1.3", { dependsOn: ["T1"] }), task("T1.4")), { parallel: 2 });
    bench.done("T1.1");
    bench.done("T1.2");
    expect(bench.all()).toContain("T1:completed");
    bench.act("retry", "T1.1");
    expect(bench.state("T1")).toMatchObject({ status: "pending", verified: undefined });
    expect(eventTypes(bench.done("T1.3"))).not.toContain("phase-ended");
    expect(bench.running()).toContain("T1.1");
    bench.done("T1.1");
    expect(bench.status("T1")).toBe("completed");
  });

  it("[RC3] counts neither for the end of its phase nor for the gate", () => {
    const ten = Array.from({ length: 10 }, (_, n) => task(`T1.${n}`));
    const all = task("T1", { phase: 1, children: ten.map(t => t.id) });
    const bench = Bench.of(plan(all, ...ten, task("T2.1")), { maxAttempts: 1, parallel: 10 });
    bench.fail("T1.0");
    for (const { id } of ten.slice(1)) bench.done(id);
    expect(bench.all()).toContain("T1:blocked");
    expect(bench.running()).toEqual(["T2.1"]);
    const started = bench.results[0]?.events.find(event => event.type === "phase-started");
    expect(started).toMatchObject({ tasks: 10 });
  });

  it("[RC3] holds nothing back when its children belong to a later phase", () => {
    const bench = Bench.of(plan(task("A", { phase: 1, children: ["T2.1"] }), task("T1.1"), task("T2.1")));
    bench.done("T1.1");
    bench.done("T2.1");
    expect(bench.all()).toBe("A:completed T1.1:completed T2.1:completed");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RC4] counts a ticked box only when all children are ticked", () => {
    const half = plan(group({ done: true }), task("T1.1", { done: true }), task("T1.2"));
    expect(Bench.of(half).all()).toBe("T1:pending T1.1:completed T1.2:in_progress");
    const whole = plan(group({ done: true }), task("T1.1", { done: true }), task("T1.2", { done: true }));
    const bench = Bench.of(whole);
    expect(bench.run.ended?.outcome).toBe("completed");
    expect(bench.results[0]?.commands.map(command => command.type)).toEqual(["end"]);
  });

  it("[RC4] completes a container whose children were all ticked already, without a word", () => {
    const bench = Bench.of(
      plan(group(), task("T1.1", { done: true }), task("T1.2", { done: true }), task("T1.3")),
    );
    expect(bench.state("T1")).toMatchObject({ status: "completed", verified: false });
    expect(eventTypes(bench.results[0]!)).toEqual(["run-started", "phase-started", "dispatched"]);
  });

  it("[RC5] refuses acts that only its children can answer", () => {
    const bench = Bench.of(grouped());
    const hint = "T1 completes with its tasks: act on T1.1, T1.2 instead";
    expect(bench.act("done", "T1").refused).toEqual(told(hint));
    expect(bench.act("retry", "T1").refused).toEqual(told(hint));
  });

  it.each(["skip", "cancel", "pause"] as const)("[RC5] can be told to %s, and taken up again", action => {
    const bench = Bench.of(grouped(task("T1.3", { dependsOn: ["T1"] }), task("T1.4")));
    expect(bench.act(action, "T1").refused).toBeUndefined();
    expect(bench.running()).toContain("T1.1");
    bench.done("T1.1");
    bench.done("T1.2");
    expect(bench.status("T1.3")).toBe({ skip: "in_progress", cancel: "blocked", pause: "pending" }[action]);
    expect(bench.act(action === "pause" ? "resume" : "retry", "T1").refused).toBeUndefined();
    expect(bench.status("T1")).toBe("completed");
    expect(bench.status("T1.3")).toBe("in_progress");
  });

  it("[RC6] makes its tasks wait for what it waits for", () => {
    const bench = Bench.of(
      plan(
        task("T1.0"),
        group({ dependsOn: ["T1.0"] }),
        task("T1.1", { inherited: ["T1.0"] }),
        task("T1.2", { inherited: ["T1.0"], dependsOn: ["T1.0"] }),
      ),
      { maxAttempts: 1 },
    );
    expect(bench.running()).toEqual(["T1.0"]);
    bench.fail("T1.0");
    expect(bench.state("T1.1").reason).toEqual(told("blocked by T1.0"));
    bench.act("done", "T1.0");
    expect(bench.running()).toEqual(["T1.1", "T1.2"]);
  });
});
