import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isTemporaryName, temporaryName } from "../../src/adapters/file/index.ts";
import {
  inspectDatabase,
  type OpenedState,
  type OpenStateOptions,
  openState,
  type SqliteStore,
} from "../../src/adapters/store/index.ts";
import type { StoredRun, TaskRow } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { contents, copyFiles, must, thinText } from "./store-fixtures.ts";

const NOW = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
const STAMP = "20300102T030405Z";
const OPTIONS: OpenStateOptions = { project: "/demo", now: NOW };

let top: string;
let state: string;
const stores: SqliteStore[] = [];

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "espalier-open-"));
  state = join(top, ".espalier");
});
afterEach(() => {
  for (const store of stores.splice(0)) store.close();
  rmSync(top, { recursive: true, force: true });
});

const open = (directory = state, options = OPTIONS): OpenedState => {
  const opened = must(openState(directory, options));
  stores.push(opened.store);
  return opened;
};
const file = (name: string): string => join(state, name);
const names = (): string[] => readdirSync(state).sort();
const run = (opened: OpenedState): StoredRun => {
  const stored = must(opened.store.load());
  if (stored === undefined) throw new Error("no run");
  return stored;
};
const statusOf = (stored: StoredRun): Record<string, string> =>
  Object.fromEntries(stored.tasks.map(({ id, status }) => [id, status]));
const failureOf = (options = OPTIONS) => {
  const result = openState(state, options);
  if (!result.ok) return result.failure;
  result.value.store.close();
  throw new Error("opened");
};
const stored = (id: string): TaskRow => taskRow(id, { status: "completed", verified: true, attempts: 1 });

/**
 * A state as a killed process leaves it, log and all: run-1 with T1..T5. T1 completed before the backup (event 1), T2 and
 * T3 after it (events 2 and 3); the thin state knows all three.
 */
async function killed(directory: string): Promise<void> {
  const living = join(directory, "living");
  const { store } = must(openState(living, OPTIONS));
  const epoch = must(store.claimEpoch());
  const tasks = ["T1", "T2", "T3", "T4", "T5"].map(id => taskRow(id));
  must(store.commit({ epoch, runId: "run-1", run: runRow({ plan: "p".repeat(9000) }), tasks }));
  const done = (id: string, seq: number) =>
    must(store.commit({ epoch, runId: "run-1", tasks: [stored(id)], events: [stampedEvent(seq)] }));
  done("T1", 1);
  must(await store.backup(join(living, "espalier.db.bak")));
  must(store.commit({ epoch, runId: "run-1", attempts: [attemptRow("T2", 1), attemptRow("T4", 1)] }));
  done("T2", 2);
  writeFileSync(
    join(living, "orchestrate-state.json.bak"),
    thinText({ epoch, seq: 2 }, [
      { id: "T1", status: "completed" },
      { id: "T2", status: "completed" },
    ]),
  );
  done("T3", 3);
  const all = ["T1", "T2", "T3"].map(id => ({ id, status: "completed", verified: true }));
  writeFileSync(
    join(living, "orchestrate-state.json"),
    thinText({ epoch, seq: 3 }, [
      ...all,
      { id: "T4", status: "in_progress" },
      { id: "T5", status: "pending" },
    ]),
  );
  copyFiles(living, join(directory, "killed"));
  store.close();
  copyFiles(living, join(directory, "closed"));
}

let samples: string;
beforeAll(async () => {
  samples = mkdtempSync(join(tmpdir(), "espalier-samples-"));
  await killed(samples);
});
afterAll(() => rmSync(samples, { recursive: true, force: true }));
const sample = (name: "killed" | "closed"): void => copyFiles(join(samples, name), state);

describe("a sound state", () => {
  it("begins where there is nothing, in a directory of its owner's alone", () => {
    const opened = open();
    expect(opened).toMatchObject({ source: "fresh", report: [] });
    expect(opened.imported).toBeUndefined();
    expect(must(opened.store.load())).toBeUndefined();
    expect(statSync(state).mode & 0o777).toBe(0o700);
  });

  it.each(["killed", "closed"] as const)("goes on from a process that was %s, without a word", name => {
    sample(name);
    const before = contents(state).get("espalier.db.bak");
    const opened = open();
    expect(opened).toMatchObject({ source: "database", report: [] });
    expect(run(opened).lastSeq).toBe(3);
    expect(statusOf(run(opened))).toMatchObject({
      T1: "completed",
      T2: "completed",
      T3: "completed",
      T4: "pending",
    });
    expect(run(opened).openAttempts.map(({ task }) => task)).toEqual(["T2", "T4"]);
    expect(names().filter(each => each.includes("corrupt"))).toEqual([]);
    expect(readFileSync(file("espalier.db.bak"))).toEqual(before);
  });

  it("sweeps what killed writers left", () => {
    sample("closed");
    writeFileSync(temporaryName(state), "half");
    writeFileSync(`${temporaryName(state)}-journal`, "half");
    open();
    expect(names().filter(isTemporaryName)).toEqual([]);
  });

  it("takes any directory for its state, shared with other tools or linked to", () => {
    mkdirSync(join(top, "elsewhere"));
    symlinkSync(join(top, "elsewhere"), join(top, ".claude"));
    expect(open(join(top, ".claude")).source).toBe("fresh");
    expect(open(join(top, "a", "b", "c")).source).toBe("fresh");
    expect(statSync(join(top, "a")).mode & 0o777).toBe(0o700);
  });

  it("does not let everyone write there", () => {
    mkdirSync(state);
    chmodSync(state, 0o777);
    const opened = open();
    expect(opened.report).toEqual([`${state} was writable by others (777); it is 755 now`]);
    expect(statSync(state).mode & 0o777).toBe(0o755);
    opened.store.close();
    expect(open().report).toEqual([]);
  });

  it("answers before anything begins where it cannot write, naming the place", () => {
    writeFileSync(state, "a file");
    expect(failureOf()).toMatchObject({ kind: "unwritable", path: state, report: [] });
    state = join(state, "below");
    expect(failureOf()).toMatchObject({ kind: "unwritable", path: state });
  });

  it("answers where it has no right to write (a process without rights tries)", ({ skip }) => {
    skip(process.getuid?.() !== 0, "needs root to start a process without rights");
    sample("closed");
    // Others may enter and read, but not write.
    chmodSync(top, 0o755);
    chmodSync(state, 0o755);
    const url = new URL("../../src/adapters/store/index.ts", import.meta.url).href;
    const script = `
      process.setgid(65534); process.setuid(65534);
      const result = openState(${JSON.stringify(state)}, ${JSON.stringify(OPTIONS)});
      console.log(JSON.stringify(result.ok ? "opened" : result.failure));
    `;
    const out = execFileSync(
      process.execPath,
      [
        "--input-type=module-typescript",
        "--eval",
        `import { openState } from ${JSON.stringify(url)};${script}`,
      ],
      { encoding: "utf8" },
    );
    expect(JSON.parse(out)).toMatchObject({ kind: "unwritable", path: state });
  });
});

describe("a damaged database", () => {
  const completions = ["T1", "T2", "T3"];
  const lost = (opened: OpenedState): string[] => {
    const known = new Map(opened.imported?.tasks);
    const rows = must(opened.store.load())?.tasks ?? [];
    const done = new Set(rows.filter(({ status }) => status === "completed").map(({ id }) => id));
    return completions.filter(id => !done.has(id) && known.get(id)?.status !== "completed");
  };

  it("is replaced by its backup, brought forward by the thin state, and kept as it was", () => {
    sample("closed");
    truncateSync(file("espalier.db"), 9000);
    const damaged = readFileSync(file("espalier.db"));
    const opened = open();
    expect(opened.source).toBe("backup");
    expect(opened.report).toEqual([
      expect.stringMatching(
        /^espalier\.db is damaged \(.+\); kept as espalier\.db\.corrupt-20300102T030405Z$/,
      ),
      "restored from espalier.db.bak",
      "brought forward by orchestrate-state.json to event 3: T2 pending → completed, T3 pending → completed, T4 pending → ready",
    ]);
    expect(lost(opened)).toEqual([]);
    expect(readFileSync(file(`espalier.db.corrupt-${STAMP}`))).toEqual(damaged);
    opened.store.close();
    expect(open()).toMatchObject({ source: "database", report: [] });
  });

  it("loses nothing at any length, with its log or without", () => {
    const size = statSync(join(samples, "closed", "espalier.db")).size;
    const wrong: string[] = [];
    for (let length = 0; length < size; length += 1531) {
      for (const name of ["killed", "closed"] as const) {
        rmSync(state, { recursive: true, force: true });
        sample(name);
        truncateSync(file("espalier.db"), Math.min(length, statSync(file("espalier.db")).size));
        const before = contents(state);
        const opened = open();
        const where = `${name} at ${length}: ${opened.source}`;
        if (lost(opened).length > 0) wrong.push(`${where} lost ${lost(opened).join()}`);
        const aside = names().filter(each => each.includes("corrupt-"));
        const kept = aside.some(each => readFileSync(file(each)).equals(before.get("espalier.db")!));
        if (opened.report.length > 0 && !kept)
          wrong.push(`${where} did not keep the damaged file: ${aside.join()}`);
        opened.store.close();
        if (must(inspectDatabase(file("espalier.db"))) === undefined) wrong.push(`${where} left no database`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("loses nothing to a flipped bit: it is noticed, or it changed nothing that counts", () => {
    const bytes = readFileSync(join(samples, "closed", "espalier.db"));
    const wrong: string[] = [];
    for (let at = 0; at < bytes.length; at += 409) {
      rmSync(state, { recursive: true, force: true });
      sample("closed");
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      writeFileSync(file("espalier.db"), flipped);
      const result = openState(state, OPTIONS);
      // A flip in the version, the epoch or the project's name is refused or shows as another one.
      if (!result.ok && ["newer", "foreign"].includes(result.failure.kind)) continue;
      const opened = must(result);
      if (lost(opened).length > 0) wrong.push(`${at}: ${opened.source} lost ${lost(opened).join()}`);
      opened.store.close();
    }
    expect(wrong).toEqual([]);
  });

  it("loses nothing when its log is lost, torn or changed, and keeps what was there of it", () => {
    const size = statSync(join(samples, "killed", "espalier.db-wal")).size;
    const wrong: string[] = [];
    for (let length = 0; length < size; length += 4003) {
      for (const damage of ["torn", "changed"]) {
        rmSync(state, { recursive: true, force: true });
        sample("killed");
        const log = readFileSync(file("espalier.db-wal"));
        if (damage === "changed") log[length]! ^= 0x10;
        writeFileSync(file("espalier.db-wal"), damage === "torn" ? log.subarray(0, length) : log);
        rmSync(file("espalier.db-shm"), { force: true });
        const opened = open();
        if (lost(opened).length > 0) wrong.push(`${damage} at ${length}: lost ${lost(opened).join()}`);
        opened.store.close();
      }
    }
    rmSync(state, { recursive: true, force: true });
    sample("killed");
    rmSync(file("espalier.db-wal"));
    if (lost(open()).length > 0) wrong.push("removed");
    expect(wrong).toEqual([]);
  });

  it("whose log is torn says what was done about it", () => {
    sample("killed");
    const log = file("espalier.db-wal");
    truncateSync(log, statSync(log).size - 4000);
    const opened = open();
    expect(opened.source).toBe("database");
    expect(opened.report).toEqual([
      `espalier.db has lost its latest changes; kept as espalier.db.corrupt-${STAMP}`,
      expect.stringMatching(
        /^brought forward by orchestrate-state\.json to event 3: .*T3 pending → completed/,
      ),
    ]);
    expect(names()).toContain(`espalier.db.corrupt-${STAMP}-wal`);
  });

  it("without a backup leaves the thin state, offered for import, and epochs go on rising", () => {
    sample("closed");
    truncateSync(file("espalier.db"), 9000);
    rmSync(file("espalier.db.bak"));
    const opened = open();
    expect(opened.source).toBe("thin");
    expect(must(opened.store.load())).toBeUndefined();
    expect(opened.imported).toMatchObject({
      from: file("orchestrate-state.json"),
      project: "demo",
      phase: "1",
    });
    expect(opened.imported?.tasks.get("T1")).toMatchObject({
      status: "completed",
      retries: 0,
      verified: true,
    });
    expect(opened.imported?.tasks.get("T4")).toMatchObject({ status: "ready" });
    expect(opened.report).toContain("orchestrate-state.json tells of run run-1, which no database holds");
    expect(must(opened.store.claimEpoch())).toBe(2);
    // A crash before the import was committed must not lose it.
    opened.store.close();
    const again = open();
    expect(again.imported?.tasks.get("T3")?.status).toBe("completed");
  });

  it("and a damaged thin state leave the thin state's own backup", () => {
    sample("closed");
    truncateSync(file("espalier.db"), 100);
    truncateSync(file("espalier.db.bak"), 100);
    truncateSync(file("orchestrate-state.json"), 100);
    const opened = open();
    expect(opened.source).toBe("thin");
    expect(opened.imported?.from).toBe(file("orchestrate-state.json.bak"));
    expect([...(opened.imported?.tasks.keys() ?? [])]).toEqual(["T1", "T2"]);
    for (const name of ["espalier.db", "espalier.db.bak", "orchestrate-state.json"]) {
      expect(statSync(file(`${name}.corrupt-${STAMP}`)).size).toBe(100);
    }
  });

  it("with everything else damaged begins anew, and nothing is deleted", () => {
    sample("killed");
    for (const name of names()) writeFileSync(file(name), `damage in ${name}`);
    const before = [...contents(state).values()].map(String).sort();
    const opened = open();
    expect(opened.source).toBe("fresh");
    expect(opened.imported).toBeUndefined();
    expect(must(opened.store.load())).toBeUndefined();
    expect(opened.report).toHaveLength(5);
    opened.store.close();
    const aside = [...contents(state)].filter(([name]) => name.includes("corrupt-"));
    // SQLite rebuilds the index of the log while it looks; there is nothing of its own in it.
    const kept = aside.map(([, bytes]) => String(bytes)).filter(text => text.startsWith("damage in "));
    expect(kept.sort()).toEqual(before.filter(text => !text.endsWith("-shm")));
    expect(kept).toHaveLength(5);
  });

  it("that is missing is replaced by its backup, and a log left alone is not applied to it", () => {
    sample("killed");
    rmSync(file("espalier.db"));
    const opened = open();
    expect(opened.source).toBe("backup");
    expect(opened.report[0]).toBe(`espalier.db is missing; kept as espalier.db.corrupt-${STAMP}`);
    expect(lost(opened)).toEqual([]);
    expect(names()).toContain(`espalier.db.corrupt-${STAMP}-wal`);
  });

  it("gets a name of its own each time", () => {
    for (let round = 0; round < 3; round++) {
      sample("closed");
      truncateSync(file("espalier.db"), 1000 + round);
      open().store.close();
    }
    const aside = names().filter(each => each.startsWith("espalier.db.corrupt-"));
    expect(aside).toEqual([
      `espalier.db.corrupt-${STAMP}`,
      `espalier.db.corrupt-${STAMP}.2`,
      `espalier.db.corrupt-${STAMP}.3`,
    ]);
  });

  it("is recovered the same after a crash in the middle of recovering", () => {
    // What stands there after each step: the copy made, the second name given, the log moved.
    const steps: (() => void)[] = [
      () => copyFileSync(file("espalier.db.bak"), temporaryName(state)),
      () => copyFileSync(file("espalier.db"), file("espalier.db.corrupt-earlier")),
      () => renameSync(file("espalier.db-wal"), file("espalier.db.corrupt-earlier-wal")),
      () => rmSync(file("espalier.db-shm"), { force: true }),
      () => rmSync(file("espalier.db")),
    ];
    for (let count = 0; count <= steps.length; count++) {
      rmSync(state, { recursive: true, force: true });
      sample("killed");
      writeFileSync(file("espalier.db"), readFileSync(file("espalier.db")).fill(7, 0, 2000));
      for (const step of steps.slice(0, count)) step();
      expect(lost(open())).toEqual([]);
    }
  });
});

describe("a database that fell behind", () => {
  it("gives way to a backup that has come further", () => {
    sample("closed");
    const epoch = 1;
    copyFileSync(file("espalier.db"), join(top, "old"));
    const opened = open();
    must(opened.store.commit({ epoch, runId: "run-1", tasks: [stored("T5")], events: [stampedEvent(4)] }));
    opened.store.close();
    copyFileSync(file("espalier.db"), file("espalier.db.bak"));
    copyFileSync(join(top, "old"), file("espalier.db"));
    const again = open();
    expect(again.source).toBe("backup");
    expect(again.report[0]).toBe(
      `espalier.db has lost its latest changes; kept as espalier.db.corrupt-${STAMP}`,
    );
    expect(statusOf(run(again))["T5"]).toBe("completed");
    expect(run(again).lastSeq).toBe(4);
  });

  it("does not give way to an older thin state, whatever it says", () => {
    sample("closed");
    for (const [epoch, seq] of [
      [1, 3],
      [1, 2],
      [1, 0],
      [0, 99],
    ] as const) {
      writeFileSync(
        file("orchestrate-state.json"),
        thinText({ epoch, seq }, [{ id: "T1", status: "failed" }]),
      );
      const opened = open();
      expect(opened).toMatchObject({ source: "database", report: [] });
      expect(statusOf(run(opened))["T1"]).toBe("completed");
      opened.store.close();
    }
  });

  const forward = (tasks: Parameters<typeof thinText>[1], seq = 9): OpenedState => {
    sample("closed");
    writeFileSync(file("orchestrate-state.json"), thinText({ epoch: 1, seq }, tasks));
    return open();
  };
  const row = (opened: OpenedState, id: string): TaskRow | undefined =>
    run(opened).tasks.find(task => task.id === id);

  it("takes over every status a newer thin state tells", () => {
    const opened = forward([
      { id: "T1", status: "ready", retry_count: 2 },
      { id: "T2", status: "completed", verified: false },
      { id: "T3", status: "skipped" },
      { id: "T4", status: "failed", retry_count: 10 },
      { id: "T5", status: "in_progress", retry_count: 1 },
      { id: "T6", status: "waiting" },
      { id: "T7", status: "paused" },
    ]);
    expect(statusOf(run(opened))).toEqual({
      T1: "ready",
      T2: "completed",
      T3: "skipped",
      T4: "failed",
      T5: "ready",
      T6: "ready",
      T7: "paused",
    });
    expect(row(opened, "T4")).toMatchObject({ retries: 10, attempts: 10 });
    expect(row(opened, "T5")).toMatchObject({ retries: 1, attempts: 2 });
    expect(row(opened, "T2")).toMatchObject({ verified: false, attempts: 1 });
    expect(row(opened, "T1")).toEqual(taskRow("T1", { status: "ready", retries: 2, attempts: 2 }));
    expect(opened.report.at(-1)).toContain("T1 completed → ready");
    expect(opened.report.at(-1)).toContain("T6 unknown → ready");
  });

  it("ends the attempts of tasks that are completed by it, and no others", () => {
    const opened = forward([
      { id: "T2", status: "completed" },
      { id: "T4", status: "in_progress" },
    ]);
    expect(run(opened).openAttempts.map(({ task }) => task)).toEqual(["T4"]);
    expect(must(opened.store.attempts("run-1", "T2"))[0]).toMatchObject({ outcome: "done", endedAt: NOW });
  });

  it("goes on in the order of events, and an event tells of the gap", () => {
    const opened = forward([{ id: "T1", status: "completed" }]);
    expect(run(opened).lastSeq).toBe(10);
    expect(must(opened.store.events("run-1", 3, 99))).toEqual([
      { seq: 10, at: NOW, event: expect.objectContaining({ type: "warning", code: "STATE_RESTORED" }) },
    ]);
    const epoch = must(opened.store.claimEpoch());
    must(opened.store.commit({ epoch, runId: "run-1", events: [stampedEvent(11)] }));
    opened.store.close();
    expect(open()).toMatchObject({ source: "database", report: [] });
  });

  it("keeps epochs above every one that was claimed", () => {
    sample("closed");
    writeFileSync(
      file("orchestrate-state.json"),
      thinText({ epoch: 17, seq: 3 }, [{ id: "T1", status: "completed" }]),
    );
    expect(must(open().store.claimEpoch())).toBe(18);
  });

  it("offers the tasks of a run it never heard of, again and again until another thin state is written", () => {
    sample("closed");
    const text = thinText({ run: "run-2", epoch: 1, seq: 5 }, [{ id: "A", status: "completed" }]);
    writeFileSync(file("orchestrate-state.json"), text);
    for (let round = 0; round < 2; round++) {
      const opened = open();
      expect(opened.source).toBe("thin");
      expect(opened.imported?.tasks.get("A")?.status).toBe("completed");
      expect(opened.report).toEqual(["orchestrate-state.json tells of run run-2, which no database holds"]);
      expect(run(opened).run.id).toBe("run-1");
      must(opened.store.claimEpoch());
      opened.store.close();
    }
  });

  it("reads a thin state that is partly unreadable as far as it goes, and says so", () => {
    sample("closed");
    const tasks = [null, 7, { id: "T4" }, { id: "", status: "ready" }, { id: "T5", status: "finished" }];
    const text = thinText({ epoch: 1, seq: 9 }, [
      { id: "T4", status: "completed", retry_count: -3, verified: "yes" },
    ]);
    writeFileSync(
      file("orchestrate-state.json"),
      text.replace('"tasks":[', `"tasks":[${tasks.map(task => JSON.stringify(task)).join()},`),
    );
    const opened = open();
    expect(row(opened, "T4")).toMatchObject({ status: "completed", retries: 0 });
    expect(opened.report.filter(line => line.includes("is unreadable"))).toHaveLength(5);
  });

  it("is not fooled by hostile keys", () => {
    const opened = forward([
      { id: "__proto__", status: "completed" },
      { id: "constructor", status: "completed" },
    ]);
    expect(row(opened, "__proto__")?.status).toBe("completed");
    expect(row(opened, "constructor")?.status).toBe("completed");
    opened.store.close();
    writeFileSync(
      file("orchestrate-state.json"),
      '{"__proto__":{"seq":99,"epoch":99,"version":"3.0","run":"x","tasks":[]},"constructor":1}',
    );
    expect(open().source).toBe("database");
    expect(({} as Record<string, unknown>)["seq"]).toBeUndefined();
  });
});

describe("a thin state", () => {
  it("cut at any length never harms a sound database", () => {
    const text = readFileSync(join(samples, "closed", "orchestrate-state.json"));
    const wrong: number[] = [];
    for (let length = 0; length < text.length - 1; length += 23) {
      rmSync(state, { recursive: true, force: true });
      sample("closed");
      writeFileSync(file("orchestrate-state.json"), text.subarray(0, length));
      const opened = open();
      if (opened.source !== "database" || opened.report.length !== 1 || run(opened).lastSeq !== 3)
        wrong.push(length);
      opened.store.close();
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    "null",
    "[]",
    "<html>",
    "\0\0\0",
    '{"version":"3.0","seq":1,"epoch":1}',
    '{"version":"3.0","seq":"1","epoch":1,"run":"r","tasks":[]}',
  ])("that reads %s is moved aside", text => {
    sample("closed");
    writeFileSync(file("orchestrate-state.json"), text);
    const opened = open();
    expect(opened.source).toBe("database");
    expect(readFileSync(file(`orchestrate-state.json.corrupt-${STAMP}`), "utf8")).toBe(text);
  });

  it("that is a pipe is moved aside, not waited for", () => {
    sample("closed");
    rmSync(file("orchestrate-state.json"));
    execFileSync("mkfifo", [file("orchestrate-state.json")]);
    expect(open().report).toHaveLength(1);
  });
});

describe("what is not ours to touch", () => {
  const untouched = (arrange: () => void) => {
    sample("closed");
    arrange();
    const before = contents(state);
    const failure = failureOf();
    expect(contents(state)).toEqual(before);
    return failure;
  };
  const alter = (name: string, sql: string): void => {
    const database = new DatabaseSync(file(name));
    database.exec(`PRAGMA journal_mode = DELETE; ${sql}`);
    database.close();
  };

  it("a state of a newer version, in whichever file it shows", () => {
    const newer = { kind: "newer", found: 9, report: [] };
    expect(untouched(() => alter("espalier.db", "PRAGMA user_version = 9"))).toMatchObject(newer);
    rmSync(state, { recursive: true });
    expect(untouched(() => alter("espalier.db.bak", "PRAGMA user_version = 9"))).toMatchObject(newer);
    rmSync(state, { recursive: true });
    const text = thinText({ epoch: 1, seq: 1 }, []).replace("3.0", "9.1");
    expect(untouched(() => writeFileSync(file("orchestrate-state.json"), text))).toMatchObject(newer);
  });

  it("a state of another project, until told to adopt it", () => {
    const other = { ...OPTIONS, project: "/other" };
    sample("closed");
    const before = contents(state);
    expect(failureOf(other)).toMatchObject({
      kind: "foreign",
      found: "/demo",
      expected: "/other",
      report: [],
    });
    expect(contents(state)).toEqual(before);
    const adopted = open(state, { ...other, adopt: true });
    expect(adopted.report).toEqual(["the state was that of /demo; it belongs to /other now"]);
    adopted.store.close();
    rmSync(file("espalier.db.bak"));
    expect(open(state, other).report).toEqual([]);
    expect(failureOf()).toMatchObject({ kind: "foreign", found: "/other", expected: "/demo" });
  });

  it("a backup of another project, when the database is gone", () => {
    expect(untouched(() => alter("espalier.db.bak", "UPDATE meta SET project = '/x'"))).toMatchObject({
      kind: "foreign",
      found: "/x",
    });
    rmSync(file("espalier.db"));
    expect(failureOf()).toMatchObject({ kind: "foreign", found: "/x" });
    expect(open(state, { ...OPTIONS, adopt: true }).source).toBe("backup");
  });
});

describe("the state file of another orchestrator", () => {
  const LEGACY = JSON.stringify({
    version: "2.0",
    project: "bakery",
    execution: { current_phase: 2 },
    tasks: { completed: ["T1", "T2"], in_progress: ["T3"], failed: [] },
    retry_counts: { T3: 4, T1: -1 },
  });
  const legacyCopies = (): string[] => names().filter(name => name.includes(".legacy-"));

  it("is offered for import and kept, since our own will take its name", () => {
    mkdirSync(state);
    writeFileSync(file("orchestrate-state.json"), LEGACY);
    const opened = open();
    expect(opened.source).toBe("fresh");
    expect(opened.imported).toMatchObject({
      from: file("orchestrate-state.json"),
      project: "bakery",
      phase: "2",
    });
    expect(Object.fromEntries(opened.imported?.tasks ?? [])).toEqual({
      T1: { status: "completed", retries: 0 },
      T2: { status: "completed", retries: 0 },
      T3: { status: "ready", retries: 4 },
    });
    expect(opened.report).toEqual([
      expect.stringContaining("a copy is kept as orchestrate-state.json.legacy-"),
      "orchestrate-state.json of another orchestrator tells of 3 tasks",
      expect.stringContaining("retry_counts.T1"),
    ]);
    expect(legacyCopies().map(name => readFileSync(file(name), "utf8"))).toEqual([LEGACY]);
    opened.store.close();
    expect(open().imported?.tasks.size).toBe(3);
    expect(legacyCopies()).toHaveLength(1);
  });

  it("is kept but not offered once a run of ours has begun", () => {
    sample("closed");
    writeFileSync(file("orchestrate-state.json"), LEGACY);
    const opened = open();
    expect(opened.source).toBe("database");
    expect(opened.imported).toBeUndefined();
    expect(legacyCopies()).toHaveLength(1);
  });
});
