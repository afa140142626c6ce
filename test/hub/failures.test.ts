import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { z } from "zod";
import { noteOf, openAwayBook } from "../../src/adapters/fleet/away-book.ts";
import { openHubFleet } from "../../src/adapters/fleet/hub.ts";
import { openHub } from "../../src/adapters/fleet/hub-client.ts";
import { receivedShape, reportsShape, syncShape, tasksShape, WIRE } from "../../src/fleet/index.ts";
import { type Fleet, fail, ok, type Report } from "../../src/ports/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import type { Bench } from "../../src/worker/index.ts";
import { createSpawnedFleet } from "../../src/worker/spawned.ts";
import { PLAIN, place, QUICK } from "./bench.ts";
import { given, ID, until, whyLost } from "./follow.ts";
import { withEngine } from "./with-engine.ts";

withEngine("a fleet in trouble", engine => {
  it("[HB12] a machine takes what asks for its labels or its name, and nothing that asks for more", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const { fleet, startAgain, dispose } = await place(engine(), [agent], { labels: ["gpu", "arch=arm64"] });
    const asks = (id: string, ...labels: string[]) => ({ ...given(id, `${id}/1`), labels });
    expect(await fleet.submit(asks("more", "gpu", "tpu"))).toMatchObject({
      failure: { kind: "no-machine" },
    });
    for (const fits of [asks("both", "arch=arm64", "gpu"), asks("named", "m1")]) {
      expect(await fleet.submit(fits)).toEqual({ ok: true, value: undefined });
      await fleet.tell(fits.id, { type: "end" });
      await until(fleet, "closed", 1, fits.id);
    }
    expect(script.messages).toEqual(["both", "named"]);
    expect((await fleet.machines())[0]?.labels).toEqual(["m1", "gpu", "arch=arm64"]);
    // What waits is passed over by a machine that has lost the label, and so are its kin.
    await fleet.submit(asks("first", "gpu"));
    const begun = await until(fleet, "line", 1, "first/1");
    const second = scriptedAgent("scripted");
    await startAgain([second.agent], ["tpu"]);
    expect(whyLost(await until(fleet, "lost", begun.length + 1, "first/1"))).toContain("started anew");
    expect(await fleet.submit(asks("later", "gpu"))).toMatchObject({ failure: { kind: "no-machine" } });
    await fleet.submit(asks("fits", "tpu"));
    await fleet.tell("fits/1", { type: "end" });
    await until(fleet, "closed", 1, "fits/1");
    expect(second.script.messages).toEqual(["fits"]);
    await dispose();
  });

  it("[HB3] a machine that is started anew has lost its orders at once, and takes them again", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { patience: { ...QUICK, leaseMs: 60_000 } });
    const { fleet } = there;
    await fleet.submit(given("wait"));
    const before = await until(fleet, "line");
    const second = scriptedAgent("scripted");
    await there.startAgain([second.agent]);
    expect(whyLost(await until(fleet, "lost", before.length + 1))).toContain("started anew");
    // [HB4] The older start is sent away, and its agents are ended.
    await expect(there.worker.ended).rejects.toThrow("another start");
    expect(script.cancels).toEqual(["hard"]);
    await fleet.submit(given("again", "tokeny/1"));
    await fleet.tell("tokeny/1", { type: "end" });
    await until(fleet, "closed", 1, "tokeny/1");
    expect(second.script.messages).toEqual(["again"]);
    await there.dispose();
  });

  it("[WK4] ends its agents by its own clock, and whoever comes back late is refused", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent]);
    const { fleet } = there;
    await fleet.submit(given("wait"));
    const before = await until(fleet, "line");
    there.link.isCut = true;
    expect(whyLost(await until(fleet, "lost", before.length + 1))).toContain("not heard");
    await expect.poll(() => script.cancels).toEqual(["hard"]);
    there.link.isCut = false;
    expect(typesOf(await all(fleet, before.length + 1))).toEqual(["lost"]);
    // The machine itself works on.
    await expect.poll(async () => (await fleet.machines()).length).toBe(1);
    await fleet.submit(given("again", "tokeny/1"));
    await fleet.tell("tokeny/1", { type: "end" });
    await until(fleet, "closed", 1, "tokeny/1");
    await there.dispose();
  });

  it("[WK9] a machine whose disk is full takes nothing until it has room", async () => {
    const { agent, script } = scriptedAgent("scripted");
    let [isFull, isFilled] = [true, false];
    const bench: Bench = {
      ...PLAIN,
      async open(order) {
        if (!isFilled) return ok(order);
        isFull = true;
        return fail({ kind: "unsuitable", message: "ENOSPC", retryable: true });
      },
    };
    const there = await place(engine(), [agent], { bench, hasRoom: () => !isFull });
    const { fleet } = there;
    await fleet.submit(given("first"));
    await pause(10 * QUICK.beatMs);
    expect(script.messages).toEqual([]);
    isFull = false;
    await fleet.tell(ID, { type: "end" });
    await until(fleet, "closed");
    expect(script.messages).toEqual(["first"]);
    // What did not fit is lost, and no reason to ask a person.
    isFilled = true;
    await fleet.submit(given("second", "tokeny/1"));
    expect(whyLost(await until(fleet, "lost", 1, "tokeny/1"))).toContain("is full");
    await there.dispose();
  });

  it("[WK11] keeps the work of what was started for an order and died, and takes nothing while it rests", async () => {
    const { agent } = scriptedAgent("scripted");
    const kept: string[] = [];
    const rests = { isResting: true };
    const bench: Bench = { ...PLAIN, keep: async ({ id }) => void kept.push(id) };
    const started: string[] = [];
    const there = await place(engine(), [agent], {
      patience: { ...QUICK, leaseMs: 60_000 },
      bench,
      rests: () => rests.isResting,
      machine: agents =>
        createSpawnedFleet({
          agents,
          startsInMs: 60_000,
          async start({ id }) {
            started.push(id);
            return {
              send: () => {},
              leave: () => {},
              kill: () => {},
              ended: Promise.resolve("no such image"),
            };
          },
        }),
    });
    await there.fleet.submit(given("first"));
    await pause(10 * QUICK.beatMs);
    expect(started).toEqual([]);
    rests.isResting = false;
    expect(whyLost(await until(there.fleet, "lost"))).toContain("no such image");
    await expect.poll(() => kept).toEqual([ID]);
    expect(started).toEqual([ID]);
    await there.dispose();
  });

  it("[WK2] a cut within the lease loses nothing", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { patience: { ...QUICK, leaseMs: 5000 } });
    const { fleet } = there;
    await fleet.submit(given("first"));
    there.link.isCut = true;
    await pause(600);
    there.link.isCut = false;
    await fleet.tell(ID, { type: "end" });
    const reports = await all(fleet);
    expect(reports.map(({ seq }) => seq)).toEqual(reports.map((_, at) => at + 1));
    expect(typesOf(reports).at(-1)).toBe("closed");
    expect(script.messages).toEqual(["first"]);
    await there.dispose();
  });

  it("[WK6] a stop waits for what is under way, and for nothing that its coordinator has not read", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent]);
    const { fleet, worker } = there;
    await fleet.submit(given("wait"));
    const before = await until(fleet, "line");
    worker.stop("soft");
    expect(await Promise.race([worker.ended.then(() => "ended"), pause(300, "at work")])).toBe("at work");
    await fleet.cancel(ID, "soft");
    await fleet.tell(ID, { type: "end" });
    await worker.ended;
    expect(typesOf(await all(fleet, before.length + 1))).toEqual(["ended", "closed"]);
    await there.dispose();
  });

  it("[HB5] whoever claims a run is its only coordinator", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent]);
    await there.fleet.submit(given("wait"));
    const before = await until(there.fleet, "line");
    const client = openHub(there.url, `run:${there.pool}:me`);
    const second = await openHubFleet({ client, run: "r1" });
    expect(whyLost(await until(there.fleet, "lost", before.length + 1))).toContain("another coordinator");
    const refused = await there.fleet.submit(given("first", "tokenz/1"));
    expect(refused.ok ? "" : refused.failure.message).toContain("another coordinator");
    await expect.poll(() => script.cancels).toEqual(["hard"]);
    expect((await second.submit(given("first", "tokeny/1"))).ok).toBe(true);
    await second.tell("tokeny/1", { type: "end" });
    await until(second, "closed", 1, "tokeny/1");
    client.close();
    await there.dispose();
  });

  it("[HB15] the coordinator before takes nothing from the newest, and hears whose the run is", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent]);
    const clients = ["me", "you"].map(name => openHub(there.url, `run:${there.pool}:${name}`));
    const told: unknown[] = [];
    const first = await openHubFleet({ client: clients[0]!, run: "r2", lost: by => told.push(by) });
    await first.submit(given("wait"));
    const before = await until(first, "line");
    const followed = until(first, "lost", before.length + 1);
    const folder = mkdtempSync(join(tmpdir(), "esp-away-"));
    const book = openAwayBook(folder);
    book.note(ID, noteOf(before));
    const second = await openHubFleet({
      client: clients[1]!,
      run: "r2",
      taken: { book, tokens: ["tokenx"] },
    });
    expect(whyLost(await followed)).toContain("another coordinator");
    // A hub that is started anew knows it, too.
    await there.restart();
    await first.cancel(ID, "hard");
    await first.tell(ID, { type: "end" });
    expect(whyLost(await until(first, "lost", before.length + 1))).toContain("another coordinator");
    expect((await first.submit(given("first", "tokenz/1"))).ok).toBe(false);
    await pause(5 * QUICK.beatMs);
    expect(script.cancels).toEqual([]);
    expect(told).toEqual(told.map(() => ({ name: "you", host: hostname() })));
    expect(told).toHaveLength(5);
    await second.cancel(ID, "soft");
    await second.tell(ID, { type: "end" });
    expect(typesOf(await all(second)).at(-1)).toBe("closed");
    expect(script.cancels).toEqual(["soft"]);
    rmSync(folder, { recursive: true });
    for (const client of clients) client.close();
    await there.dispose();
  });

  it("[HB5] what is taken up goes on, and what its agents said meanwhile is heard", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent]);
    await there.fleet.submit(given("wait"));
    await there.fleet.submit(given("wait", "tokeny/1"));
    const before = await until(there.fleet, "line");
    const other = await until(there.fleet, "line", 1, "tokeny/1");
    const folder = mkdtempSync(join(tmpdir(), "esp-away-"));
    const book = openAwayBook(folder);
    // As it was kept by the coordinator before.
    book.note(ID, noteOf(before));
    const client = openHub(there.url, `run:${there.pool}:me`);
    const second = await openHubFleet({ client, run: "r1", taken: { book, tokens: ["tokenx"] } });
    expect(whyLost(await until(second, "lost", other.length + 1, "tokeny/1"))).toContain(
      "another coordinator",
    );
    await second.cancel(ID, "soft");
    await second.tell(ID, { type: "end" });
    const reports = await all(second);
    const isWord = ({ event }: Report) => !["line", "output", "tool", "process"].includes(event.type);
    const kept = before.filter(isWord);
    expect(reports.slice(0, kept.length)).toEqual(kept);
    expect(typesOf(reports)).toEqual(expect.arrayContaining(["opened", "ended", "closed"]));
    expect(script.messages).toEqual(["wait", "wait"]);
    // What was heard is known to whoever comes next, also after the hub has forgotten it.
    expect(book.read(ID)?.reports).toEqual(reports.filter(isWord));
    await second.settled?.("tokenx");
    expect(book.has("tokenx")).toBe(false);
    rmSync(folder, { recursive: true });
    client.close();
    await there.dispose();
  });

  it("[HB6] a killed hub loses no report and no order", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], { patience: { ...QUICK, leaseMs: 10_000 } });
    const { fleet } = there;
    await fleet.submit(given("first"));
    const before = await until(fleet, "usage");
    await there.restart();
    await fleet.tell(ID, { type: "turn", turn: 2, text: "second" });
    await fleet.tell(ID, { type: "end" });
    const after = await all(fleet, before.length + 1);
    const seqs = [...before, ...after].map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(script.messages).toEqual(["first", "second"]);
    await there.dispose();
  });

  it("[HB3] a hub that was killed gives up a machine that does not come back, too", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent], {
      patience: { ...QUICK, leaseMs: 1000 },
    });
    const { fleet } = there;
    await fleet.submit(given("wait"));
    const before = await until(fleet, "line");
    there.link.isCut = true;
    await there.restart();
    expect(whyLost(await until(fleet, "lost", before.length + 1))).toContain("not heard");
    await there.dispose();
  });

  it("[HB7] an order that nobody asks for is lost, and its machine is free", async () => {
    const { agent, script } = scriptedAgent("scripted");
    const there = await place(engine(), [agent], {
      slots: 1,
      patience: { ...QUICK, leaseMs: 20_000, orphanMs: 2000 },
    });
    await there.fleet.submit(given("wait"));
    await expect.poll(() => script.cancels, { timeout: 30_000 }).toEqual(["hard"]);
    await there.fleet.submit(given("first", "tokeny/1"));
    await there.fleet.tell("tokeny/1", { type: "end" });
    await until(there.fleet, "closed", 1, "tokeny/1");
    await there.dispose();
  });

  it("[HB8] a killed engine is started again, and everybody waits for it", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent], {
      patience: { ...QUICK, leaseMs: 20_000 },
    });
    const { fleet } = there;
    await fleet.submit(given("first"));
    process.kill(Number(readFileSync(join(engine().folder, "server.pid"), "utf8")), "SIGKILL");
    await fleet.tell(ID, { type: "end" });
    expect(typesOf(await all(fleet)).at(-1)).toBe("closed");
    await there.dispose();
  }, 20_000);

  it("[HB2] [HB11] a machine that lies about an order of another is told that it is none of its", async () => {
    const there = await place(engine(), [scriptedAgent("scripted").agent]);
    await there.fleet.submit(given("wait"));
    const before = await until(there.fleet, "line");
    const liar = openHub(there.url, `machine:${there.pool}:m2`);
    const report = { version: 1, seq: before.length + 1, event: { type: "closed" } } as const;
    const unknown = await liar.ask(
      "reports",
      reportsShape,
      { boot: "b", id: ID, reports: [report] },
      receivedShape,
    );
    expect(unknown).toMatchObject({ failure: { code: "unknown" } });
    const hello = { wire: WIRE, boot: "b", slots: 1, agents: [], labels: [] };
    expect((await liar.ask("hello", z.unknown(), hello, z.unknown())).ok).toBe(true);
    const lied = await liar.ask(
      "reports",
      reportsShape,
      { boot: "b", id: ID, reports: [report] },
      receivedShape,
    );
    expect(lied).toMatchObject({ value: { dropped: true } });
    const holds = [{ id: ID, heard: 0, calls: [] }];
    const sync = await liar.ask("sync", syncShape, { boot: "b", free: 0, holds, wait: 0 }, tasksShape);
    expect(sync).toMatchObject({ value: { dropped: [ID], orders: [], told: [] } });
    await there.fleet.cancel(ID, "hard");
    await there.fleet.tell(ID, { type: "end" });
    expect(typesOf(await all(there.fleet, before.length + 1))).toEqual(["ended", "closed"]);
    liar.close();
    await there.dispose();
  });

  it("leaves no failure behind in the engine", async () => {
    const query = {
      query: "select target, last_failure from sys_invocation where last_failure is not null",
    };
    const { stdout } = await promisify(execFile)("curl", [
      "-s",
      "--unix-socket",
      join(engine().folder, "hub", "admin.sock"),
      "-H",
      "accept: application/json",
      "--json",
      JSON.stringify(query),
      "http://engine/query",
    ]);
    expect(JSON.parse(stdout)).toEqual({ rows: [] });
  });
});

/** Every report from a number on. */
async function all(fleet: Fleet, from = 1): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for await (const report of fleet.follow(ID, from)) reports.push(report);
  return reports;
}

const typesOf = (reports: readonly Report[]): string[] => reports.map(({ event }) => event.type);
