import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import { inspectDatabase, openSqliteReader, openSqliteStore } from "../../src/adapters/store/index.ts";
import { CURRENT_FINGERPRINT, fingerprint } from "../../src/adapters/store/schema.ts";
import { stampedEvent, taskRow } from "../../src/testing/store-rows.ts";
import { must } from "./store-fixtures.ts";
import { databaseLab } from "./store-sqlite-fixtures.ts";

const lab = databaseLab();

describe("openSqliteStore", () => {
  it("makes a database only its owner can read, and nothing else", () => {
    lab.open().close();
    expect(lab.names()).toEqual(["espalier.db"]);
    expect(statSync(lab.path).mode & 0o777).toBe(0o600);
  });

  it("gives the companions the same mode while it is open", () => {
    lab.filled();
    for (const name of lab.names())
      expect(`${name} ${(statSync(join(lab.directory, name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`);
    expect(lab.names()).toContain("espalier.db-wal");
  });

  it("writes ahead and syncs every commit", () => {
    using exec = vi.spyOn(DatabaseSync.prototype, "exec");
    lab.open();
    const raw = lab.keep(new DatabaseSync(lab.path));
    expect(raw.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
    expect(readFileSync(lab.path).subarray(18, 20)).toEqual(Buffer.from([2, 2]));
    // How a connection syncs is nowhere in the file: the writer's own is asked. 2 is FULL.
    const writers = new Set((exec.mock.contexts as DatabaseSync[]).filter(database => database.isOpen));
    expect([...writers].map(database => database.prepare("PRAGMA synchronous").get())).toEqual([
      { synchronous: 2 },
    ]);
  });

  it("writes nothing when it opens one of this schema", () => {
    lab.open().close();
    lab.open();
    expect(statSync(`${lab.path}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
  });

  it("says what it is: project, epoch, version, place in the order", () => {
    const { store } = lab.filled();
    store.close();
    expect(must(inspectDatabase(lab.path))).toEqual({
      project: "/demo",
      version: 7,
      epoch: 1,
      run: "run-1",
      seq: 2,
      runs: new Set(["run-1"]),
    });
    expect(must(inspectDatabase(join(lab.directory, "none")))).toBeUndefined();
  });

  it("begins at the epoch it is given", () => {
    const store = lab.keep(must(openSqliteStore({ path: lab.path, project: "/demo", epoch: 41 })));
    expect(must(store.claimEpoch())).toBe(42);
  });

  it("goes on with what a killed writer left in the log", () => {
    const { store } = lab.filled();
    const copy = join(lab.directory, "copy");
    mkdirSync(copy);
    for (const ending of ["", "-wal"])
      copyFileSync(`${lab.path}${ending}`, join(copy, `espalier.db${ending}`));
    const before = must(store.load());
    const again = lab.keep(must(openSqliteStore({ path: join(copy, "espalier.db"), project: "/demo" })));
    expect(must(again.load())).toEqual(before);
  });

  it("does not touch a database of a newer version", () => {
    lab.open().close();
    const raw = new DatabaseSync(lab.path);
    raw.exec("PRAGMA journal_mode = DELETE; PRAGMA user_version = 8");
    raw.close();
    const bytes = readFileSync(lab.path);
    expect(openSqliteStore({ path: lab.path, project: "/demo" })).toEqual({
      ok: false,
      failure: { kind: "newer", found: 8, supported: 7 },
    });
    expect(openSqliteReader({ path: lab.path })).toMatchObject({ ok: false, failure: { kind: "newer" } });
    expect(readFileSync(lab.path)).toEqual(bytes);
    expect(lab.names().filter(name => name.includes("wal"))).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["an empty file", () => writeFileSync(lab.path, "")],
    ["a text", () => writeFileSync(lab.path, "<html>".repeat(2000))],
    ["zeros", () => writeFileSync(lab.path, Buffer.alloc(8192))],
    [
      "another program's database",
      () => {
        const raw = new DatabaseSync(lab.path);
        raw.exec("CREATE TABLE cookies (a)");
        raw.close();
      },
    ],
    [
      "a database without its tables",
      () => {
        lab.open().close();
        const raw = new DatabaseSync(lab.path);
        raw.exec("DROP TABLE meta");
        raw.close();
      },
    ],
    [
      "a database without its first entry",
      () => {
        lab.open().close();
        const raw = new DatabaseSync(lab.path);
        raw.exec("DELETE FROM meta");
        raw.close();
      },
    ],
  ])("calls %s damaged and leaves it as it is", (_, arrange) => {
    arrange();
    const bytes = readFileSync(lab.path);
    expect(openSqliteStore({ path: lab.path, project: "/demo" })).toMatchObject({
      ok: false,
      failure: { kind: "damaged" },
    });
    expect(readFileSync(lab.path)).toEqual(bytes);
  });

  it("notices a changed letter in every place where a status stands, in rows and in definitions", () => {
    lab.filled().store.close();
    const sound = readFileSync(lab.path);
    const missed: number[] = [];
    let places = 0;
    for (let at = sound.indexOf("completed"); at !== -1; at = sound.indexOf("completed", at + 1)) {
      places++;
      const bytes = Buffer.from(sound);
      bytes[at] = "k".charCodeAt(0);
      writeFileSync(lab.path, bytes);
      const result = openSqliteStore({ path: lab.path, project: "/demo" });
      if (result.ok || result.failure.kind !== "damaged") missed.push(at);
    }
    expect(missed).toEqual([]);
    expect(places).toBeGreaterThan(2);
  });

  it("knows the tables that it makes without making them", () => {
    lab.filled().store.close();
    const database = lab.keep(new DatabaseSync(lab.path));
    expect(fingerprint(database)).toBe(CURRENT_FINGERPRINT);
  });

  it("answers for places where no database can be", () => {
    mkdirSync(lab.path);
    expect(openSqliteStore({ path: lab.path, project: "/demo" })).toMatchObject({
      ok: false,
      failure: { kind: "not-owned" },
    });
    const nowhere = join(lab.directory, "no", "such", "place");
    expect(openSqliteStore({ path: nowhere, project: "/demo" })).toMatchObject({
      ok: false,
      failure: { kind: "io" },
    });
    expect(lab.names()).toEqual(["espalier.db"]);
  });

  it("answers when another process keeps the database locked", () => {
    const { store, epoch } = lab.filled();
    store.close();
    const quick = lab.keep(must(openSqliteStore({ path: lab.path, project: "/demo", waitMs: 50 })));
    const other = lab.keep(new DatabaseSync(lab.path));
    other.exec("BEGIN IMMEDIATE");
    const refused = quick.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")] });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "io" } });
    other.exec("ROLLBACK");
    must(quick.commit({ epoch, runId: "run-1", tasks: [taskRow("T1")] }));
  });

  it("can be opened from a path that looks like a URL's parts", () => {
    const odd = join(lab.directory, "a?b#c%20 'd\"");
    mkdirSync(odd);
    const store = lab.keep(must(openSqliteStore({ path: join(odd, "espalier.db"), project: "/demo" })));
    must(store.claimEpoch());
    expect(existsSync(join(odd, "espalier.db"))).toBe(true);
  });
});

describe("openSqliteReader", () => {
  it("tells that there is nothing to read yet", () => {
    expect(openSqliteReader({ path: lab.path })).toEqual({ ok: true, value: undefined });
    expect(lab.names()).toEqual([]);
  });

  it("reads what a killed writer left, without a writer alive", () => {
    const { store } = lab.filled();
    const before = must(store.load());
    const copy = join(lab.directory, "copy.db");
    for (const ending of ["", "-wal"]) copyFileSync(`${lab.path}${ending}`, `${copy}${ending}`);
    const reader = must(openSqliteReader({ path: copy }));
    expect(must(reader!.load())).toEqual(before);
    reader!.close();
  });

  it("calls a broken file damaged", () => {
    writeFileSync(lab.path, "x".repeat(5000));
    expect(openSqliteReader({ path: lab.path })).toMatchObject({ ok: false, failure: { kind: "damaged" } });
  });
});

it("lets a second process read while this one writes", async () => {
  const { store, epoch } = lab.filled();
  const script = `
    import { openSqliteReader } from ${JSON.stringify(new URL("../../src/adapters/store/index.ts", import.meta.url).href)};
    const reader = openSqliteReader({ path: ${JSON.stringify(lab.path)} }).value;
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
