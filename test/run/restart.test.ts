import { describe, expect, it } from "vitest";
import type { Plan } from "../../src/plan/index.ts";
import { because, type TaskRow } from "../../src/ports/index.ts";
import { buildState } from "../../src/run/build.ts";
import {
  LEFT_OUT,
  MAX_WAIT_MS,
  pauseChanged,
  type RestoreOptions,
  type RunPolicy,
  restoreRun,
  TEXT_CHANGED,
  taskRow,
} from "../../src/run/index.ts";
import { agentSaid, told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, hash, plan, rules, task } from "./build.ts";

/** What a store would hold of a run. */
const rowsOf = (bench: Bench): TaskRow[] => bench.run.tasks.map(taskRow);

function restart(
  p: Plan,
  rows: TaskRow[],
  more: Partial<RestoreOptions> = {},
  policy: Partial<RunPolicy> = {},
): Bench {
  const bench = new Bench(restoreRun(p, rows, { policy: rules(policy), ...more }));
  bench.start(true);
  return bench;
}

const row = (id: string, more: Partial<TaskRow> = {}): TaskRow => ({
  id,
  status: "ready",
  retries: 0,
  attempts: 0,
  reason: undefined,
  sameError: 0,
  textHash: "",
  notBefore: 0,
  ...more,
});

/** What nobody has worked on. */
const UNTOUCHED = {
  learned: [],
  status: "pending",
  retries: 0,
  attempts: 0,
  sameError: 0,
  reason: undefined,
  verified: undefined,
  textHash: "",
  notBefore: 0,
  stalls: 0,
  clash: "",
  held: undefined,
  edited: false,
  weaker: [],
  unsaved: false,
};

describe("restart", () => {
  it("[RK2] begins with nothing counted, nothing held and nothing to be written", () => {
    const [state] = buildState(plan(task("T1.1")), rules(), new Map()).tasks;
    expect(state).toMatchObject(UNTOUCHED);
    const bare = {
      id: "T1.1",
      status: "pending",
      retries: 0,
      attempts: 0,
      sameError: 0,
      textHash: "",
      notBefore: 0,
    };
    expect(taskRow(state!)).toEqual({ ...bare, reason: undefined });
  });

  it("[RK1] frees what was in progress, without a retry", () => {
    const p = plan(task("T1.1"), task("T1.2"));
    const before = Bench.of(p);
    before.fail("T1.1");
    const after = restart(p, rowsOf(before));
    expect(after.state("T1.1")).toMatchObject({ status: "in_progress", retries: 1, attempts: 3 });
    expect(after.state("T1.2")).toMatchObject({ status: "in_progress", retries: 0, attempts: 2 });
    expect(after.results[0]?.events[0]).toMatchObject({ type: "run-started", resumed: true });
  });

  it("[RR5] remembers how many starts in a row came to nothing", () => {
    const p = plan(task("T1.1"));
    const before = Bench.of(p);
    for (let n = 0; n < 9; n++) {
      before.end("T1.1", { kind: "stalled", reason: told("EAGAIN") });
      before.tick(3_600_000);
    }
    const after = restart(p, rowsOf(before));
    expect(after.status("T1.1")).toBe("in_progress");
    after.end("T1.1", { kind: "stalled", reason: told("EAGAIN") });
    expect(after.status("T1.1")).toBe("paused");
  });

  it("[RR11] remembers what stood on both sides of a conflict: met again it pauses", () => {
    const p = plan(task("T1.1"));
    const conflict = {
      kind: "conflict",
      files: ["a"],
      others: [],
      reason: told("both changed a"),
      again: true,
      content: "x",
    } as const;
    const before = Bench.of(p);
    before.end("T1.1", conflict);
    const after = restart(p, rowsOf(before));
    after.end("T1.1", conflict);
    expect(after.status("T1.1")).toBe("paused");
    const other = restart(p, rowsOf(before));
    other.end("T1.1", { ...conflict, content: "y" });
    expect(other.status("T1.1")).toBe("in_progress");
  });

  it("[RK1] ignores the result of an attempt from before", () => {
    const p = plan(task("T1.1"));
    const after = restart(p, rowsOf(Bench.of(p)));
    expect(after.end("T1.1", { kind: "done", verified: true, textHash: "" }, 1).events).toEqual([]);
    after.done("T1.1");
    expect(after.status("T1.1")).toBe("completed");
  });

  it("[RK1] keeps what lasts", () => {
    const p = plan(
      ...["completed", "failed", "paused", "skipped", "cancelled", "waiting", "ready"].map(s =>
        task(`T1.${s}`),
      ),
      task("T1.blocked", { dependsOn: ["T1.failed"] }),
    );
    const rows = ["completed", "failed", "paused", "skipped", "cancelled", "waiting", "ready", "blocked"].map(
      status =>
        row(`T1.${status}`, {
          status: status as TaskRow["status"],
          retries: 2,
          reason: status === "blocked" ? because("blocked-by", { task: "T1.gone" }) : agentSaid("why"),
          notBefore: status === "waiting" ? 1_003_000 : 0,
          ...(status === "completed" ? { verified: true, textHash: "h" } : {}),
        }),
    );
    const after = restart(p, rows);
    expect(after.all()).toBe(
      "T1.completed:completed T1.failed:failed T1.paused:paused T1.skipped:skipped T1.cancelled:cancelled " +
        "T1.waiting:waiting T1.ready:in_progress T1.blocked:blocked",
    );
    expect(after.state("T1.completed")).toMatchObject({ verified: true, textHash: "h", retries: 2 });
    expect(after.state("T1.blocked").reason).toEqual(told("blocked by T1.failed"));
    expect(dispatched(after.tick(3000))).toEqual(["T1.waiting"]);
  });

  it("[RK1] frees what is blocked by nothing any more", () => {
    const p = plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }));
    const rows = [
      row("T1.1", { status: "completed" }),
      row("T1.2", { status: "blocked", reason: agentSaid("blocked by T1.1") }),
    ];
    const after = restart(p, rows);
    expect(after.state("T1.2")).toMatchObject({ status: "in_progress", reason: undefined });
    expect(eventTypes(after.results[0]!)).not.toContain("unblocked");
  });

  it("[RK1] drops rows of tasks that are gone and begins new ones", () => {
    const after = restart(plan(task("T1.2")), [row("T1.1", { status: "failed" })]);
    expect(after.all()).toBe("T1.2:in_progress");
  });

  it("[RK1] restores the file order with everything that had ended", () => {
    const s = { order: "sequential" } as const;
    const p = plan(task("T1.1", s), task("T1.2", s), task("T1.3", s), task("T1.4", s));
    const rows = [
      row("T1.1", { status: "failed", retries: 10 }),
      row("T1.2", { status: "ready" }),
      row("T1.3", { status: "completed" }),
    ];
    const after = restart(p, rows);
    expect(after.running()).toEqual(["T1.2"]);
    after.done("T1.2");
    expect(after.running()).toEqual(["T1.4"]);
  });

  it("[RK1] restores containers from their children, whatever their rows say", () => {
    const p = plan(task("A", { children: ["T1.1"] }), task("T1.1"), task("T1.2", { dependsOn: ["A"] }));
    for (const status of ["completed", "ready", "in_progress", "failed", "blocked"] as const) {
      const after = restart(p, [row("A", { status }), row("T1.1", { status: "ready" })]);
      expect(after.all()).toBe("A:pending T1.1:in_progress T1.2:pending");
    }
    const done = restart(p, [
      row("A", { status: "completed", verified: true }),
      row("T1.1", { status: "completed" }),
    ]);
    expect(done.state("A")).toMatchObject({ status: "completed", verified: true });
    expect(done.results[0]?.commands).not.toContainEqual({ type: "tick-box", task: "A" });
  });

  it("[RK1] tells nothing of phases it has told before", () => {
    const p = plan(task("T1.1"), task("T2.1"), task("T3.1"));
    const before = Bench.of(p, { maxAttempts: 1, phaseGate: 0 });
    before.fail("T1.1");
    const after = restart(p, rowsOf(before), { phase: "2" }, { phaseGate: 0 });
    expect(eventTypes(after.results[0]!)).toEqual(["run-started", "phase-started", "dispatched"]);
    expect(after.running()).toEqual(["T2.1"]);
  });

  it("[RK1] remembers forced phases", () => {
    const p = plan(task("T1.1"), task("T2.1"));
    const before = Bench.of(p, { maxAttempts: 1 });
    before.fail("T1.1");
    expect(before.run.ended?.outcome).toBe("waiting");
    expect(restart(p, rowsOf(before)).run.ended?.outcome).toBe("waiting");
    expect(restart(p, rowsOf(before), { forced: ["2"] }).running()).toEqual(["T2.1"]);
  });

  it("[RK1] does not wait for the quota of a task outside its scope", () => {
    const p = plan(task("T1.1"), task("T1.2"));
    const rows = [row("T1.1", { status: "waiting", notBefore: 1_500_000 })];
    const after = restart(p, rows, { only: new Set(["T1.2"]) });
    after.done("T1.2");
    expect(after.run.ended?.outcome).toBe("completed");
    expect(after.status("T1.1")).toBe("pending");
  });

  it("[RK2] takes ticked boxes for completed, unverified", () => {
    const p = plan(task("T1.1", { done: true }), task("T1.2", { dependsOn: ["T1.1"] }));
    const bench = Bench.of(p);
    expect(bench.state("T1.1")).toMatchObject({
      status: "completed",
      verified: false,
      textHash: hash(p.tasks[0]!.text),
      attempts: 0,
    });
    expect(bench.running()).toEqual(["T1.2"]);
  });

  it("[RK2] skips what the file leaves out, and lets a person take it in", () => {
    const bench = Bench.of(plan(task("T1.1", { skip: true }), task("T1.2", { dependsOn: ["T1.1"] })));
    expect(bench.state("T1.1")).toMatchObject({ status: "skipped", reason: LEFT_OUT });
    expect(bench.running()).toEqual(["T1.2"]);
    bench.act("retry", "T1.1");
    expect(bench.running()).toContain("T1.1");
  });

  it("[RK3] limits a retry to the longest backoff after a clock jump", () => {
    const p = plan(task("T1.1"));
    const far = row("T1.1", { notBefore: 9_999_999_999_999, retries: 1 });
    const after = restart(p, [far], {}, { backoffMaxMs: 60_000 });
    expect(after.status("T1.1")).toBe("ready");
    expect(after.state("T1.1").notBefore).toBe(after.now + 60_000);
    expect(after.results[0]?.touched.has(after.state("T1.1"))).toBe(true);
    expect(after.run.due.nextAt()).toBe(after.now + 60_000);
    expect(dispatched(after.tick(60_000))).toEqual(["T1.1"]);
  });

  it("[RK3] limits a quota to seven days, and leaves shorter waits alone", () => {
    const p = plan(task("T1.1"), task("T1.2"));
    const rows = [
      row("T1.1", { status: "waiting", notBefore: 9_999_999_999_999 }),
      row("T1.2", { status: "waiting", notBefore: 1_100_000 }),
    ];
    const after = restart(p, rows);
    expect(after.state("T1.1").notBefore).toBe(after.now + MAX_WAIT_MS);
    expect(after.state("T1.2").notBefore).toBe(1_100_000);
    expect(after.run.due.nextAt()).toBe(1_100_000);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])("[RK3] survives a time of %d", notBefore => {
    const after = restart(plan(task("T1.1")), [row("T1.1", { notBefore })]);
    if (after.status("T1.1") === "ready") after.tick(60_000);
    expect(after.status("T1.1")).toBe("in_progress");
  });

  it("[RK3] limits the wait of a task whose phase opens later", () => {
    const p = plan(task("T1.1"), task("T2.1"));
    const after = restart(p, [row("T2.1", { notBefore: 9_999_999_999_999 })]);
    after.now += 60_000;
    expect(dispatched(after.done("T1.1"))).toEqual(["T2.1"]);
  });

  it("[RK4] has a new run written whole", () => {
    const bench = Bench.of(plan(task("T1.1", { done: true }), task("T1.2"), task("T2.1")));
    expect([...bench.results[0]!.touched]).toHaveLength(3);
    expect(bench.results[0]?.runTouched).toBe(true);
  });

  it("[RK4] has of a resumed run written what differs", () => {
    const p = plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("T1.3"), task("T2.1"));
    const rows = [
      row("T1.1", { status: "completed", verified: true }),
      row("T1.2", { status: "paused", reason: agentSaid("?") }),
      row("T1.3", { status: "in_progress", attempts: 1 }),
      row("T2.1", { status: "pending" }),
    ];
    const after = restart(p, rows, {}, { parallel: 1 });
    expect([...after.results[0]!.touched].map(state => state.task.id)).toEqual(["T1.3"]);
  });

  it("[RK4] touches what is known better than the store knows it", () => {
    const p = plan(task("T1.1"), task("T1.2"));
    const stored = [row("T1.1", { status: "in_progress", attempts: 1 }), row("T1.2", { status: "ready" })];
    const landed = [{ ...stored[0]!, status: "completed" as const, verified: true }, stored[1]!];
    const after = restart(p, landed, { stored }, { parallel: 1 });
    expect([...after.results[0]!.touched].map(taskRow)).toMatchObject([
      { id: "T1.1", status: "completed", verified: true },
      { id: "T1.2", status: "in_progress" },
    ]);
  });

  it("[RK4] pauses what was edited while nobody ran, durably", () => {
    const p = plan(task("T1.1"), task("T1.2", { dependsOn: ["T1.1"] }), task("A", { children: ["T1.1"] }));
    const rows = [
      row("T1.1", { status: "completed", verified: true }),
      row("T1.2"),
      row("A", { status: "completed" }),
    ];
    const run = restoreRun(p, rows, { policy: rules() });
    expect(pauseChanged(run, ["T1.1", "T1.2", "A", "T9.9"])).toEqual(["T1.1"]);
    const after = new Bench(run);
    const out = after.start(true);
    expect(after.state("T1.1")).toMatchObject({
      status: "paused",
      reason: TEXT_CHANGED,
      verified: undefined,
    });
    expect(out.touched.has(after.state("T1.1"))).toBe(true);
    expect(after.all()).toBe("T1.1:paused T1.2:pending A:pending");
    expect(after.run.ended?.outcome).toBe("waiting");
  });

  it("[RK4] skips and takes in again what was left out while nobody ran", () => {
    const p = plan(task("T1.1", { skip: true }), task("T1.2"), task("T1.3", { skip: true }));
    const rows = [
      row("T1.1"),
      row("T1.2", { status: "skipped", reason: LEFT_OUT }),
      row("T1.3", { status: "completed" }),
    ];
    const run = restoreRun(p, rows, { policy: rules() });
    expect(pauseChanged(run, ["T1.1", "T1.2"])).toEqual([]);
    const after = new Bench(run);
    after.start(true);
    expect(after.all()).toBe("T1.1:skipped T1.2:in_progress T1.3:completed");
  });

  it("[RK5] keeps what a lead works on, and its phase", () => {
    const p = plan(task("T1.1"), task("T2.1", { files: ["a"] }), task("T2.2", { files: ["a"] }));
    const rows = [
      row("T1.1", { status: "completed", verified: true }),
      row("T2.1", { status: "in_progress", attempts: 3 }),
      row("T2.2"),
    ];
    const options = { phase: "2", keepRunning: new Set(["T2.1", "T1.1"]) };
    const after = restart(p, rows, options, { advance: "asked" });
    expect(after.all()).toBe("T1.1:completed T2.1:in_progress T2.2:ready");
    expect(eventTypes(after.results[0]!)).toEqual(["run-started"]);
    expect(after.send({ type: "claim", task: "T2.2", now: 0 }).refused).toEqual(
      told("T2.2 shares a with a running task"),
    );
    after.end("T2.1", { kind: "done", verified: true, textHash: "" }, 3);
    expect(after.status("T2.1")).toBe("completed");
  });

  it("[RK5] does not open a phase the lead was not given", () => {
    const p = plan(task("T1.1"), task("T2.1"));
    const rows = [row("T1.1", { status: "completed", verified: true })];
    const after = restart(p, rows, { phase: "1" }, { advance: "asked" });
    expect(after.status("T2.1")).toBe("pending");
    expect(eventTypes(after.results[0]!)).toEqual(["run-started"]);
    after.send({ type: "advance", now: 0 });
    expect(after.status("T2.1")).toBe("ready");
  });
});
