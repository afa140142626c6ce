import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  acquireLock,
  type Holder,
  type Lock,
  type LockFailure,
  livenessOf,
  readHolder,
  thisHost,
} from "../../src/adapters/lock/index.ts";
import { because } from "../../src/ports/index.ts";
import { inEnglish } from "../reasons.ts";
import { UNPRIVILEGED } from "../unprivileged.ts";
import { type Starter, starter } from "./lock-child.ts";
import { must } from "./store-fixtures.ts";

let top: string;
let state: string;
const locks: Lock[] = [];
const starters: Starter[] = [];

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "espalier-lock-"));
  state = join(top, ".espalier");
});
afterEach(async () => {
  for (const lock of locks.splice(0)) lock.release();
  await Promise.all(starters.splice(0).map(each => each.kill("SIGKILL")));
  rmSync(top, { recursive: true, force: true });
});

const take = (directory = state): Lock => {
  const lock = must(acquireLock(directory, { version: "1.2.3" }));
  locks.push(lock);
  return lock;
};
const start = async (...given: Parameters<typeof starter>): Promise<Starter> => {
  const one = await starter(...given);
  starters.push(one);
  return one;
};
/** What a person reads of a refusal. */
const toldOf = (failure: LockFailure): string =>
  "reason" in failure ? inEnglish(failure.reason) : failure.message;

const refusal = (directory = state): LockFailure => {
  const result = acquireLock(directory, { waitMs: 50 });
  if (!result.ok) return result.failure;
  result.value.release();
  throw new Error("the lock was free");
};
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise(resolve => setImmediate(resolve));
};

describe("a lock in one process", () => {
  it("makes its directory and tells who holds it", () => {
    const lock = take();
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(readdirSync(state).sort()).toEqual(["holder.json", "lock.db"]);
    for (const name of readdirSync(state)) expect(statSync(join(state, name)).mode & 0o777).toBe(0o600);
    expect(readHolder(state)).toEqual(lock.holder);
    expect(lock.holder).toMatchObject({
      pid: process.pid,
      host: thisHost(),
      cwd: process.cwd(),
      version: "1.2.3",
    });
  });

  it("is free again after release, which may be called twice", () => {
    const lock = take();
    lock.release();
    lock.release();
    expect(existsSync(join(state, "holder.json"))).toBe(false);
    expect(take().intact()).toBe(true);
  });

  it("is let go when the process ends, and that is minded no longer than it is held", () => {
    const before = process.listenerCount("exit");
    const lock = must(acquireLock(state));
    expect(process.listenerCount("exit")).toBe(before + 1);
    expect(lock.holder.version).toBe("");
    lock.release();
    expect(process.listenerCount("exit")).toBe(before);
  });

  it("throws what only a mistake of ours can cause", () => {
    expect(() => acquireLock(state, null as never)).toThrow(TypeError);
  });

  it("is not given twice, not even to the same process, and the refused attempt does not free it", async () => {
    take();
    expect(refusal()).toMatchObject({ kind: "held", holder: { pid: process.pid }, liveness: "running" });
    expect(refusal()).toMatchObject({ kind: "held" });
    const other = await start(state);
    expect(await other.attempt()).toMatchObject({ got: false, kind: "held", pid: process.pid });
  });

  it("says more about its holder as more is known", () => {
    const lock = take();
    must(lock.describe({ epoch: 7 }));
    must(lock.describe({ controlSocket: "/s/control.sock" }));
    expect(readHolder(state)).toMatchObject({ pid: process.pid, epoch: 7, controlSocket: "/s/control.sock" });
    expect(lock.holder.epoch).toBe(7);
    lock.release();
    must(lock.describe({ epoch: 8 }));
    expect(readHolder(state)).toBeUndefined();
  });

  it("notices that its file was taken away", () => {
    const lock = take();
    expect(lock.intact()).toBe(true);
    renameSync(join(state, "lock.db"), join(state, "lock.db.gone"));
    expect(lock.intact()).toBe(false);
    writeFileSync(join(state, "lock.db"), "");
    expect(lock.intact()).toBe(false);
    lock.release();
    expect(lock.intact()).toBe(false);
  });

  it("[OF1] is one lock by whichever path it is reached, and not reached through a link", async () => {
    take();
    symlinkSync(state, join(top, "shortcut"));
    const other = await start(join(top, "shortcut"));
    expect(await other.attempt()).toMatchObject({ got: false, kind: "not-owned" });
    expect(await (await start(join(top, "x", "..", ".espalier"))).attempt()).toMatchObject({ got: false });
  });
});

describe("a lock file that is none", () => {
  it.each<[string, string]>([
    ["garbage", "garbage".repeat(500)],
    ["zeros", "\0".repeat(4096)],
    ["one letter", "x"],
  ])("[OF9] of %s is refused and stays as it is", (_, content) => {
    mkdirSync(state);
    writeFileSync(join(state, "lock.db"), content);
    expect(refusal()).toMatchObject({ kind: "not-owned", path: join(state, "lock.db") });
    expect(toldOf(refusal())).toContain(
      `no lock of Espalier's: it holds ${content.length} bytes, and a lock none`,
    );
    expect(readFileSync(join(state, "lock.db"), "utf8")).toBe(content);
    expect(readdirSync(state)).toEqual(["lock.db"]);
  });

  it("[OF9] of another database, or with a journal beside it, is refused and stays as it is", () => {
    mkdirSync(state);
    const database = new DatabaseSync(join(state, "lock.db"));
    database.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    database.close();
    const before = readFileSync(join(state, "lock.db"));
    expect(refusal()).toMatchObject({ kind: "not-owned" });
    expect(readFileSync(join(state, "lock.db"))).toEqual(before);
    for (const ending of ["-journal", "-wal", "-shm"]) {
      rmSync(state, { recursive: true });
      mkdirSync(state);
      writeFileSync(join(state, `lock.db${ending}`), "not ours");
      expect(toldOf(refusal())).toContain(`lock.db${ending} is no file of Espalier's`);
      expect(readFileSync(join(state, `lock.db${ending}`), "utf8")).toBe("not ours");
    }
  });

  it.each(["lock.db", "holder.json"])("[OF1] that %s leads elsewhere changes nothing there", name => {
    const elsewhere = join(top, "photos.tar");
    writeFileSync(elsewhere, "x".repeat(5000), { mode: 0o644 });
    mkdirSync(state);
    symlinkSync("../photos.tar", join(state, name));
    expect(refusal().kind).not.toBe("held");
    expect(statSync(elsewhere)).toMatchObject({ size: 5000, mode: 0o100644 });
  });

  it("[OF1] that nobody can say who holds it is not kept", () => {
    mkdirSync(join(state, "holder.json"), { recursive: true });
    const failure = refusal();
    expect(failure).toMatchObject({ kind: "io", path: join(state, "holder.json") });
    expect(toldOf(failure)).toContain("holder.json");
    rmSync(join(state, "holder.json"), { recursive: true });
    expect(take().intact()).toBe(true);
  });

  it("[OF1] that has a second name is refused", () => {
    mkdirSync(state);
    writeFileSync(join(top, "other"), "");
    linkSync(join(top, "other"), join(state, "lock.db"));
    expect(refusal()).toMatchObject({ kind: "not-owned", path: join(state, "lock.db") });
  });

  it("[OF1] in a folder that is a link makes nothing there", () => {
    mkdirSync(join(top, "victim"));
    symlinkSync("victim", state);
    expect(refusal()).toMatchObject({ kind: "not-owned" });
    expect(readdirSync(join(top, "victim"))).toEqual([]);
  });

  it("[OF1] that leads to nothing makes nothing", () => {
    mkdirSync(state);
    symlinkSync("../new", join(state, "lock.db"));
    expect(refusal()).toMatchObject({ kind: "not-owned" });
    expect(toldOf(refusal())).toContain("a symbolic link");
    expect(existsSync(join(top, "new"))).toBe(false);
  });

  it("is answered for when it is a directory or has no place to be", () => {
    mkdirSync(join(state, "lock.db"), { recursive: true });
    expect(refusal()).toMatchObject({ kind: "not-owned", path: join(state, "lock.db") });
    writeFileSync(join(top, "plain"), "");
    expect(refusal(join(top, "plain"))).toMatchObject({ kind: "io" });
    const below = join(top, "plain", "below");
    expect(refusal(below)).toMatchObject({ kind: "io", path: join(below, "lock.db") });
    expect(toldOf(refusal(below)).startsWith(`${join(below, "lock.db")}: ENOTDIR`)).toBe(true);
  });

  it("and one that may only be read is not taken for locked", async ({ skip }) => {
    skip(UNPRIVILEGED === undefined, "root can give up none of its rights here");
    mkdirSync(state);
    writeFileSync(join(state, "lock.db"), "", { mode: 0o444 });
    chmodSync(state, 0o555);
    const powerless = await start(state, "release", true);
    expect(await powerless.attempt()).toMatchObject({ got: false, kind: "io" });
    chmodSync(state, 0o755);
  });
});

describe("processes", { timeout: 120_000 }, () => {
  it("[OF13] a holder that follows another is waited for as long again", async () => {
    const wait = 2000;
    const lock = take();
    const late = await start(state, "release", false, wait);
    const told = late.attempt();
    // As commands that take it one after the other are seen from outside.
    const begun = Date.now();
    for (let turn = 1; Date.now() < begun + wait * 1.5; turn++) {
      writeFileSync(join(state, "holder.json"), JSON.stringify({ ...lock.holder, startedAt: turn }));
      await sleep(20);
    }
    lock.release();
    expect(await told).toMatchObject({ got: true });
  });

  it("[OF13] also where nobody has said at that moment who has it", async () => {
    const wait = 1000;
    const lock = take();
    const late = await start(state, "release", false, wait);
    rmSync(join(state, "holder.json"));
    const told = late.attempt();
    // Each holder that goes takes its name along, and the next one has not written its own.
    const begun = Date.now();
    while (Date.now() < begun + wait * 2.5) {
      writeFileSync(join(state, "gone"), "");
      rmSync(join(state, "gone"));
      await sleep(20);
    }
    lock.release();
    expect(await told).toMatchObject({ got: true });
  });

  it("sixteen that start at once: exactly one gets it, the others are told who has it", async () => {
    const all = await Promise.all(Array.from({ length: 16 }, () => start(state)));
    for (let round = 0; round < 3; round++) {
      // As a killed holder leaves it, with a stale holder.json beside.
      const reports = await Promise.all(all.map(one => one.attempt()));
      const winners = reports.filter(({ got }) => got);
      expect(winners).toHaveLength(1);
      expect(reports.filter(({ got, kind }) => !got && kind !== "held")).toEqual([]);
      const winner = all.splice(
        reports.findIndex(({ got }) => got),
        1,
      )[0]!;
      const late = await all[0]!.attempt();
      expect(late).toMatchObject({ got: false, kind: "held", pid: winner.child.pid });
      await winner.kill("SIGKILL");
    }
  });

  it("that are killed leave no lock, whatever they left on disk", async () => {
    for (const signal of ["SIGKILL", "SIGTERM", "SIGHUP"] as const) {
      const holder = await start(state);
      expect(await holder.attempt()).toMatchObject({ got: true });
      await holder.kill(signal);
      expect(readHolder(state)?.pid).toBe(holder.child.pid);
      take().release();
    }
  });

  it("that end without releasing leave neither lock nor holder", async () => {
    const holder = await start(state, "exit");
    expect(await holder.attempt()).toMatchObject({ got: true });
    await holder.end();
    expect(readHolder(state)).toBeUndefined();
    take();
  });

  it("that forget their lock hold it all the same", async () => {
    const holder = await start(state, "forget");
    expect(await holder.attempt()).toMatchObject({ got: true });
    expect(await (await start(state)).attempt()).toMatchObject({
      got: false,
      kind: "held",
      pid: holder.child.pid,
    });
  });

  it.skipIf(process.platform !== "linux")("that are stopped keep it, and the message says so", async () => {
    const holder = await start(state);
    await holder.attempt();
    const { pid } = holder.child;
    await holder.kill("SIGSTOP");
    await until(() => livenessOf(readHolder(state) as Holder) === "stopped");
    const failure = refusal();
    expect(failure).toMatchObject({ kind: "held", holder: { pid }, liveness: "stopped" });
    const told = toldOf(failure);
    expect(told).toContain(`held by process ${pid} on ${thisHost()}, in /, since 20`);
    expect(told).toContain(`it is stopped: "kill -CONT ${pid}" lets it go on`);
    await holder.kill("SIGCONT");
    await until(() => livenessOf(readHolder(state) as Holder) === "running");
    expect(refusal()).toMatchObject({ kind: "held", liveness: "running" });
    await holder.end();
    take();
  });

  it("do not blame a dead or reused process id", async () => {
    const holder = await start(state);
    await holder.attempt();
    const real = readHolder(state) as Holder;
    const stale: Holder[] = [
      { ...real, pid: 2 ** 22 + 1 },
      { ...real, pid: process.pid },
      { ...real, bootId: "00000000-0000-0000-0000-000000000000" },
    ];
    for (const wrong of stale) {
      writeFileSync(join(state, "holder.json"), JSON.stringify(wrong));
      const failure = refusal();
      expect(failure).toMatchObject({
        kind: "held",
        reason: because("project-held", {}),
      });
      expect(failure).not.toHaveProperty("holder");
    }
    for (const text of [
      "",
      "{",
      "null",
      "7",
      '{"pid":"1"}',
      '{"pid":-1}',
      '{"__proto__":{"pid":1}}',
      "x".repeat(100_000),
    ]) {
      writeFileSync(join(state, "holder.json"), text);
      expect(refusal()).toMatchObject({ kind: "held" });
      expect(readHolder(state)).toBeUndefined();
    }
    writeFileSync(
      join(state, "holder.json"),
      JSON.stringify({ ...real, host: "elsewhere", pid: 2 ** 22 + 1, startedAt: "x" }),
    );
    expect(toldOf(refusal())).toContain("on elsewhere, in /, since an unknown time");
  });
});
