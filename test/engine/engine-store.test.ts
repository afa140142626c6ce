import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ok, type StoreFailure } from "../../src/ports/index.ts";
import { inEnglish, told } from "../reasons.ts";
import { openBench } from "./bench.ts";
import { CHAIN, FULL, ONE, TWO } from "./engine-fixtures.ts";
import { quiet } from "./manual-clock.ts";

describe("the engine", () => {
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
    const told = bench.events.flatMap(event => (event.type === "warning" ? [inEnglish(event.message)] : []));
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
    expect(await end).toMatchObject({ kind: "store-failed", failure: { kind: "gone" } });
    expect(await one.cancelled).toBe("hard");
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
    expect(bench.events.at(-1)).toEqual({ type: "warning", code: "BACKUP", message: told("no room") });
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

  it("[E60] leaves once its last backup is made, whatever falls due meanwhile", async () => {
    const making = Promise.withResolvers<void>();
    let isStopped = false;
    let backups = 0;
    using bench = openBench({
      tasks: ONE,
      policy: { backoffMs: 1000 },
      async backup() {
        if (!isStopped) return ok(undefined);
        backups++;
        await making.promise;
        return ok(undefined);
      },
    });
    const over = bench.start();
    const part = await bench.puppets.next();
    part.say(`FAIL:${part.id}:no`);
    await bench.event(event => event.type === "attempt-failed");
    isStopped = true;
    void bench.engine.send({ type: "stop", by: "a test", how: "soft" });
    await bench.event(event => event.type === "run-ended");
    await bench.clock.advance(5000);
    making.resolve();
    expect(await over).toMatchObject({ outcome: "interrupted" });
    expect(backups).toBe(1);
  });
});
