import { describe, expect, it } from "vitest";
import type { TaskStatus } from "../../src/ports/index.ts";
import { actionsFor, type TaskAction } from "../../src/run/index.ts";
import { agentSaid, inEnglish, told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, task } from "./build.ts";

/** A run whose task T1.1 stands at a status; T1.2 keeps the phase open. */
function at(status: TaskStatus): Bench {
  const waits = task("T1.1", status === "pending" ? { dependsOn: ["T1.2"] } : {});
  const p =
    status === "blocked"
      ? plan(task("T1.0"), task("T1.1", { dependsOn: ["T1.0"] }), task("T1.2"))
      : plan(...(status === "ready" ? [task("T1.0", { risk: "critical" })] : []), waits, task("T1.2"));
  const bench = Bench.of(p, { maxAttempts: 1 });
  if (status === "completed") bench.done("T1.1");
  if (status === "failed") bench.fail("T1.1");
  if (status === "blocked") bench.fail("T1.0");
  if (status === "waiting") bench.end("T1.1", { kind: "quota", agent: "a", until: bench.now + 9999 });
  if (status === "paused") bench.end("T1.1", { kind: "needs-person", reason: agentSaid("?") });
  if (status === "skipped" || status === "cancelled") {
    bench.act(status === "skipped" ? "skip" : "cancel", "T1.1");
    bench.end("T1.1", { kind: "cancelled" });
  }
  expect(bench.status("T1.1")).toBe(status);
  return bench;
}

const ALLOWED: Record<TaskStatus, readonly TaskAction[]> = {
  pending: ["retry", "skip", "done", "pause", "cancel"],
  ready: ["retry", "skip", "done", "pause", "cancel"],
  in_progress: ["skip", "done", "pause", "cancel"],
  completed: ["retry", "send-back"],
  failed: ["retry", "skip", "done", "cancel", "send-back"],
  blocked: ["skip", "done", "cancel"],
  paused: ["retry", "skip", "done", "resume", "cancel", "send-back"],
  waiting: ["retry", "skip", "done", "pause", "resume", "cancel", "send-back"],
  cancelled: ["retry", "skip", "done", "send-back"],
  skipped: ["retry", "done", "cancel", "send-back"],
};
/** Of those, what makes sense to offer, the likeliest first. */
const OFFERED: Record<TaskStatus, readonly TaskAction[]> = {
  pending: ["pause", "skip", "done", "cancel"],
  ready: ["pause", "skip", "done", "cancel"],
  in_progress: ["pause", "cancel"],
  completed: ["send-back", "retry"],
  failed: ["retry", "skip", "done", "send-back"],
  blocked: ["skip", "done", "cancel"],
  paused: ["resume", "retry", "skip", "done", "cancel", "send-back"],
  waiting: ["resume", "retry", "skip", "done", "cancel"],
  cancelled: ["retry", "skip", "done"],
  skipped: ["retry", "done"],
};
const ACTIONS: readonly TaskAction[] = [
  "retry",
  "skip",
  "done",
  "pause",
  "resume",
  "cancel",
  "send-back",
  "approve",
];
const AFTER: Record<TaskAction, RegExp> = {
  skip: /^skipped$/,
  done: /^completed$/,
  pause: /^paused$/,
  cancel: /^cancelled$/,
  retry: /^(pending|ready|in_progress)$/,
  resume: /^(pending|ready|in_progress)$/,
  "send-back": /^(pending|ready|in_progress)$/,
  approve: /^completed$/,
};

describe("a person's acts", () => {
  const cases = (Object.keys(ALLOWED) as TaskStatus[]).flatMap(status =>
    ACTIONS.map(action => [action, status, ALLOWED[status].includes(action)] as const),
  );

  it.each(cases.filter(([, , allowed]) => !allowed))(
    "[RA3] refuses to %s a task that is %s",
    (action, status) => {
      const bench = at(status);
      const out = bench.act(action, "T1.1", "because");
      expect(inEnglish(out.refused)).toContain("T1.1");
      expect(out.touched.size + out.events.length + out.commands.length).toBe(0);
      expect(bench.status("T1.1")).toBe(status);
    },
  );

  it.each(cases.filter(([, , allowed]) => allowed))(
    "[RA1] lets a person %s a task that is %s",
    (action, status) => {
      const bench = at(status);
      const out = bench.act(action, "T1.1", "because");
      expect(out.refused).toBeUndefined();
      expect(out.events[0]).toEqual({ type: "person", action, task: "T1.1", note: "because" });
      expect(bench.status("T1.1")).toMatch(AFTER[action]);
    },
  );

  it.each(Object.keys(ALLOWED) as TaskStatus[])(
    "[RA3] what is offered for a task that is %s is accepted",
    status => {
      const offered = actionsFor(at(status).state("T1.1"));
      expect(offered.length).toBeGreaterThan(0);
      for (const action of offered) expect(at(status).act(action, "T1.1", "x").refused).toBeUndefined();
      expect(offered).toEqual(OFFERED[status]);
    },
  );

  it("[RA8] neither offers nor takes a note for a command, which reads none", () => {
    const bench = Bench.of(plan(task("T1.1", { run: "true" })));
    bench.done("T1.1");
    expect(bench.status("T1.1")).toBe("completed");
    expect(actionsFor(bench.state("T1.1"))).not.toContain("send-back");
    expect(inEnglish(bench.act("send-back", "T1.1", "say more").refused)).toMatch(
      /^T1\.1 is a run: block, which reads no note: .* espalier task retry T1\.1$/,
    );
    expect(bench.status("T1.1")).toBe("completed");
  });

  it("[RA1] clears what failures left", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { backoffMs: 60_000 });
    bench.fail("T1.1", "a");
    bench.act("retry", "T1.1");
    expect(bench.state("T1.1")).toMatchObject({
      status: "in_progress",
      retries: 0,
      sameError: 0,
      reason: undefined,
      notBefore: 0,
      attempts: 2,
      stalls: 0,
      clash: "",
    });
  });

  it("[RA1] gives a failed task its ten attempts again", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.failForGood("T1.1");
    bench.act("retry", "T1.1");
    bench.failForGood("T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "failed", retries: 10, attempts: 20 });
  });

  it("[RA1] returns a task to pending when its dependencies are not met", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    bench.act("skip", "T1.2");
    bench.act("retry", "T1.2");
    expect(bench.status("T1.2")).toBe("pending");
  });

  it("[RA1] has the cleared counts written even when the task stays where it was", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    bench.done("T1.1");
    bench.act("retry", "T1.1");
    bench.fail("T1.2", "a");
    expect(bench.state("T1.2")).toMatchObject({ status: "pending", retries: 1 });
    const out = bench.act("retry", "T1.2");
    expect(bench.state("T1.2")).toMatchObject({ status: "pending", retries: 0 });
    expect(out.touched.has(bench.state("T1.2"))).toBe(true);
  });

  it("[RA1] resumes a task that waits for a quota at once", () => {
    const bench = at("waiting");
    expect(dispatched(bench.act("resume", "T1.1"))).toEqual(["T1.1"]);
    expect(bench.run.due.nextAt()).toBeUndefined();
  });

  it("[RA2] waives a skipped task and breaks what needs a cancelled one", () => {
    const p = plan(
      task("T1.1"),
      task("T1.2"),
      task("T1.3", { dependsOn: ["T1.1"] }),
      task("T1.4", { dependsOn: ["T1.2"] }),
    );
    const bench = Bench.of(p);
    bench.act("skip", "T1.1", "not needed");
    bench.act("cancel", "T1.2", "wrong idea");
    expect(bench.all()).toBe("T1.1:skipped T1.2:cancelled T1.3:in_progress T1.4:blocked");
    expect(bench.state("T1.1").reason).toEqual(told("not needed"));
    expect(bench.state("T1.2").reason).toEqual(told("wrong idea"));
  });

  it("[RA2] says who cancelled a task, with or without a note, and names it apart from what failed", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    bench.act("cancel", "T1.1");
    bench.end("T1.1", { kind: "cancelled" });
    expect(bench.state("T1.1").reason).toEqual(told("cancelled by a person"));
    expect(bench.run.ended?.reason).toEqual(told("cancelled: T1.1; blocked: T1.2"));
  });

  it("[RA2] completes by hand without proof, with the text's hash and a tick", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })));
    const out = bench.act("done", "T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "completed", verified: false, textHash: "by hand" });
    expect(out.commands).toContainEqual({ type: "tick-box", task: "T1.1" });
    expect(out.events).toContainEqual({
      type: "completed",
      task: "T1.1",
      verified: false,
      by: "person",
      ms: 0,
    });
  });

  it("[RA2] says why it is paused, with or without a note", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.act("pause", "T1.1");
    bench.act("pause", "T1.2", "look at the design first");
    expect(bench.state("T1.1").reason).toEqual(told("paused by a person"));
    expect(bench.state("T1.2").reason).toEqual(told("look at the design first"));
    bench.end("T1.1", { kind: "cancelled" });
    bench.end("T1.2", { kind: "cancelled" });
    expect(bench.run.ended?.outcome).toBe("waiting");
  });

  it.each([
    ["pause", "completed", "T1.1 is already completed"],
    ["pause", "paused", "T1.1 is already paused"],
    ["skip", "completed", "T1.1 is completed; nothing to skip"],
    ["skip", "skipped", "T1.1 is already skipped"],
    ["cancel", "completed", "T1.1 is completed; nothing to cancel"],
    ["cancel", "cancelled", "T1.1 is already cancelled"],
    ["done", "completed", "T1.1 is already completed"],
    ["resume", "ready", "T1.1 is ready, not paused"],
  ] as const)("[RA3] says to %s of a task that is %s: %s", (action, status, words) => {
    expect(at(status).act(action, "T1.1").refused).toEqual(told(words));
  });

  it("[RA3] refuses what nobody has heard of, in words", () => {
    const bench = Bench.of(plan(task("T1.1")));
    expect(bench.act("retry", "T9.9").refused).toEqual(told("no task T9.9 in this plan"));
    expect(bench.act("retry", "T1.1").refused).toEqual(told("T1.1 is running; pause or cancel it first"));
    expect(bench.act("resume", "T1.1").refused).toEqual(told("T1.1 is in_progress, not paused"));
  });

  it.each([
    ["completed", "", 'nothing is said of what to change: espalier task send-back T1.1 "what you want"'],
    ["in_progress", "x", 'T1.1 is being worked on: tell its agent (espalier task tell T1.1 "…")'],
    ["pending", "x", "nobody has worked on T1.1 yet; there is nothing to send back"],
    ["blocked", "x", "T1.1 is blocked by T1.0: retry or skip that task instead"],
  ] as const)("[RA8] does not send back a task that is %s with the note '%s'", (status, note, words) => {
    expect(at(status).act("send-back", "T1.1", note).refused).toEqual(told(words));
  });

  it("[RA8] sends back what is done: no failure is counted, and those before are forgotten", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })), { backoffMs: 0 });
    bench.fail("T1.1");
    bench.done("T1.1");
    const out = bench.act("send-back", "T1.1", "say it in Korean");
    expect(out.events[0]).toEqual({
      type: "person",
      action: "send-back",
      task: "T1.1",
      note: "say it in Korean",
    });
    expect(bench.state("T1.1")).toMatchObject({ status: "in_progress", retries: 0, attempts: 3 });
    expect(bench.state("T1.1").verified).toBeUndefined();
  });

  it("[RA9] counts an unverified completion as proved once a person has approved it, with those that group it", () => {
    const bench = Bench.of(
      plan(
        task("G", { children: ["G1"] }),
        task("G1", { children: ["T1.1", "T1.2"] }),
        task("T1.1"),
        task("T1.2"),
      ),
    );
    bench.done("T1.1", false);
    bench.done("T1.2");
    expect(bench.run.ended?.outcome).toBe("completed");
    expect(actionsFor(bench.state("T1.1"))).toEqual(["approve", "send-back", "retry"]);
    expect(inEnglish(bench.act("approve", "G").refused)).toContain("act on G1 instead");
    const out = bench.act("approve", "T1.1");
    expect(out.events).toEqual([{ type: "person", action: "approve", task: "T1.1", note: "" }]);
    expect([...out.touched].map(state => state.task.id).toSorted()).toEqual(["G", "G1", "T1.1"]);
    expect(["G", "G1", "T1.1"].map(id => bench.state(id).verified)).toEqual([true, true, true]);
    expect(bench.run.ended?.outcome).toBe("completed");
    expect(bench.act("approve", "T1.1").refused).toEqual(
      told("T1.1 is proved already; there is nothing to approve"),
    );
  });

  it("[RA9] takes from an approved completion that it is stale", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.end("T1.1", { kind: "done", verified: true, textHash: "", stale: "GC v1 of v2" });
    bench.act("approve", "T1.1");
    expect(bench.state("T1.1")).toMatchObject({ status: "completed", verified: true, reason: undefined });
  });

  it("[RA9] has proved work go on that waits for its review, and nothing else that is paused", () => {
    const bench = at("paused");
    expect(bench.act("approve", "T1.1").refused).toEqual(
      told("T1.1 is paused, and no proved work of it waits: there is nothing to approve"),
    );
    expect(actionsFor(bench.state("T1.1"), true)[0]).toBe("approve");
    const act = {
      type: "act",
      action: "approve",
      task: "T1.1",
      note: "",
      textHash: "",
      now: bench.now,
    } as const;
    expect(dispatched(bench.send({ ...act, awaitsReview: true }))).toEqual(["T1.1"]);
  });

  it("[RA4] ends the attempt under way and ignores its result", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    const out = bench.act("pause", "T1.1");
    expect(out.commands).toEqual([{ type: "cancel", task: "T1.1", attempt: 1, how: "soft" }]);
    const late = bench.done("T1.1");
    expect(late.events).toEqual([]);
    expect(bench.status("T1.1")).toBe("paused");
    expect(bench.state("T1.1").verified).toBeUndefined();
  });

  it("[RA5] goes on after the end when work becomes possible", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] })), { maxAttempts: 1 });
    bench.fail("T1.1");
    expect(bench.run.ended?.outcome).toBe("failed");
    const out = bench.act("skip", "T1.1");
    expect(bench.run.ended).toBeUndefined();
    expect(out.runTouched).toBe(true);
    expect(bench.running()).toEqual(["T1.2"]);
    expect(eventTypes(bench.done("T1.2"))).toContain("run-ended");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RA5] ends anew, otherwise, when nothing is left", () => {
    const bench = Bench.of(plan(task("T1.1")), { maxAttempts: 1 });
    bench.fail("T1.1");
    const out = bench.act("skip", "T1.1");
    expect(out.commands).toEqual([{ type: "end", outcome: "completed", reason: undefined }]);
    expect(bench.act("resume", "T1.1").refused).toBeDefined();
    expect(bench.run.ended?.outcome).toBe("completed");
  });
});
