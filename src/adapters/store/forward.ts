import type { RunEvent } from "../../ports/event.ts";
import { because } from "../../ports/reason.ts";
import type { TaskRow } from "../../ports/store.ts";
import type { DatabaseSync } from "./database.ts";
import type { Position } from "./inspect.ts";
import { TASK_UPSERT, taskFrom, taskParameters } from "./rows.ts";
import type { ThinState, ThinTask } from "./thin-json.ts";

/** One task whose status the thin state knew better. */
export interface Moved {
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Whether `there` tells of something that `here` has lost. A run is committed before anything else tells of it, so a run
 * unknown here was lost, whatever the epochs say.
 */
export function isAhead(there: Position, here: Position & { readonly runs: ReadonlySet<string> }): boolean {
  if (there.run === "") return false;
  if (!here.runs.has(there.run)) return true;
  if (there.epoch !== here.epoch) return there.epoch > here.epoch;
  return there.run === here.run && there.seq > here.seq;
}

/**
 * Brings a copy of the state up to a thin state of the same run that is ahead of it: statuses, retries, the place in
 * the order of events. What lies between (events, evidence, messages) is lost, and an event says so.
 */
export function bringForward(database: DatabaseSync, thin: ThinState, now: number): readonly Moved[] {
  const run = database.prepare("SELECT n FROM runs WHERE id = ?").get(thin.run)?.["n"] as number;
  const before = new Map<string, TaskRow>();
  for (const row of database.prepare("SELECT * FROM tasks WHERE run = ? ORDER BY n").all(run)) {
    const task = taskFrom(row);
    before.set(task.id, task);
  }
  const upsert = database.prepare(TASK_UPSERT);
  const close = database.prepare(
    "UPDATE attempts SET ended_at = ?, outcome = 'done' WHERE run = ? AND task = ? AND ended_at = 0",
  );
  const moved: Moved[] = [];
  database.exec("BEGIN IMMEDIATE");
  for (const [id, task] of thin.tasks) {
    const old = before.get(id);
    const next = forwarded(id, old, task);
    if (old?.status !== next.status) moved.push({ id, from: old?.status ?? "unknown", to: next.status });
    upsert.run(taskParameters(run, next));
    if (next.status === "completed") close.run(now, run, id);
  }
  const seq = thin.seq + 1;
  const event: RunEvent = {
    type: "warning",
    code: "STATE_RESTORED",
    message: because("state-restored", { event: thin.seq }),
  };
  database
    .prepare("INSERT OR REPLACE INTO events (run, seq, at, event) VALUES (?, ?, ?, ?)")
    .run(run, seq, now, JSON.stringify(event));
  database.prepare("UPDATE runs SET last_seq = ? WHERE n = ?").run(seq, run);
  database.exec("COMMIT");
  return moved;
}

function forwarded(id: string, old: TaskRow | undefined, task: ThinTask): TaskRow {
  const same = old?.status === task.status;
  return {
    id,
    status: task.status,
    retries: task.retries,
    attempts: Math.max(task.attempts, old?.attempts ?? 0),
    ...(task.verified === undefined ? {} : { verified: task.verified }),
    reason: same ? old.reason : undefined,
    sameError: same ? old.sameError : 0,
    textHash: old?.textHash ?? "",
    notBefore: 0,
  };
}

/** Keeps a new epoch above every one that was ever claimed, as far as that is known. */
export function raiseEpoch(database: DatabaseSync, epoch: number): void {
  database.prepare("UPDATE meta SET epoch = max(epoch, ?)").run(epoch);
}
