import type { Plan } from "../plan/index.ts";
import type { TaskRow, TaskStatus } from "../ports/index.ts";
import { TEXT_CHANGED } from "./attempts.ts";
import type { RunPolicy } from "./policy.ts";
import { emptyStep } from "./protocol.ts";
import { buildState, type RunState, type TaskState } from "./state.ts";
import { transition } from "./transition.ts";

/** The durable row of a task. */
export function taskRow(state: TaskState): TaskRow {
  return {
    id: state.task.id,
    status: state.status,
    retries: state.retries,
    attempts: state.attempts,
    ...(state.verified === undefined ? {} : { verified: state.verified }),
    reason: state.reason,
    sameError: state.sameError,
    textHash: state.textHash,
    notBefore: state.notBefore,
  };
}

/** Statuses that survive a restart; the others follow from the graph again. */
const LASTING: ReadonlySet<TaskStatus> = new Set([
  "completed",
  "failed",
  "paused",
  "skipped",
  "cancelled",
  "waiting",
]);

/** Puts rows back where they were. A task that was in progress is free again: a crash of ours is no attempt of its own. */
export function restoreStatuses(
  run: RunState,
  rows: ReadonlyMap<string, TaskRow>,
  keepRunning: ReadonlySet<string> = new Set(),
): void {
  const quiet = emptyStep();
  for (const state of run.tasks) {
    const status = rows.get(state.task.id)?.status;
    if (status === undefined) continue;
    const lasts = LASTING.has(status) || (status === "in_progress" && keepRunning.has(state.task.id));
    if (lasts) transition(run, quiet, state, status);
  }
}

export interface RestoreOptions {
  readonly policy: RunPolicy;
  /** Labels of phases a person forced open. */
  readonly forced?: readonly string[];
  readonly only?: ReadonlySet<string>;
  /** The label of the phase that was open; matters only when a lead asks for each phase. */
  readonly phase?: string;
  /** Tasks a lead has claimed and still works on; they stay in progress. */
  readonly keepRunning?: ReadonlySet<string>;
}

/** A run over a plan as it stood: rows by id, nothing in progress. Follow with a `start` input. */
export function restoreRun(plan: Plan, rows: Iterable<TaskRow>, options: RestoreOptions): RunState {
  const byId = new Map<string, TaskRow>();
  for (const row of rows) byId.set(row.id, row);
  const run = buildState(plan, options.policy, byId, options.only);
  for (const label of options.forced ?? []) run.forced.add(label);
  restoreStatuses(run, byId, options.keepRunning);
  if (options.policy.advance === "asked" && options.phase !== undefined) {
    // The phase itself is opened again by the first step; those before it had been passed.
    run.open = Math.max(-1, run.phases.findIndex(phase => phase.label === options.phase) - 1);
    for (const phase of run.phases.slice(0, run.open + 1)) phase.closed = true;
  }
  return run;
}

/** A run that has never been: tasks whose box is ticked in the file count as completed, unverified. */
export function freshRun(plan: Plan, options: RestoreOptions, textHash: (text: string) => string): RunState {
  const rows: TaskRow[] = [];
  for (const task of plan.tasks) {
    if (!task.done) continue;
    rows.push({
      id: task.id,
      status: "completed",
      retries: 0,
      attempts: 0,
      verified: false,
      reason: "",
      sameError: 0,
      textHash: textHash(task.text),
      notBefore: 0,
    });
  }
  return restoreRun(plan, rows, options);
}

/** Pauses tasks that were completed under another text (`textHash`), so that a person decides. */
export function pauseChanged(run: RunState, changed: Iterable<string>): string[] {
  const quiet = emptyStep();
  const paused: string[] = [];
  for (const id of changed) {
    const state = run.byId.get(id);
    if (state === undefined || state.status !== "completed") continue;
    state.reason = TEXT_CHANGED;
    transition(run, quiet, state, "paused");
    paused.push(id);
  }
  return paused;
}
