import type { StampedEvent } from "../../ports/event.ts";
import { fail, ok, type Result } from "../../ports/result.ts";
import type { AttemptRow, StoredRun, StoreFailure } from "../../ports/store.ts";
import { type DatabaseSync, storeFailure } from "./database.ts";
import { attemptFrom, eventFrom, runFrom, taskFrom } from "./rows.ts";

/** The prepared reading side of an open database. */
export interface Reader {
  load(): Result<StoredRun | undefined, StoreFailure>;
  events(run: string, afterSeq: number, limit: number): Result<readonly StampedEvent[], StoreFailure>;
  attempts(run: string, task: string): Result<readonly AttemptRow[], StoreFailure>;
}

/** Prepares the statements of a reader; throws what SQLite throws. */
export function prepareReader(database: DatabaseSync): Reader {
  const begin = database.prepare("BEGIN");
  const end = database.prepare("COMMIT");
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

  // One snapshot: a writer in another process may commit between two statements.
  function load(): StoredRun | undefined {
    begin.run();
    try {
      const row = latest.get();
      if (row === undefined) return undefined;
      const n = row["n"] as number;
      return {
        run: runFrom(row),
        tasks: tasks.all(n).map(taskFrom),
        openAttempts: open.all(n).map(attemptFrom),
        lastSeq: row["last_seq"] as number,
      };
    } finally {
      // A damaged page ends the transaction by itself; the error that told so must not be covered by another.
      if (database.isTransaction) end.run();
    }
  }

  return {
    load: () => reading(load),
    events: (run, afterSeq, limit) => reading(() => events.all(run, afterSeq, limit).map(eventFrom)),
    attempts: (run, task) => reading(() => attempts.all(run, task).map(attemptFrom)),
  };
}

function reading<T>(read: () => T): Result<T, StoreFailure> {
  try {
    return ok(read());
  } catch (error) {
    if (error instanceof SyntaxError) return fail({ kind: "damaged", message: error.message });
    return fail(storeFailure(error));
  }
}
