import { fail, ok, type Result } from "../../ports/result.ts";
import type { Change } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { checkContext, needsRun } from "./context-check.ts";
import { prepareContextWriter } from "./context-write.ts";
import { type DatabaseSync, storeFailure } from "./database.ts";
import { misuse } from "./epoch-store.ts";
import {
  ATTEMPT_UPSERT,
  attemptParameters,
  RUN_UPSERT,
  runParameters,
  TASK_UPSERT,
  taskParameters,
} from "./rows.ts";

/** The prepared writing side of an open database. */
export interface Writer {
  commit(change: Change): Result<void, StoreFailure>;
  claimEpoch(): Result<number, StoreFailure>;
}

/** Prepares the statements of a writer; throws what SQLite throws. */
export function prepareWriter(database: DatabaseSync): Writer {
  const begin = database.prepare("BEGIN IMMEDIATE");
  const end = database.prepare("COMMIT");
  const statements = prepareStatements(database);
  // What `plans` holds for the run last written, so that an unchanged plan of megabytes is not written again.
  let plan = { run: "", text: "" };

  function transaction<T>(work: () => Result<T, StoreFailure>): Result<T, StoreFailure> {
    try {
      begin.run();
      const done = work();
      if (done.ok) end.run();
      return done;
    } catch (error) {
      return fail(storeFailure(error));
    } finally {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
  }

  function commit(change: Change): Result<void, StoreFailure> {
    const { run } = change;
    const writesPlan = run !== undefined && (run.id !== plan.run || run.plan !== plan.text);
    const done = transaction(() => apply(statements, change, writesPlan));
    if (done.ok && writesPlan) plan = { run: run.id, text: run.plan };
    return done;
  }

  function claimEpoch(): Result<number, StoreFailure> {
    return transaction(() => ok(statements.claim.get()?.["epoch"] as number));
  }

  return { commit, claimEpoch };
}

function prepareStatements(database: DatabaseSync) {
  return {
    epoch: database.prepare("SELECT epoch FROM meta"),
    claim: database.prepare("UPDATE meta SET epoch = epoch + 1 RETURNING epoch"),
    upsertRun: database.prepare(RUN_UPSERT),
    plan: database.prepare(
      "INSERT INTO plans (run, plan) VALUES (?, ?) ON CONFLICT (run) DO UPDATE SET plan = excluded.plan",
    ),
    run: database.prepare("SELECT n, last_seq FROM runs WHERE id = ?"),
    upsertTask: database.prepare(TASK_UPSERT),
    removeTask: database.prepare("DELETE FROM tasks WHERE run = ? AND id = ?"),
    upsertAttempt: database.prepare(ATTEMPT_UPSERT),
    event: database.prepare("INSERT INTO events (run, seq, at, event) VALUES (?, ?, ?, ?)"),
    lastSeq: database.prepare("UPDATE runs SET last_seq = ? WHERE n = ?"),
    context: prepareContextWriter(database),
  };
}

function apply(
  statements: ReturnType<typeof prepareStatements>,
  change: Change,
  writesPlan: boolean,
): Result<void, StoreFailure> {
  const stored = statements.epoch.get()?.["epoch"] as number;
  if (stored !== change.epoch) return fail({ kind: "fenced", epoch: change.epoch, stored });

  const { context } = change;
  if (context !== undefined) checkContext(context);
  const run = needsRun(change) ? applyToRun(statements, change, writesPlan) : undefined;
  if (context !== undefined) statements.context(context, run);
  return ok(undefined);
}

/** Writes what belongs to a run and returns the run's row number. */
function applyToRun(
  statements: ReturnType<typeof prepareStatements>,
  change: Change,
  writesPlan: boolean,
): number {
  if (change.run !== undefined) {
    if (change.run.id !== change.runId)
      throw misuse(`run ${change.run.id} in a change of run ${change.runId}`);
    statements.upsertRun.run(runParameters(change.run));
  }
  const row = statements.run.get(change.runId);
  if (row === undefined) throw misuse(`run ${change.runId} was never committed`);
  const run = row["n"] as number;
  if (writesPlan && change.run !== undefined) statements.plan.run(run, change.run.plan);

  for (const task of change.tasks ?? []) statements.upsertTask.run(taskParameters(run, task));
  for (const id of change.removedTasks ?? []) statements.removeTask.run(run, id);
  for (const attempt of change.attempts ?? []) statements.upsertAttempt.run(attemptParameters(run, attempt));

  let last = row["last_seq"] as number;
  for (const { seq, at, event } of change.events ?? []) {
    if (seq !== last + 1) throw misuse(`event ${seq} after event ${last} of run ${change.runId}`);
    statements.event.run(run, seq, at, JSON.stringify(event));
    last = seq;
  }
  if (last !== row["last_seq"]) statements.lastSeq.run(last, run);
  return run;
}
