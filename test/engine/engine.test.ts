import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Agent } from "../../src/ports/index.ts";
import { openBench } from "./bench.ts";
import { CHAIN, ONE, TWO } from "./engine-fixtures.ts";
import { quiet } from "./manual-clock.ts";
import { brokenAgent } from "./puppets.ts";

describe("the engine", () => {
  it("[E1] performs nothing before its change is durable", async () => {
    using bench = openBench({ tasks: CHAIN });
    const end = bench.start();
    (await bench.puppets.next("T1.1")).say("DONE:nothing");
    const again = await bench.puppets.next("T1.1");
    again.say(`DONE:${again.id}`);
    const two = await bench.puppets.next("T1.2");
    two.say(`DONE:${two.id}`);
    expect(await end).toEqual({ kind: "ended", outcome: "completed", reason: undefined });
    const at = (what: string) => bench.trace.findIndex(entry => entry === what || entry.startsWith(what));
    for (const [first, then] of [
      ["commit T1.1=in_progress T1.2=pending T1.1.1:running", "event dispatched"],
      ["event dispatched", "event attempt-started T1.1"],
      ["commit T1.1=in_progress", "open T1.1.1"],
      ["open T1.1.1", "turn T1.1.1"],
      ["event attempt-failed T1.1", "open T1.1.2"],
      ["commit T1.1=completed T1.2=in_progress T1.1.2:done T1.2.1:running", "event completed T1.1"],
      ["event completed T1.1", "open T1.2.1"],
      ["commit T1.2=completed T1.2.1:done", "event run-ended"],
      ["event run-ended", "tick"],
    ] as const) {
      expect({ first, found: at(first) >= 0 }).toEqual({ first, found: true });
      expect({ first, later: then, inOrder: at(first) < at(then) }).toEqual({
        first,
        later: then,
        inOrder: true,
      });
    }
    expect(readFileSync(bench.taskFile, "utf8")).toContain("[x] T1.2");
  });

  it("[E2] puts results that arrive together into one transaction, in their order", async () => {
    using bench = openBench({ tasks: TWO });
    const end = bench.start();
    const parts = [await bench.puppets.next("T1.1"), await bench.puppets.next("T1.2")];
    const before = bench.changes.length;
    for (const part of parts) part.say(`DONE:${part.id}`);
    await end;
    expect(bench.changes.length - before).toBeLessThanOrEqual(2);
    const seqs = bench.changes.flatMap(change => (change.events ?? []).map(({ seq }) => seq));
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
  });

  it("[E2] commits nothing that changes nothing", async () => {
    using bench = openBench({ tasks: ONE });
    void bench.start();
    await bench.puppets.next();
    await bench.engine.send({ type: "tick" });
    const before = bench.trace.length;
    await bench.engine.send({ type: "tick" });
    await bench.engine.send({ type: "act", action: "resume", task: "T1.1", note: "", textHash: "" });
    expect(bench.trace.slice(before)).toEqual([]);
  });

  it("[E7] never has two agents on one task, however a person hurries", async () => {
    using bench = openBench({ tasks: ONE, puppets: { stubborn: true } });
    const end = bench.start();
    const first = await bench.puppets.next();
    const act = (action: "pause" | "resume" | "retry") =>
      bench.engine.send({ type: "act", action, task: "T1.1", note: "", textHash: "" });
    for (const action of ["pause", "resume", "pause", "retry"] as const)
      expect(await act(action)).toMatchObject({ refused: undefined });
    await first.cancelled;
    await bench.clock.advance(10_000);
    expect(bench.puppets.turns).toBe(1);
    expect(bench.run.byId.get("T1.1")?.status).toBe("ready");
    // The old one finishes after all; what it says does not count any more.
    first.say(`DONE:${first.id}`);
    const second = await bench.puppets.next();
    expect(bench.puppets.most).toBe(1);
    expect(second.request.attempt).toBe(2);
    expect(second.id).not.toBe(first.id);
    second.say(`DONE:${second.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.events.filter(event => event.type === "completed")).toHaveLength(1);
  });

  it("[E8] begins no turn of a session that opens while everything stops", async () => {
    const gate = Promise.withResolvers<void>();
    using bench = openBench({ tasks: ONE, puppets: { opening: () => gate.promise } });
    const end = bench.start();
    await bench.event(event => event.type === "attempt-started");
    await quiet();
    expect(bench.trace).toContain("open T1.1.1");
    await bench.engine.send({ type: "stop", by: "a test", how: "soft" });
    gate.resolve();
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(bench.puppets.turns).toBe(0);
    expect(bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0 });
  });

  it("[E8] opens nothing for an attempt that was cancelled before it could begin", async () => {
    using bench = openBench({ tasks: ONE });
    const end = bench.start();
    void bench.engine.send({ type: "stop", by: "a test", how: "soft" });
    expect(await end).toMatchObject({ outcome: "interrupted" });
    expect(bench.trace.filter(entry => entry.startsWith("open"))).toEqual([]);
  });

  it("[E9] decides by monotonic time: a wall clock that jumps changes nothing", async () => {
    for (const jump of [-2 * 3_600_000, 10 * 365 * 86_400_000]) {
      using bench = openBench({
        tasks: TWO,
        policy: { backoffMs: 1000, backoffMaxMs: 60_000 },
        agents: { tired: brokenAgent("tired", { kind: "overloaded", message: "busy", retryable: true }) },
        engine: { roles: new Map([["r", "tired"]]) },
      });
      void bench.start();
      const one = await bench.puppets.next("T1.1");
      bench.clock.jump(jump);
      one.say(`FAIL:${one.id}:broken`);
      await bench.event(event => event.type === "retry-scheduled");
      await bench.clock.advance(999);
      expect(bench.run.byId.get("T1.1")?.status).toBe("ready");
      await bench.clock.advance(1);
      await bench.puppets.next("T1.1");
      const ended = bench.changes
        .flatMap(change => change.attempts ?? [])
        .find(row => row.outcome === "failed");
      expect(ended?.endedAt).toBe(ended?.startedAt);
    }
  });

  it("[E9] asks an overloaded agent again after five seconds of real time, whatever the wall clock says", async () => {
    let answers = 0;
    const failure = { kind: "overloaded", message: "busy", retryable: true } as const;
    const busy = brokenAgent("busy", failure);
    const agent: Agent = {
      ...busy,
      open(request) {
        answers++;
        return busy.open(request);
      },
    };
    using bench = openBench({ tasks: ONE, agents: { busy: agent }, engine: { defaultAgent: "busy" } });
    void bench.start();
    await bench.event(event => event.type === "warning" && event.code === "SERVICE_BUSY");
    expect(bench.run.byId.get("T1.1")).toMatchObject({ status: "ready", retries: 0 });
    bench.clock.jump(86_400_000);
    await bench.clock.advance(4_999);
    expect(answers).toBe(1);
    await bench.clock.advance(2);
    expect(answers).toBe(2);
  });

  it("[E172] tells what is noted and what is decided in the order in which they came", async () => {
    using bench = openBench({ tasks: TWO });
    void bench.start();
    await bench.puppets.next("T1.1");
    bench.engine.note({ type: "run-held", by: "ann" });
    await bench.engine.send({ type: "act", action: "pause", task: "T1.2", note: "", textHash: "" });
    const types = bench.events.map(({ type }) => type);
    expect(types.filter(type => type === "run-held" || type === "paused")).toEqual(["run-held", "paused"]);
  });

  it("[E16] ends every agent and rejects when it meets a bug", async () => {
    using bench = openBench({ tasks: TWO, puppets: { stubborn: true } });
    bench.engine.listen(({ event }) => {
      if (event.type === "completed") throw new Error("a view with a bug");
    });
    const end = bench.start();
    const [one, two] = [await bench.puppets.next("T1.1"), await bench.puppets.next("T1.2")];
    one.say(`DONE:${one.id}`);
    await expect(end).rejects.toThrow("a view with a bug");
    expect(await two.cancelled).toBe("hard");
    expect(bench.stored("T1.1")).toBe("completed");
    expect(await bench.engine.send({ type: "tick" })).toBeUndefined();
  });

  it("[E7] ends the attempt of a task that the same batch took out of the plan, and leaves nothing hanging", async () => {
    using bench = openBench({ tasks: CHAIN });
    const end = bench.start();
    const one = await bench.puppets.next();
    const smaller = bench.plan("# Bench\n## Phase 1: p\n### [ ] T1.1: a\n");
    const done = bench.engine.send({ type: "act", action: "done", task: "T1.1", note: "", textHash: "" });
    const changed = bench.engine.send({ type: "plan-changed", plan: smaller });
    expect((await done)?.commands).toContainEqual({ type: "dispatch", task: "T1.2", attempt: 1 });
    await changed;
    await one.cancelled;
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.puppets.turns).toBe(1);
    expect(bench.trace).not.toContain("open T1.2.1");
  });

  it("[E2] keeps a task that left the plan and came back within one batch", async () => {
    using bench = openBench({ tasks: CHAIN });
    const end = bench.start();
    const one = await bench.puppets.next();
    const smaller = bench.plan("# Bench\n## Phase 1: p\n### [ ] T1.1: a\n");
    void bench.engine.send({ type: "plan-changed", plan: smaller });
    await bench.engine.send({ type: "plan-changed", plan: bench.plan(`# Bench\n## Phase 1: p\n${CHAIN}`) });
    expect(bench.stored("T1.2")).toBe("pending");
    await bench.engine.send({ type: "plan-changed", plan: smaller });
    expect(bench.stored("T1.2")).toBeUndefined();
    one.say(`DONE:${one.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
  });
});
