import { describe, expect, it } from "vitest";
import { told } from "../reasons.ts";
import { Bench, dispatched, eventTypes, plan, task } from "./build.ts";

const four = () => plan(task("T1.1"), task("T1.2"), task("T1.3", { dependsOn: ["T1.1"] }), task("T1.4"));

describe("stop", () => {
  it.each(["soft", "hard"] as const)("[RX1] cancels what runs (%s) and starts nothing more", how => {
    const bench = Bench.of(four(), { parallel: 2 });
    const out = bench.stop(how);
    expect(out.events).toEqual([{ type: "stopping", by: "SIGINT" }]);
    expect(out.commands).toEqual([
      { type: "cancel", task: "T1.1", attempt: 1, how },
      { type: "cancel", task: "T1.2", attempt: 1, how },
    ]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }))).toEqual([]);
    expect(dispatched(bench.tick(60_000))).toEqual([]);
  });

  it("[RX1] lets a result that still comes count", () => {
    const bench = Bench.of(four(), { parallel: 2 });
    bench.stop();
    bench.done("T1.1");
    bench.fail("T1.2", "late");
    expect(bench.all()).toBe("T1.1:completed T1.2:ready T1.3:ready T1.4:ready");
    expect(bench.state("T1.2").retries).toBe(1);
  });

  it("[RX2] charges nothing for a cancelled attempt", () => {
    const bench = Bench.of(four(), { parallel: 2 });
    bench.stop();
    bench.end("T1.1", { kind: "cancelled" });
    expect(bench.state("T1.1")).toMatchObject({ status: "ready", retries: 0, stalls: 0, notBefore: 0 });
  });

  it("[RX3] ends as interrupted once no attempt is left", () => {
    const bench = Bench.of(four(), { parallel: 2 });
    bench.stop();
    bench.end("T1.1", { kind: "cancelled" });
    expect(bench.run.ended).toBeUndefined();
    const out = bench.end("T1.2", { kind: "cancelled" });
    expect(out.commands).toEqual([
      { type: "end", outcome: "interrupted", reason: told("stopped before all tasks had ended") },
    ]);
  });

  it("[RX3] ends at once when nothing runs", () => {
    const bench = Bench.of(plan(task("T1.1")), { backoffMs: 60_000 });
    bench.fail("T1.1");
    expect(bench.run.due.nextAt()).toBeDefined();
    bench.stop();
    expect(bench.run.ended?.outcome).toBe("interrupted");
  });

  it("[RX3] ends as what it is when the last task ends in spite of the stop", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.stop();
    bench.done("T1.1");
    expect(bench.run.ended?.outcome).toBe("completed");
  });

  it("[RX3] opens no further phase", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T2.1")));
    bench.stop();
    expect(eventTypes(bench.done("T1.1"))).toEqual(["completed", "run-ended"]);
    expect(bench.run.ended?.outcome).toBe("interrupted");
  });

  it("[RX4] holds the place of an attempt a person ended until its agent is gone", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")), { parallel: 1 });
    expect(dispatched(bench.act("skip", "T1.1"))).toEqual([]);
    expect([...bench.run.orphans.keys()]).toEqual(["T1.1"]);
    expect(bench.end("T1.1", { kind: "cancelled" }, 7).commands).toEqual([]);
    expect(dispatched(bench.end("T1.1", { kind: "cancelled" }, 1))).toEqual(["T1.2"]);
    expect(bench.run.orphans.size).toBe(0);
  });

  it("[RX7] tells what an attempt had landed before a person took its task from it", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.act("cancel", "T1.1");
    const landed = { kind: "done", verified: true, textHash: "", commit: "0123456789abcdef" } as const;
    expect(bench.end("T1.1", landed).events).toEqual([
      {
        type: "warning",
        code: "LANDED_ANYWAY",
        message: { code: "landed-orphaned", args: { commit: "0123456789" } },
        task: "T1.1",
      },
    ]);
    expect(bench.status("T1.1")).toBe("cancelled");
    bench.act("cancel", "T1.2");
    expect(bench.end("T1.2", { kind: "cancelled" }).events.map(({ type }) => type)).not.toContain("warning");
  });

  it("[RX4] does not end before its orphans have", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.act("skip", "T1.1");
    expect(bench.run.ended).toBeUndefined();
    bench.done("T1.1");
    expect(bench.run.ended).toEqual({ outcome: "completed", reason: undefined });
    expect(bench.status("T1.1")).toBe("skipped");
  });

  it("[RX4] cancels orphans as well", () => {
    const bench = Bench.of(plan(task("T1.1"), task("T1.2")));
    bench.act("skip", "T1.1");
    expect(bench.stop("hard").commands).toEqual([
      { type: "cancel", task: "T1.2", attempt: 1, how: "hard" },
      { type: "cancel", task: "T1.1", attempt: 1, how: "hard" },
    ]);
    bench.end("T1.2", { kind: "cancelled" });
    expect(bench.run.ended).toBeUndefined();
    bench.end("T1.1", { kind: "cancelled" });
    expect(bench.run.ended?.outcome).toBe("interrupted");
  });

  it("[RX5] passes a second stop on, and tells the first only", () => {
    const bench = Bench.of(plan(task("T1.1")));
    bench.stop("soft");
    const out = bench.stop("hard");
    expect(out.events).toEqual([]);
    expect(out.commands).toEqual([{ type: "cancel", task: "T1.1", attempt: 1, how: "hard" }]);
  });
});
