import type { ContextRows } from "../../ports/context-rows.ts";
import type { StampedEvent } from "../../ports/event.ts";
import type { Result } from "../../ports/result.ts";
import type { AttemptRow, AttemptSpan, StoredRun } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { NO_CONTEXT, prepareContextReader } from "./context-read.ts";
import type { DatabaseSync } from "./database.ts";
import { inSnapshot, reading } from "./reading.ts";
import { attemptFrom, eventFrom, runFrom, spanFrom, taskFrom, usageRowFrom } from "./rows.ts";
import { SCHEMA_VERSION } from "./schema.ts";

/** The prepared reading side of an open database. */
export interface Reader {
  load(): Result<StoredRun | undefined, StoreFailure>;
  events(run: string, afterSeq: number, limit: number): Result<readonly StampedEvent[], StoreFailure>;
  attempts(run: string, task: string): Result<readonly AttemptRow[], StoreFailure>;
  spans(run: string): Result<readonly AttemptSpan[], StoreFailure>;
  readonly context: ContextRows;
}

/** Prepares the statements of a reader over a database of the given schema; throws what SQLite throws. */
export function prepareReader(database: DatabaseSync, version: number = SCHEMA_VERSION): Reader {
  const snapshot = inSnapshot(database);
  const latest = database.prepare(
    "SELECT runs.*, plan FROM runs LEFT JOIN plans ON plans.run = runs.n ORDER BY runs.n DESC LIMIT 1",
  );
  const tasks = database.prepare("SELECT * FROM tasks WHERE run = ? ORDER BY n");
  const open = database.prepare("SELECT * FROM attempts WHERE run = ? AND ended_at = 0 ORDER BY n");
  const events = database.prepare(
    `SELECT seq, at, event FROM events
     WHERE run = (SELECT n FROM runs WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?`,
  );
  const attempts = database.prepare(
    "SELECT * FROM attempts WHERE run = (SELECT n FROM runs WHERE id = ?) AND task = ? ORDER BY number",
  );
  const spans = database.prepare(
    `SELECT task, number, agent, started_at, ended_at, outcome${version < 6 ? "" : ", machine"}
     FROM attempts WHERE run = (SELECT n FROM runs WHERE id = ?) ORDER BY n`,
  );
  // A reader may meet a database that no writer of this version has opened yet.
  const isCurrent = version >= 2;
  const usage = isCurrent
    ? database.prepare(
        "SELECT task, number, agent, usage, estimate FROM attempts WHERE run = ? AND ended_at <> 0 AND (usage NOTNULL OR estimate NOTNULL) ORDER BY n",
      )
    : undefined;
  const context = isCurrent ? prepareContextReader(database) : NO_CONTEXT;

  function load(): StoredRun | undefined {
    const row = latest.get();
    if (row === undefined) return undefined;
    const n = row["n"] as number;
    return {
      run: runFrom(row),
      tasks: tasks.all(n).map(taskFrom),
      openAttempts: open.all(n).map(attemptFrom),
      lastSeq: row["last_seq"] as number,
      usage: usage?.all(n).map(usageRowFrom) ?? [],
    };
  }

  return {
    load: () => reading(() => snapshot(load)),
    events: (run, afterSeq, limit) => reading(() => events.all(run, afterSeq, limit).map(eventFrom)),
    attempts: (run, task) => reading(() => attempts.all(run, task).map(attemptFrom)),
    spans: run => reading(() => spans.all(run).map(spanFrom)),
    context,
  };
}
