import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  inspectDatabase,
  openSqliteReader,
  openSqliteStore,
  openState,
  STATE_NAMES,
} from "../../src/adapters/store/index.ts";
import {
  attemptRow,
  labelRow,
  runRow,
  stampedEvent,
  taskRow,
  textRow,
} from "../../src/testing/store-rows.ts";
import { must } from "./store-fixtures.ts";

/** A database that the first release wrote: one run, a task that completed and one in progress. */
const OLD = gunzipSync(readFileSync(new URL("./fixtures/espalier-v1.db.gz", import.meta.url)));

const RUN = {
  run: runRow(),
  tasks: [
    taskRow("T1", { status: "completed", verified: true, attempts: 1 }),
    taskRow("T2", { status: "in_progress", attempts: 1 }),
  ],
  openAttempts: [attemptRow("T2", 1)],
  lastSeq: 2,
  usage: [],
};

let directory: string;
let path: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "espalier-upgrade-"));
  path = join(directory, STATE_NAMES.database);
  writeFileSync(path, OLD);
});
afterEach(() => rmSync(directory, { recursive: true }));

function versionOf(file: string): unknown {
  const raw = new DatabaseSync(file, { readOnly: true });
  try {
    return raw.prepare("PRAGMA user_version").get()?.["user_version"];
  } finally {
    raw.close();
  }
}

describe("a database of the first schema", () => {
  it("is sound as it is, and inspecting it changes nothing", () => {
    expect(must(inspectDatabase(path))).toMatchObject({ version: 1, epoch: 1, run: "run-1", seq: 2 });
    expect(readFileSync(path)).toEqual(OLD);
  });

  it("is read as it is by a reader: no context yet, no costs", () => {
    const reader = must(openSqliteReader({ path }))!;
    expect(must(reader.load())).toEqual(RUN);
    expect(must(reader.attempts("run-1", "T1"))[0]).toMatchObject({ task: "T1", finalMessage: "done" });
    expect(must(reader.context.load()).labels).toEqual([]);
    expect(must(reader.context.text("a".repeat(64)))).toBeUndefined();
    expect(must(reader.context.log(0, 9))).toEqual([]);
    expect(must(reader.context.receipts("run-1", "T1"))).toEqual([]);
    reader.close();
    expect(versionOf(path)).toBe(1);
  });

  it("is brought to this schema in place when a writer opens it, with everything it held", () => {
    const store = must(openSqliteStore({ path, project: "/demo" }));
    expect(must(store.load())).toEqual(RUN);
    expect(must(store.events("run-1", 0, 9))).toEqual([stampedEvent(1), stampedEvent(2)]);
    const epoch = must(store.claimEpoch());
    expect(epoch).toBe(2);
    const ended = attemptRow("T2", 1, {
      endedAt: 9,
      outcome: "done",
      usage: { inputTokens: 3 },
      branch: "b",
    });
    const context = { labels: [labelRow("GC")], texts: [textRow("t")] };
    must(store.commit({ epoch, runId: "run-1", attempts: [ended], events: [stampedEvent(3)], context }));
    expect(must(store.attempts("run-1", "T2"))).toEqual([ended]);
    store.close();
    expect(versionOf(path)).toBe(7);
    expect(must(inspectDatabase(path))).toMatchObject({ version: 7, seq: 3 });
  });

  it("is brought to it once, and looks like one that was made new", () => {
    must(openSqliteStore({ path, project: "/demo" })).close();
    const again = must(openSqliteStore({ path, project: "/demo" }));
    expect(must(again.load())).toEqual(RUN);
    again.close();
    const fresh = join(directory, "fresh.db");
    must(openSqliteStore({ path: fresh, project: "/demo" })).close();
    const shape = (file: string) => {
      const raw = new DatabaseSync(file, { readOnly: true });
      const rows = raw.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
      raw.close();
      return rows;
    };
    expect(shape(path)).toEqual(shape(fresh));
  });

  it("restores from a backup of it where the database itself is gone", () => {
    writeFileSync(`${path}.bak`, OLD);
    writeFileSync(path, "no database");
    const opened = must(openState(directory, { project: "/demo", now: 1_900_000_000_000 }));
    expect(opened.source).toBe("backup");
    expect(must(opened.store.load())).toEqual(RUN);
    opened.store.close();
    expect(versionOf(path)).toBe(7);
  });
});

describe("context in backups", () => {
  it("comes back with the state when the database is lost", async () => {
    const store = must(openSqliteStore({ path, project: "/demo" }));
    const epoch = must(store.claimEpoch());
    const context = { labels: [labelRow("GC", { serial: 4 })], texts: [textRow("kept")], log: [] };
    must(store.commit({ epoch, runId: "", context }));
    must(await store.backup(`${path}.bak`));
    store.close();
    rmSync(path);
    const opened = must(openState(directory, { project: "/demo", now: 1_900_000_000_000 }));
    expect(must(opened.store.context.load()).labels).toEqual([labelRow("GC", { serial: 4 })]);
    expect(must(opened.store.context.text(textRow("kept").hash))).toBe("kept");
    opened.store.close();
  });

  it("is kept when the run is brought forward by the thin state, and when the project moved", () => {
    const store = must(openSqliteStore({ path, project: "/demo" }));
    const epoch = must(store.claimEpoch());
    must(store.commit({ epoch, runId: "", context: { labels: [labelRow("GC")] } }));
    store.close();
    const thin = {
      version: "3.0",
      project: "demo",
      run: "run-1",
      epoch,
      seq: 9,
      phase: 1,
      tasks: [{ id: "T2", status: "completed", retry_count: 0, phase: 1 }],
    };
    writeFileSync(join(directory, STATE_NAMES.thin), JSON.stringify(thin));
    const opened = must(openState(directory, { project: "/moved", now: 1_900_000_000_000, adopt: true }));
    expect(must(opened.store.load())?.tasks[1]?.status).toBe("completed");
    expect(must(opened.store.context.load()).labels).toEqual([labelRow("GC")]);
    opened.store.close();
  });
});

describe("a damaged context", () => {
  const filled = (): void => {
    const store = must(openSqliteStore({ path, project: "/demo" }));
    const epoch = must(store.claimEpoch());
    const context = { texts: [textRow("the text of a version")], log: [{ at: 1, label: "GC", entry: "{}" }] };
    must(store.commit({ epoch, runId: "", context }));
    store.close();
  };
  const spoil = (sql: string): void => {
    const raw = new DatabaseSync(path);
    raw.exec(`PRAGMA ignore_check_constraints = ON; ${sql}; PRAGMA journal_mode = DELETE`);
    raw.close();
  };

  it("a text that is no longer its own is an answer, not a text", () => {
    filled();
    spoil("UPDATE texts SET text = 'another text'");
    const store = must(openSqliteStore({ path, project: "/demo" }));
    expect(store.context.text(textRow("the text of a version").hash)).toMatchObject({
      ok: false,
      failure: { kind: "damaged" },
    });
    store.close();
  });

  it.each([
    ["labels", "INSERT INTO labels (label, serial, gate) VALUES ('GC', 1, '{')"],
    ["teammates", "INSERT INTO teammates (label, teammate, record) VALUES ('GC', 'a', 'x')"],
    ["nodes", "INSERT INTO nodes (id, status, created_at, made_by) VALUES ('n', 'lost', 0, '')"],
    ["documents", "INSERT INTO documents VALUES (1, 'n', 'GC', 'top', 0, '{}', 0)"],
    ["receipts", "INSERT INTO receipts VALUES (1, 'T1', 1, '')"],
    ["context_log", "UPDATE context_log SET seq = 7"],
  ])("a broken row of %s is found when the database is opened", (table, sql) => {
    filled();
    spoil(sql);
    const opened = openSqliteStore({ path, project: "/demo" });
    expect(opened).toMatchObject({ ok: false, failure: { kind: "damaged" } });
    expect(JSON.stringify(opened)).toContain(table);
  });
});
