import { fail, ok, type Result } from "../../ports/result.ts";
import type { Change } from "../../ports/store.ts";
import type { StoreFailure } from "../../ports/store-failure.ts";
import { checkContext, needsRun } from "./context-check.ts";
import { prepareContextWriter } from "./context-write.ts";
import { type DatabaseSync, storeFailure } from "./database.ts";
import { attemptName, digestOf, type Shares, sharesOf, sumAfter, taskName } from "./digest.ts";
import { misuse } from "./epoch-store.ts";
import {
  ATTEMPT_UPSERT,
  attemptParameters,
  RUN_UPSERT,
  runParameters,
  TASK_UPSERT,
  taskParameters,
} from "./rows.ts";
import { attemptSeal, eventSeal, type Head, runSeal, type Seal, type Sealing, taskSeal } from "./seal.ts";

/** The prepared writing side of an open database. */
export interface Writer {
  commit(change: Change): Result<void, StoreFailure>;
  claimEpoch(): Result<number, StoreFailure>;
}

/** Prepares the statements of a writer, which seals what it writes; throws what SQLite throws. */
export function prepareWriter(database: DatabaseSync, sealing?: Sealing): Writer {
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

  // Of the event last written; undefined where the database has to be asked for it.
  let last: Head | undefined;
  // Of the run last written, likewise.
  let shares: Shares | undefined;

  function commit(change: Change): Result<void, StoreFailure> {
    const { run } = change;
    const writesPlan = run !== undefined && (run.id !== plan.run || run.plan !== plan.text);
    const before = last?.run === change.runId ? last : undefined;
    const under = sealing && {
      seal: sealing.seal,
      before,
      sharesOf: (n: number) =>
        shares?.run === change.runId ? shares : sharesOf(database, sealing.seal, { n, id: change.runId }),
    };
    const done = transaction(() => apply(statements, change, writesPlan, under));
    if (!done.ok) return done;
    if (writesPlan) plan = { run: run.id, text: run.plan };
    shares = done.value?.keep?.() ?? shares;
    const head = done.value?.head;
    if (head !== undefined && head !== before) {
      last = head;
      // Only now that it is on the disk: what is remembered is never ahead.
      sealing?.remember(last);
    }
    return ok(undefined);
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
    event: database.prepare("INSERT INTO events (run, seq, at, event, seal) VALUES (?, ?, ?, ?, ?)"),
    lastSeal: database.prepare("SELECT seal FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1"),
    lastSeq: database.prepare("UPDATE runs SET last_seq = ?, digest = ? WHERE n = ?"),
    context: prepareContextWriter(database),
  };
}

/** What a change is sealed with. */
interface Under {
  readonly seal: Seal;
  /** Of the run's last event, where that is known. */
  readonly before: Head | undefined;
  /** Of the run, by the number of its row, as they stand before the change. */
  sharesOf(run: number): Shares;
}

/** What a change has left to know once it is durable. */
interface Applied {
  readonly run: number;
  /** Of sealed runs, the last event. */
  readonly head: Head | undefined;
  keep?(): Shares;
}

function apply(
  statements: ReturnType<typeof prepareStatements>,
  change: Change,
  writesPlan: boolean,
  under: Under | undefined,
): Result<Applied | undefined, StoreFailure> {
  const stored = statements.epoch.get()?.["epoch"] as number;
  if (stored !== change.epoch) return fail({ kind: "fenced", epoch: change.epoch, stored });

  const { context } = change;
  if (context !== undefined) checkContext(context);
  const written = needsRun(change) ? applyToRun(statements, change, writesPlan, under) : undefined;
  if (context !== undefined) statements.context(context, written?.run);
  return ok(written);
}

/** Writes what belongs to a run. */
function applyToRun(
  statements: ReturnType<typeof prepareStatements>,
  change: Change,
  writesPlan: boolean,
  under: Under | undefined,
): Applied {
  const { runId } = change;
  const { seal, before } = under ?? {};
  const rows = new Map<string, string | undefined>();
  if (change.run !== undefined) {
    if (change.run.id !== change.runId)
      throw misuse(`run ${change.run.id} in a change of run ${change.runId}`);
    const row = runParameters(change.run);
    if (seal !== undefined) row["seal"] = runSeal(seal, row, change.run.plan);
    statements.upsertRun.run(row);
  }
  const row = statements.run.get(change.runId);
  if (row === undefined) throw misuse(`run ${change.runId} was never committed`);
  const run = row["n"] as number;
  if (writesPlan && change.run !== undefined) statements.plan.run(run, change.run.plan);

  const shares = under?.sharesOf(run);
  const first = row["last_seq"] as number;
  const seq = first + (change.events?.length ?? 0);
  for (const task of change.tasks ?? []) {
    const parameters = taskParameters(run, task);
    if (seal !== undefined) {
      const own = taskSeal(seal, runId, seq, parameters);
      parameters["seal"] = own;
      rows.set(taskName(task.id), own);
    }
    statements.upsertTask.run(parameters);
  }
  for (const id of change.removedTasks ?? []) {
    statements.removeTask.run(run, id);
    rows.set(taskName(id), undefined);
  }
  for (const attempt of change.attempts ?? []) {
    const parameters = attemptParameters(run, attempt);
    if (seal !== undefined) {
      const own = attemptSeal(seal, runId, parameters);
      parameters["seal"] = own;
      rows.set(attemptName(attempt.task, attempt.number), own);
    }
    statements.upsertAttempt.run(parameters);
  }

  let last = first;
  let link = seal === undefined || seq === first ? before?.seal : (before?.seal ?? lastSeal(statements, run));
  for (const { seq: at, ...stamped } of change.events ?? []) {
    if (at !== last + 1) throw misuse(`event ${at} after event ${last} of run ${runId}`);
    const event = JSON.stringify(stamped.event);
    link =
      seal === undefined ? undefined : eventSeal(seal, runId, link ?? "", { ...stamped, seq: at, event });
    statements.event.run(run, at, stamped.at, event, link ?? null);
    last = at;
  }
  const head =
    last === first || link === undefined ? before : { run: runId, seq: last, seal: link, whole: true };
  if (seal === undefined || shares === undefined) {
    if (last !== first) statements.lastSeq.run(last, null, run);
    return { run, head };
  }
  const { sum, keep } = sumAfter(seal, shares, rows);
  statements.lastSeq.run(last, digestOf(seal, runId, last, sum), run);
  return { run, head, keep };
}

function lastSeal({ lastSeal: statement }: ReturnType<typeof prepareStatements>, run: number): string {
  return (statement.get(run)?.["seal"] ?? "") as string;
}
