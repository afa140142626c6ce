import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Agent, StoreFailure } from "../../src/ports/index.ts";
import { openBench, SHELL_OK } from "./bench.ts";
import { quiet } from "./manual-clock.ts";
import { brokenAgent } from "./puppets.ts";

const ONE = "### [ ] T1.1: a\n";
const TWO = "### [ ] T1.1: a\n### [ ] T1.2: b\n";
const CHAIN = "### [ ] T1.1: a\n### [ ] T1.2: b\n- depends_on: [T1.1]\n";
const FULL: StoreFailure = { kind: "full", message: "database or disk is full" };

describe("the engine", () => {
  it("[E1] performs nothing before its change is durable", async () => {
    using bench = openBench({ tasks: CHAIN });
    const end = bench.start();
    (await bench.puppets.next("T1.1")).say("DONE:nothing");
    const again = await bench.puppets.next("T1.1");
    again.say(`DONE:${again.id}`);
    const two = await bench.puppets.next("T1.2");
    two.say(`DONE:${two.id}`);
    expect(await end).toEqual({ kind: "ended", outcome: "completed", reason: "" });
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

  it("[E1] opens nothing, tells nothing and ticks nothing that was refused", async () => {
    let refuse = false;
    using bench = openBench({ tasks: CHAIN, refuse: () => (refuse ? FULL : undefined) });
    void bench.start();
    const one = await bench.puppets.next("T1.1");
    refuse = true;
    const before = bench.trace.length;
    one.say(`DONE:${one.id}`);
    await bench.event(event => event.type === "warning" && event.code === "STATE_NOT_WRITTEN");
    await bench.clock.advance(10_000);
    expect(bench.trace.slice(before)).toEqual(["refused full", "event warning"]);
    refuse = false;
    await bench.clock.advance(20_000);
    const two = await bench.puppets.next("T1.2");
    expect(bench.events.filter(event => event.type === "completed")).toHaveLength(1);
    const told = bench.changes.flatMap(change => (change.events?.length ? [change.events] : []));
    expect(told.at(-1)?.map(({ seq }) => seq)).toEqual([4, 5]);
    two.say(`DONE:${two.id}`);
    await bench.event(event => event.type === "run-ended");
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
    const before = bench.trace.length;
    await bench.engine.send({ type: "tick" });
    await bench.engine.send({ type: "act", action: "resume", task: "T1.1", note: "", textHash: "" });
    expect(bench.trace.slice(before)).toEqual([]);
  });

  it("[E3] waits for a full disk, starts nothing meanwhile, and loses no result", async () => {
    let refuse = false;
    using bench = openBench({
      tasks: TWO,
      policy: { parallel: 1 },
      refuse: () => (refuse ? FULL : undefined),
    });
    const end = bench.start();
    const one = await bench.puppets.next("T1.1");
    refuse = true;
    one.say(`DONE:${one.id}`);
    await quiet();
    for (let minutes = 0; minutes < 3; minutes++) await bench.clock.advance(60_000);
    expect(bench.puppets.turns).toBe(1);
    expect(bench.stored("T1.1")).toBe("in_progress");
    const told = bench.events.flatMap(event => (event.type === "warning" ? [event.message] : []));
    expect(new Set(told)).toEqual(
      new Set(["the state cannot be written (database or disk is full); nothing new starts, trying again"]),
    );
    expect(told).toHaveLength(7);
    refuse = false;
    await bench.clock.advance(30_000);
    const two = await bench.puppets.next("T1.2");
    two.say(`DONE:${two.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.stored("T1.1")).toBe("completed");
  });

  it("[E4] stops at once when another process took over, and writes nothing any more", async () => {
    let refuse = false;
    const fenced: StoreFailure = { kind: "fenced", epoch: 1, stored: 2 };
    using bench = openBench({
      tasks: `${TWO}### [ ] T1.3: c\n`,
      refuse: () => (refuse ? fenced : undefined),
      puppets: { stubborn: true },
    });
    const end = bench.start();
    const [one, two] = [await bench.puppets.next("T1.1"), await bench.puppets.next("T1.2")];
    const three = await bench.puppets.next("T1.3");
    await bench.clock.advance(1000);
    three.say(`DONE:${three.id}`);
    await bench.event(event => event.type === "completed");
    refuse = true;
    const before = bench.trace.length;
    one.say(`DONE:${one.id}`);
    expect(await end).toEqual({ kind: "store-failed", failure: fenced });
    expect(await two.cancelled).toBe("hard");
    expect(two.over).toBe(true);
    await bench.clock.advance(120_000);
    expect(bench.trace.slice(before)).toEqual(["refused fenced"]);
    expect(await bench.engine.send({ type: "tick" })).toBeUndefined();
  });

  it("[E5] tries an I/O error three times, then leaves with every agent ended", async () => {
    let refuse = 0;
    const failure: StoreFailure = { kind: "io", message: "disk I/O error" };
    using bench = openBench({ tasks: TWO, refuse: () => (refuse-- > 0 ? failure : undefined) });
    const end = bench.start();
    const [one, two] = [await bench.puppets.next("T1.1"), await bench.puppets.next("T1.2")];
    refuse = 2;
    one.say(`DONE:${one.id}`);
    await quiet();
    await bench.clock.advance(2000);
    expect(bench.stored("T1.1")).toBe("completed");
    refuse = 99;
    two.say(`DONE:${two.id}`);
    await quiet();
    await bench.clock.advance(2000);
    expect(await end).toEqual({ kind: "store-failed", failure });
    expect(bench.stored("T1.2")).toBe("in_progress");
    expect(readFileSync(bench.taskFile, "utf8")).toContain("[x] T1.1");
  });

  it("[E6] tries once more when a stop is asked for on a full disk, and leaves", async () => {
    for (const room of [false, true]) {
      let refuse = false;
      using bench = openBench({ tasks: TWO, refuse: () => (refuse ? FULL : undefined) });
      const end = bench.start();
      const [one, two] = [await bench.puppets.next("T1.1"), await bench.puppets.next("T1.2")];
      refuse = true;
      one.say(`DONE:${one.id}`);
      await bench.event(event => event.type === "warning");
      refuse = !room;
      const reply = bench.engine.send({ type: "stop", by: "a test", how: "soft" });
      const expected = room
        ? { end: { kind: "ended", outcome: "interrupted" }, stored: "completed", cancel: "soft", told: true }
        : {
            end: { kind: "store-failed", failure: FULL },
            stored: "in_progress",
            cancel: "hard",
            told: false,
          };
      expect({
        end: await end,
        stored: bench.stored("T1.1"),
        cancel: await two.cancelled,
        told: (await reply) !== undefined,
      }).toMatchObject(expected);
    }
  });

  it("[E6] leaves when the lock is no longer its own, even when there is nothing to write", async () => {
    let ours = true;
    using bench = openBench({ tasks: ONE, world: { stillOurs: () => ours }, puppets: { stubborn: true } });
    const end = bench.start();
    const one = await bench.puppets.next();
    ours = false;
    await bench.clock.advance(30_000);
    expect(await end).toMatchObject({ kind: "store-failed", failure: { kind: "io" } });
    expect(await one.cancelled).toBe("hard");
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

  it("[E9] asks an overloaded agent again after a minute of real time, whatever the wall clock says", async () => {
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
    await bench.event(event => event.type === "waiting");
    expect(bench.run.byId.get("T1.1")).toMatchObject({ status: "waiting", retries: 0 });
    bench.clock.jump(86_400_000);
    await bench.clock.advance(59_999);
    expect(answers).toBe(1);
    await bench.clock.advance(2);
    expect(answers).toBe(2);
  });

  it("[E10] pauses for a person when an agent cannot work at all, and names an unknown one", async () => {
    using bench = openBench({
      tasks: TWO.replace("T1.2: b\n", "T1.2: b\n- agent: gemini\n"),
      agents: { login: brokenAgent("login", { kind: "auth", message: "please log in", retryable: false }) },
      engine: { defaultAgent: "login" },
    });
    expect(await bench.start()).toMatchObject({ outcome: "waiting" });
    const paused = bench.events.flatMap(event =>
      event.type === "paused" ? [`${event.task} ${event.reason}`] : [],
    );
    expect(paused.sort()).toEqual(["T1.1 please log in", "T1.2 no agent named gemini"]);
  });

  it("[E10] costs no attempt when the system could not start an agent or a proof", async () => {
    let refusals = 2;
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- verify: check\n",
      shell: async () =>
        refusals-- > 0 ? { ...SHELL_OK, exitCode: undefined, notStarted: "EAGAIN" } : SHELL_OK,
    });
    const end = bench.start();
    for (let n = 0; n < 3; n++) {
      const part = await bench.puppets.next();
      part.say(`DONE:${part.id}`);
      await quiet();
      await bench.clock.advance(60_000);
    }
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.run.byId.get("T1.1")).toMatchObject({ retries: 0, attempts: 3, verified: true });
  });

  it("[E11] believes what was proved while everything was being stopped, and nothing else", async () => {
    for (const [end, status] of [
      [SHELL_OK, "completed"],
      [{ ...SHELL_OK, exitCode: undefined, killed: "cancelled" }, "ready"],
    ] as const) {
      const verifying = Promise.withResolvers<void>();
      using bench = openBench({
        tasks: "### [ ] T1.1: a\n- verify: check\n",
        shell: ({ cancel }) =>
          new Promise(resolve => {
            verifying.resolve();
            cancel.addEventListener("abort", () => resolve(end));
          }),
      });
      const over = bench.start();
      const part = await bench.puppets.next();
      part.say(`DONE:${part.id}`);
      await verifying.promise;
      await bench.engine.send({ type: "stop", by: "a test", how: "soft" });
      await over;
      expect(bench.run.byId.get("T1.1")?.status).toBe(status);
    }
  });

  it("[E12] reads the task file afresh for every tick, gathers ticks, and tries again what failed", async () => {
    const [read, write] = [readFileSync, writeFileSync];
    let broken = false;
    const writes: string[] = [];
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n### [ ] T1.2: b\n### [ ] T1.3: c\n",
      world: {
        taskFile: {
          displayPath: "TASKS.md",
          read: () => ({ ok: true, value: read(bench.taskFile) }),
          write(bytes) {
            if (broken) return { ok: false, failure: "not now" };
            writes.push(Buffer.from(bytes).toString());
            write(bench.taskFile, bytes);
            return { ok: true, value: undefined };
          },
          watch: () => () => {},
        },
      },
    });
    const end = bench.start();
    const parts = [
      await bench.puppets.next("T1.1"),
      await bench.puppets.next("T1.2"),
      await bench.puppets.next("T1.3"),
    ];
    write(bench.taskFile, `${read(bench.taskFile, "utf8")}\nA person wrote this.\n`);
    for (const part of parts.slice(0, 2)) part.say(`DONE:${part.id}`);
    await quiet();
    expect(writes).toEqual([]);
    broken = true;
    await bench.clock.advance(200);
    expect(bench.events.filter(event => event.type === "warning")).toEqual([
      { type: "warning", code: "BOX_NOT_TICKED", message: "not now" },
    ]);
    broken = false;
    parts[2]?.say(`DONE:${parts[2].id}`);
    await end;
    expect(writes).toHaveLength(1);
    expect(writes[0]?.match(/\[x\]/g)).toHaveLength(3);
    expect(writes[0]).toContain("A person wrote this.");
  });

  it("[E13] keeps the thin state half a second behind at most, never ahead of the store", async () => {
    let refuse = false;
    using bench = openBench({ tasks: CHAIN, refuse: () => (refuse ? FULL : undefined) });
    const end = bench.start();
    const one = await bench.puppets.next("T1.1");
    const thin = () =>
      JSON.parse(readFileSync(join(bench.folder, ".espalier/orchestrate-state.json"), "utf8"));
    await bench.clock.advance(500);
    expect(thin().tasks[0]).toMatchObject({ id: "T1.1", status: "in_progress" });
    await bench.engine.send({ type: "act", action: "skip", task: "T1.2", note: "", textHash: "" });
    refuse = true;
    one.say(`DONE:${one.id}`);
    await quiet();
    await bench.clock.advance(20_000);
    expect(thin().tasks.map((row: { status: string }) => row.status)).toEqual(["in_progress", "pending"]);
    refuse = false;
    await bench.clock.advance(10_000);
    await end;
    expect(thin()).toMatchObject({
      state: "completed",
      tasks: [{ status: "completed" }, { status: "skipped" }],
    });
  });

  it("[E14] lets a person take back the end while the engine is leaving, and answers none later", async () => {
    const leaving = Promise.withResolvers<void>();
    const backup = Promise.withResolvers<void>();
    using bench = openBench({
      tasks: ONE,
      policy: { maxAttempts: 1 },
      backup: async () => {
        if (bench.events.some(event => event.type === "run-ended")) leaving.resolve();
        else return { ok: true, value: undefined };
        await backup.promise;
        return { ok: true, value: undefined };
      },
    });
    const end = bench.start();
    const one = await bench.puppets.next();
    one.say(`FAIL:${one.id}:broken`);
    await leaving.promise;
    const retry = { type: "act", action: "retry", task: "T1.1", note: "", textHash: "" } as const;
    const reply = bench.engine.send(retry);
    backup.resolve();
    expect(await reply).toMatchObject({ refused: undefined });
    const two = await bench.puppets.next();
    two.say(`DONE:${two.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.stored("T1.1")).toBe("completed");
    expect(await bench.engine.send(retry)).toBeUndefined();
    expect(bench.stored("T1.1")).toBe("completed");
  });

  it("[E14] tells a failing backup and leaves all the same", async () => {
    using bench = openBench({ tasks: ONE, backup: async () => ({ ok: false, failure: "no room" }) });
    const end = bench.start();
    const one = await bench.puppets.next();
    await bench.clock.advance(30_000);
    // One for the copy made at the start, one for the heartbeat's.
    expect(bench.events.filter(event => event.type === "warning")).toHaveLength(2);
    one.say(`DONE:${one.id}`);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(bench.events.at(-1)).toEqual({ type: "warning", code: "BACKUP", message: "no room" });
  });

  it("[E15] makes a backup at the start, at every heartbeat, at phase ends and at the end, and none after", async () => {
    let backups = 0;
    using bench = openBench({
      tasks: ONE,
      backup: async () => {
        backups++;
        return { ok: true, value: undefined };
      },
    });
    const end = bench.start();
    const one = await bench.puppets.next();
    await bench.clock.advance(1000);
    const thins = () => bench.trace.filter(entry => entry === "thin").length;
    const before = thins();
    await bench.clock.advance(3 * 30_000);
    expect([backups, thins() - before]).toEqual([1 + 3, 3]);
    one.say(`DONE:${one.id}`);
    await end;
    expect(bench.clock.next).toBeUndefined();
    expect(backups).toBe(1 + 3 + 2);
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

  it("[E12] ticks at the start what an earlier process completed and did not tick", async () => {
    using first = openBench({ tasks: CHAIN });
    void first.start();
    const one = await first.puppets.next();
    one.say(`DONE:${one.id}`);
    await first.puppets.next("T1.2");
    using second = openBench({ tasks: CHAIN, place: first.place, resume: true });
    void second.start();
    const two = await second.puppets.next("T1.2");
    expect(two.request.attempt).toBe(2);
    await second.clock.advance(200);
    expect(readFileSync(second.taskFile, "utf8")).toContain("[x] T1.1");
    const rows = second.changes.flatMap(change => change.attempts ?? []);
    expect([...new Set(rows.map(row => `${row.task}.${row.number}:${row.outcome}`))]).toEqual([
      "T1.2.1:crashed",
      "T1.2.2:running",
    ]);
    // The first engine still believes that it owns the run: the store refuses whatever it writes.
    const late = await first.engine.send({
      type: "act",
      action: "skip",
      task: "T1.2",
      note: "",
      textHash: "",
    });
    expect(late).toBeUndefined();
    expect(second.stored("T1.2")).toBe("in_progress");
  });

  it("[E13] tells the next attempt what went wrong, and counts only what the task is to blame for", async () => {
    using bench = openBench({
      tasks: "### [ ] T1.1: a\n- verify: check it\n",
      shell: async () => ({ ...SHELL_OK, exitCode: 4, tail: "3 problems\n" }),
    });
    void bench.start();
    const prompts: string[] = [];
    for (const end of ["DONE", "FAIL", "none", "exit", "idle"]) {
      const part = await bench.puppets.next();
      prompts.push(part.prompt);
      if (end === "DONE") part.say(`DONE:${part.id}`);
      if (end === "FAIL") part.say(`I tried.\nFAIL:${part.id}:TypeError`);
      if (end === "none") part.say("I think it is fine");
      if (end === "exit") part.say("crash", 9);
      if (end === "idle")
        part.end({
          kind: "failed",
          failure: { kind: "idle", message: "puppet wrote nothing", retryable: true },
          finalMessage: "",
        });
    }
    const last = await bench.puppets.next();
    prompts.push(last.prompt);
    expect(prompts[0]).not.toContain("Previous attempts");
    expect(prompts[0]).toContain("Success is checked by this command, which must exit with 0:\n  check it");
    expect(prompts[1]).toContain('ended="Attempt 1 of 10: unproven: verify exit 4: 3 problems"');
    expect(prompts[1]).toContain("\n$ check it\nexit 4\n3 problems\n</attempt");
    expect(prompts[2]).toContain("\nI tried.\n");
    expect(prompts[3]).toContain("\nYour answer did not end with the signal line.");
    expect(prompts[4]).toContain(
      "\nThe agent exited with code 9 and its answer did not end with the signal line.",
    );
    expect(prompts[5]).toContain("Attempt 5 of 10");
    expect(prompts[5]).toContain("\npuppet wrote nothing\n");
    const reasons = bench.events.flatMap(event => (event.type === "attempt-failed" ? [event.reason] : []));
    expect(reasons).toEqual([
      "verify exit 4: 3 problems",
      "TypeError",
      "no signal",
      "no signal",
      "puppet wrote nothing",
    ]);
  });

  it("[E17] masks secrets in everything that is stored, logged or handed on", async () => {
    const secret = "hunter2-hunter2";
    using bench = openBench({ tasks: ONE, policy: { maxAttempts: 2 } });
    const end = bench.start();
    const one = await bench.puppets.next();
    one.request.log("stdout", Buffer.from(`raw ${secret}\n`));
    one.say(`DONE:T9#${secret}\nFAIL:${one.id}:it said ${secret}`);
    const two = await bench.puppets.next();
    expect(two.prompt).toContain("[redacted]");
    expect(two.prompt).not.toContain(secret);
    two.end({
      kind: "failed",
      failure: { kind: "exit", message: `no ${secret}`, retryable: true },
      finalMessage: secret,
    });
    await end;
    expect(JSON.stringify(bench.changes)).not.toContain(secret);
    expect(JSON.stringify(bench.events)).not.toContain(secret);
    const entries = readdirSync(join(bench.folder, ".espalier"), { recursive: true, withFileTypes: true });
    const files = entries
      .filter(entry => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(readFileSync(file, "utf8")).not.toContain(secret);
  });
});
