import { execFileSync, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  inspectDatabase,
  openMemoryStore,
  openSqliteReader,
  openSqliteStore,
  type SqliteStore,
} from "../../src/adapters/store/index.ts";
import type { Change, StoredRun } from "../../src/ports/index.ts";
import { attemptRow, runRow, stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { must } from "./store-fixtures.ts";

let directory: string;
let path: string;
const opened: { close(): void }[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "espalier-sqlite-"));
  path = join(directory, "espalier.db");
});
afterEach(() => {
  for (const store of opened.splice(0)) store.close();
  rmSync(directory, { recursive: true, force: true });
});

const keep = <T extends { close(): void }>(store: T): T => {
  opened.push(store);
  return store;
};
const open = (): SqliteStore => keep(must(openSqliteStore({ path, project: "/demo" })));
const names = (): string[] => readdirSync(directory).sort();
const filled = (): { store: SqliteStore; epoch: number } => {
  const store = open();
  const epoch = must(store.claimEpoch());
  const tasks = [taskRow("T1", { status: "completed", verified: true }), taskRow("T2")];
  must(
    store.commit({ epoch, runId: "run-1", run: runRow(), tasks, events: [stampedEvent(1), stampedEvent(2)] }),
  );
  return { store, epoch };
};

describe("openSqliteStore", () => {
  it("makes a database only its owner can read, and nothing else", () => {
    open().close();
    expect(names()).toEqual(["espalier.db"]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it("gives the companions the same mode while it is open", () => {
    filled();
    for (const name of names())
      expect(`${name} ${(statSync(join(directory, name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    expect(names()).toContain("espalier.db-wal");
  });

  it("writes ahead and syncs every commit", () => {
    open();
    const raw = keep(new DatabaseSync(path));
    expect(raw.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(readFileSync(path).subarray(18, 20)).toEqual(Buffer.from([2, 2]));
  });

  it("says what it is: project, epoch, version, place in the order", () => {
    const { store } = filled();
    store.close();
    expect(must(inspectDatabase(path))).toEqual({
      project: "/demo",
      version: 2,
      epoch: 1,
      run: "run-1",
      seq: 2,
      runs: new Set(["run-1"]),
    });
    expect(must(inspectDatabase(join(directory, "none")))).toBeUndefined();
  });

  it("begins at the epoch it is given", () => {
    const store = keep(must(openSqliteStore({ path, project: "/demo", epoch: 41 })));
    expect(must(store.claimEpoch())).toBe(42);
  });

  it("goes on with what a killed writer left in the log", () => {
    const { store } = filled();
    const copy = join(directory, "copy");
    mkdirSync(copy);
    for (const ending of ["", "-wal"]) copyFileSync(`${path}${ending}`, join(copy, `espalier.db${ending}`));
    const before = must(store.load());
    const again = keep(must(openSqliteStore({ path: join(copy, "espalier.db"), project: "/demo" })));
    expect(must(again.load())).toEqual(before);
  });

  it("does not touch a database of a newer version", () => {
    open().close();
    const raw = new DatabaseSync(path);
    raw.exec("PRAGMA journal_mode = DELETE; PRAGMA user_version = 7");
    raw.close();
    const bytes = readFileSync(path);
    expect(openSqliteStore({ path, project: "/demo" })).toEqual({
      ok: false,
      failure: { kind: "newer", found: 7, supported: 2 },
    });
    expect(openSqliteReader({ path })).toMatchObject({ ok: false, failure: { kind: "newer" } });
    expect(readFileSync(path)).toEqual(bytes);
    expect(names().filter(name => name.includes("wal"))).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["an empty file", () => writeFileSync(path, "")],
    ["a text", () => writeFileSync(path, "<html>".repeat(2000))],
    ["zeros", () => writeFileSync(path, Buffer.alloc(8192))],
    [
      "another program's database",
      () => {
        const raw = new DatabaseSync(path);
        raw.exec("CREATE TABLE cookies (a)");
        raw.close();
      },
    ],
    [
      "a database without its tables",
      () => {
        open().close();
        const raw = new DatabaseSync(path);
        raw.exec("DROP TABLE meta");
        raw.close();
      },
    ],
    [
      "a database without its first entry",
      () => {
        open().close();
        const raw = new DatabaseSync(path);
        raw.exec("DELETE FROM meta");
        raw.close();
      },
    ],
  ])("calls %s damaged and leaves it as it is", (_, arrange) => {
    arrange();
    const bytes = readFileSync(path);
    expect(openSqliteStore({ path, project: "/demo" })).toMatchObject({
      ok: false,
      failure: { kind: "damaged" },
    });
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("notices a changed letter in every place where a status stands, in rows and in definitions", () => {
    filled().store.close();
    const sound = readFileSync(path);
    const missed: number[] = [];
    let places = 0;
    for (let at = sound.indexOf("completed"); at !== -1; at = sound.indexOf("completed", at + 1)) {
      places++;
      const bytes = Buffer.from(sound);
      bytes[at] = "k".charCodeAt(0);
      writeFileSync(path, bytes);
      const result = openSqliteStore({ path, project: "/demo" });
      if (result.ok || result.failure.kind !== "damaged") missed.push(at);
    }
    expect(missed).toEqual([]);
    expect(places).toBeGreaterThan(2);
  });

  it("answers for places where no database can be", () => {
    mkdirSync(path);
    expect(openSqliteStore({ path, project: "/demo" })).toMatchObject({ ok: false, failure: { kind: "io" } });
    const nowhere = join(directory, "no", "such", "place");
    expect(openSqliteStore({ path: nowhere, project: "/demo" })).toMatchObject({
      ok: false,
      failure: { kind: "io" },
    });
    expect(names()).toEqual(["espalier.db"]);
  });

  it("answers when another process keeps the database locked", () => {
    const { store, epoch } = filled();
    store.close();
    const quick = keep(must(openSqliteStore({ path, project: "/demo", waitMs: 50 })));
    const other = keep(new DatabaseSync(path));
    other.exec("BEGIN IMMEDIATE");
    const refused = quick.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")] });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "io" } });
    other.exec("ROLLBACK");
    must(quick.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")] }));
  });

  it("can be opened from a path that looks like a URL's parts", () => {
    const odd = join(directory, "a?b#c%20 'd\"");
    mkdirSync(odd);
    const store = keep(must(openSqliteStore({ path: join(odd, "espalier.db"), project: "/demo" })));
    must(store.claimEpoch());
    expect(existsSync(join(odd, "espalier.db"))).toBe(true);
  });
});

describe("openSqliteReader", () => {
  it("tells that there is nothing to read yet", () => {
    expect(openSqliteReader({ path })).toEqual({ ok: true, value: undefined });
    expect(names()).toEqual([]);
  });

  it("reads what a killed writer left, without a writer alive", () => {
    const { store } = filled();
    const before = must(store.load());
    const copy = join(directory, "copy.db");
    for (const ending of ["", "-wal"]) copyFileSync(`${path}${ending}`, `${copy}${ending}`);
    const reader = must(openSqliteReader({ path: copy }));
    expect(must(reader!.load())).toEqual(before);
    reader!.close();
  });

  it("calls a broken file damaged", () => {
    writeFileSync(path, "x".repeat(5000));
    expect(openSqliteReader({ path })).toMatchObject({ ok: false, failure: { kind: "damaged" } });
  });
});

describe("a full disk", () => {
  // A real one, of 1 MiB; without the right to mount there is none to be had.
  const mount = (): string | undefined => {
    const place = join(directory, "small");
    mkdirSync(place);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place], { stdio: "ignore" });
      return place;
    } catch {
      return undefined;
    }
  };

  it("refuses the change with `full`, keeps what was committed, and goes on when there is room again", ({
    skip,
  }) => {
    const place = mount();
    skip(place === undefined, "mounting a small file system needs root");
    try {
      const store = must(openSqliteStore({ path: join(place!, "espalier.db"), project: "/demo" }));
      const epoch = must(store.claimEpoch());
      must(
        store.commit({
          epoch,
          runId: "run-1",
          run: runRow(),
          tasks: [taskRow("T1", { status: "completed" })],
        }),
      );
      const ballast = join(place!, "ballast");
      execFileSync("sh", ["-c", `head -c 2000000 /dev/zero > ${ballast} 2>/dev/null || true`]);
      const large: Change = {
        epoch,
        runId: "run-1",
        attempts: [attemptRow("T1", 1, { finalMessage: "m".repeat(60_000) })],
      };
      const before = must(store.load());
      expect(store.commit(large)).toMatchObject({ ok: false, failure: { kind: "full" } });
      expect(must(store.load())).toEqual(before);
      rmSync(ballast);
      must(store.commit(large));
      expect(must(store.load())?.openAttempts).toHaveLength(1);
      store.close();
      expect(must(inspectDatabase(join(place!, "espalier.db")))?.run).toBe("run-1");
    } finally {
      execFileSync("umount", [place!]);
    }
  });
});

describe("backup", () => {
  const target = (): string => `${path}.bak`;
  const loaded = (file: string): StoredRun | undefined => {
    const reader = must(openSqliteReader({ path: file }));
    try {
      return must(reader!.load());
    } finally {
      reader!.close();
    }
  };

  it("is one file with everything committed before, readable by its owner alone", async () => {
    const { store } = filled();
    must(await store.backup(target()));
    expect(statSync(target()).mode & 0o777).toBe(0o600);
    expect(names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
    expect(loaded(target())).toEqual(must(store.load()));
  });

  it("is a single moment, while commits go on and none waits for it", async () => {
    const { store, epoch } = filled();
    const filler = Array.from({ length: 200 }, (_, index) =>
      attemptRow("T2", index + 1, { evidence: "e".repeat(20_000) }),
    );
    must(store.commit({ epoch, runId: "run-1", attempts: filler }));
    let done = false;
    const backup = store.backup(target()).finally(() => {
      done = true;
    });
    let seq = 2;
    while (!done) {
      seq++;
      // Task and event say the same number; a copy of two moments would not.
      must(
        store.commit({
          epoch,
          runId: "run-1",
          tasks: [taskRow("T2", { retries: seq })],
          events: [stampedEvent(seq)],
        }),
      );
      await new Promise(resolve => setImmediate(resolve));
    }
    must(await backup);
    const copy = loaded(target());
    expect(copy?.tasks.find(({ id }) => id === "T2")?.retries ?? 0).toBe(
      copy?.lastSeq === 2 ? 0 : copy?.lastSeq,
    );
    expect(seq).toBeGreaterThan(3);
  });

  it("replaces the previous one, also when several are asked for at once and the store closes", async () => {
    const { store, epoch } = filled();
    must(await store.backup(target()));
    must(store.commit({ epoch, runId: "run-1", events: [stampedEvent(3)] }));
    const all = [store.backup(target()), store.backup(target()), store.backup(target())];
    store.close();
    for (const result of await Promise.all(all)) must(result);
    expect(loaded(target())?.lastSeq).toBe(3);
    expect(names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
  });

  it("leaves the previous one when it cannot be made", async () => {
    const { store } = filled();
    must(await store.backup(target()));
    const before = readFileSync(target());
    rmSync(path);
    expect(await store.backup(target())).toMatchObject({ ok: false });
    expect(readFileSync(target())).toEqual(before);
    expect(await store.backup(join(directory, "no", "place"))).toMatchObject({
      ok: false,
      failure: { kind: "io" },
    });
    expect(names().filter(name => name.startsWith(".espalier-"))).toEqual([]);
  });
});

describe("against the store in memory", () => {
  const ids = fc.constantFrom("T1", "T2", "T3", "__proto__");
  const task = fc
    .record({
      id: ids,
      status: fc.constantFrom("pending", "in_progress", "completed", "failed"),
      retries: fc.nat(12),
      verified: fc.option(fc.boolean(), { nil: undefined }),
      reason: fc.string({ unit: "grapheme" }),
    })
    .map(({ id, verified, ...rest }) =>
      taskRow(id, { ...rest, ...(verified === undefined ? {} : { verified }) }),
    );
  const attempt = fc
    .tuple(ids, fc.integer({ min: 1, max: 3 }), fc.constantFrom(0, 5), fc.string({ unit: "grapheme" }))
    .map(([id, number, endedAt, text]) => attemptRow(id, number, { endedAt, feedback: text }));
  const step = fc.record({
    run: fc.constantFrom("run-1", "run-2"),
    withRun: fc.boolean(),
    phase: fc.string({ unit: "grapheme" }),
    epochOff: fc.constantFrom(0, 0, 0, 0, -1, 1),
    claim: fc.constantFrom(false, false, false, true),
    tasks: fc.array(task, { maxLength: 4 }),
    removed: fc.array(ids, { maxLength: 1 }),
    attempts: fc.array(attempt, { maxLength: 2 }),
    events: fc.nat(3),
    reopen: fc.constantFrom(false, false, false, true),
  });

  it("any history of changes reads the same from both", () => {
    let round = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const file = join(directory, `model-${round++}.db`);
        let store = must(openSqliteStore({ path: file, project: "/demo" }));
        const model = openMemoryStore();
        let epoch = must(store.claimEpoch());
        expect(must(model.claimEpoch())).toBe(epoch);
        const seqs = new Map<string, number>();
        for (const { run, withRun, phase, epochOff, claim, reopen, ...rest } of steps) {
          if (claim) epoch = must(store.claimEpoch());
          if (claim) must(model.claimEpoch());
          if (reopen) {
            store.close();
            store = must(openSqliteStore({ path: file, project: "/demo" }));
          }
          const first = !seqs.has(run);
          const seq = seqs.get(run) ?? 0;
          const change: Change = {
            epoch: epoch + epochOff,
            runId: run,
            ...(withRun || first ? { run: runRow({ id: run, phase, plan: phase }) } : {}),
            tasks: rest.tasks,
            removedTasks: rest.removed,
            attempts: rest.attempts,
            events: Array.from({ length: rest.events }, (_, index) => stampedEvent(seq + index + 1)),
          };
          const answer = store.commit(change);
          expect(answer).toEqual(model.commit(change));
          if (answer.ok) seqs.set(run, seq + rest.events);
          expect(store.load()).toEqual(model.load());
          expect(store.events(run, 1, 3)).toEqual(model.events(run, 1, 3));
          expect(store.attempts(run, "T1")).toEqual(model.attempts(run, "T1"));
        }
        store.close();
      }),
      { numRuns: 60 },
    );
  });
});

it("spends a fraction of a millisecond on a transition, whatever the size of the plan", ({ skip }) => {
  skip(!existsSync("/dev/shm"), "without a file system in memory the disk would be measured");
  const memory = mkdtempSync("/dev/shm/espalier-");
  try {
    const store = must(openSqliteStore({ path: join(memory, "espalier.db"), project: "/demo" }));
    const epoch = must(store.claimEpoch());
    const plan = "p".repeat(2_000_000);
    const many = Array.from({ length: 10_000 }, (_, index) => taskRow(`N${index}`));
    must(store.commit({ epoch, runId: "run-1", run: runRow({ plan }), tasks: many }));
    const times: number[] = [];
    for (let round = 1; round <= 400; round++) {
      const start = performance.now();
      must(
        store.commit({
          epoch,
          runId: "run-1",
          run: runRow({ plan, phase: String(round) }),
          tasks: [taskRow(`N${round}`, { status: "completed", verified: true })],
          attempts: [
            attemptRow(`N${round}`, 1, { endedAt: 5, outcome: "done", finalMessage: "m".repeat(500) }),
          ],
          events: [stampedEvent(round)],
        }),
      );
      times.push(performance.now() - start);
    }
    store.close();
    const median = times.sort((a, b) => a - b)[200]!;
    // Around 0.1 ms on a quiet machine; the bound only has to catch work that grows with the plan.
    expect(median).toBeLessThan(1);
  } finally {
    rmSync(memory, { recursive: true });
  }
});

it("lets a second process read while this one writes", async () => {
  const { store, epoch } = filled();
  const script = `
    import { openSqliteReader } from ${JSON.stringify(new URL("../../src/adapters/store/index.ts", import.meta.url).href)};
    const reader = openSqliteReader({ path: ${JSON.stringify(path)} }).value;
    process.stdin.on("data", () => console.log(reader.load().value.lastSeq)).on("end", () => reader.close());
    console.log("open");
  `;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value).trim();
  try {
    expect(await next()).toBe("open");
    for (const seq of [3, 4, 5]) {
      must(store.commit({ epoch, runId: "run-1", events: [stampedEvent(seq)] }));
      child.stdin.write("?");
      expect(await next()).toBe(String(seq));
    }
  } finally {
    child.stdin.end();
    await new Promise(resolve => child.once("exit", resolve));
  }
});
