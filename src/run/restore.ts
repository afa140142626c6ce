import type { Plan, Task } from "../plan/index.ts";
import { type StoredRun, sameReason, type TaskRow, type TaskStatus } from "../ports/index.ts";
import { buildState } from "./build.ts";
import { applyEdit, LEFT_OUT } from "./edits.ts";
import { learnFiles } from "./files.ts";
import { countCollision } from "./hot.ts";
import { hasEnded } from "./phases.ts";
import { DEFAULT_POLICY, type RunPolicy } from "./policy.ts";
import { emptyStep, type StepResult } from "./protocol.ts";
import { inScope, isBroken, isContainer, isEnded, isSatisfied, type RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { nameBlocker, place, settle, transition } from "./transition.ts";

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
    ...(state.stalls === 0 ? {} : { stalls: state.stalls }),
    ...(state.clash === "" ? {} : { clash: state.clash }),
  };
}

/** Statuses that survive a restart; the others follow from the graph again. */
const LASTING: ReadonlySet<TaskStatus> = new Set([
  "completed",
  "failed",
  "blocked",
  "paused",
  "skipped",
  "cancelled",
  "waiting",
]);
/** What a container can be besides what its children make it. */
const LASTING_OF_CONTAINERS: ReadonlySet<TaskStatus> = new Set([
  "completed",
  "blocked",
  "paused",
  "skipped",
  "cancelled",
]);

function lasts(run: RunState, state: TaskState, status: TaskStatus, running: ReadonlySet<string>): boolean {
  if (isContainer(state.task)) return LASTING_OF_CONTAINERS.has(status);
  if (status === "waiting") return inScope(run, state);
  return LASTING.has(status) || (status === "in_progress" && running.has(state.task.id));
}

const NOBODY: readonly number[] = [];

/** Counts anew what every task waits for. Order edges lead forward in the plan, so one pass in its order is enough. */
function recount(run: RunState): void {
  for (const state of run.tasks) {
    const satisfied = Number(isSatisfied(state.status));
    const broken = Number(isBroken(state.status));
    for (const at of run.dependents[state.index]!) {
      const dependent = run.tasks[at]!;
      dependent.unmet -= satisfied;
      dependent.broken += broken;
    }
    if (!isEnded(state.status) || state.unordered > 0) continue;
    for (const at of run.successors[state.index] ?? NOBODY) run.tasks[at]!.unordered--;
  }
}

/**
 * Puts freshly built states back where their rows say they were, then lets the graph judge the rest again. Of the
 * tasks in progress only those of `running` still are: a crash of ours is no attempt of their own.
 */
export function restoreStatuses(
  run: RunState,
  out: StepResult,
  rows: ReadonlyMap<string, TaskRow>,
  running: ReadonlySet<string>,
): void {
  for (const state of run.tasks) {
    const status = rows.get(state.task.id)?.status;
    if (status !== undefined && status !== "pending" && lasts(run, state, status, running)) {
      place(run, state, status);
    }
  }
  recount(run);
  for (const state of run.tasks) settle(run, out, state);
  for (const state of run.tasks) if (state.status === "blocked") nameBlocker(run, out, state);
}

export interface RestoreOptions {
  readonly policy: RunPolicy;
  /** Labels of phases a person forced open. */
  readonly forced?: readonly string[];
  /** A person held new dispatches back. */
  readonly held?: boolean;
  readonly only?: ReadonlySet<string>;
  /** The label of the phase that was open: it and those before it are not told of again. */
  readonly phase?: string;
  /** Tasks whose attempt outlived the process, because a lead works on them: they stay in progress. */
  readonly keepRunning?: ReadonlySet<string>;
  /** Conflicts the run has met: their paths are held by everybody who was in them. */
  readonly conflicts?: readonly MetConflict[];
  /** The rows as the store holds them, where they say less than the given ones: what differs is written with the start. */
  readonly stored?: Iterable<TaskRow>;
}

/** Tasks that changed the same files in ways that could not both stand. */
export interface MetConflict {
  readonly tasks: readonly string[];
  readonly files: readonly string[];
}

/** Called before anything is placed: a task that waits in a group could not leave it any more. */
function recallConflicts(run: RunState, conflicts: readonly MetConflict[]): void {
  const touched = new Map<TaskState, Set<string>>();
  for (const { tasks, files } of conflicts) {
    for (const state of tasks.flatMap(id => run.byId.get(id) ?? [])) {
      const known = touched.get(state) ?? new Set();
      for (const file of files) known.add(file);
      touched.set(state, known);
    }
  }
  for (const [state, files] of touched) learnFiles(state, [...files]);
  for (const { files } of conflicts) countCollision(run, emptyStep(), files);
}

function differs(row: TaskRow | undefined, state: TaskState): boolean {
  if (row === undefined) return true;
  const now = taskRow(state);
  return (Object.keys({ ...row, ...now }) as (keyof TaskRow)[]).some(key =>
    key === "reason" ? !sameReason(now.reason, row.reason) : now[key] !== row[key],
  );
}

function rowsById(rows: Iterable<TaskRow>): Map<string, TaskRow> {
  return new Map(Array.from(rows, row => [row.id, row]));
}

/** A run over a plan as it stood: rows by id, nothing in progress. Follow with a `start` input. */
export function restoreRun(plan: Plan, rows: Iterable<TaskRow>, options: RestoreOptions): RunState {
  const byId = rowsById(rows);
  const run = buildState(plan, options.policy, byId, options.only);
  for (const label of options.forced ?? []) run.forced.add(label);
  run.held = options.held === true;
  recallConflicts(run, options.conflicts ?? []);
  restoreStatuses(run, emptyStep(), byId, options.keepRunning ?? new Set());
  const was = run.phases.findIndex(phase => phase.label === options.phase);
  for (const phase of run.phases.slice(0, was + 1)) phase.closed = hasEnded(phase);
  if (options.policy.advance === "asked") {
    // The phases a lead has been given stay its own; otherwise they are walked through again.
    run.open = was;
    for (const state of run.tasks) settle(run, emptyStep(), state);
  }
  const stored = options.stored === undefined ? byId : rowsById(options.stored);
  for (const state of run.tasks) state.unsaved = differs(stored.get(state.task.id), state);
  return run;
}

/** A run as its rows say it stands, for those who look at it: nothing in it is ever stepped. */
export function shownRun(plan: Plan, { run, tasks }: Pick<StoredRun, "run" | "tasks">): RunState {
  const shown = restoreRun(plan, tasks, { policy: DEFAULT_POLICY, forced: run.forced });
  const rows = rowsById(tasks);
  for (const state of shown.tasks) state.status = rows.get(state.task.id)?.status ?? state.status;
  return shown;
}

/** Whether the file says that a task is done; of a container only its children can tell. */
function isTicked(task: Task, ticked: ReadonlySet<string>): boolean {
  return task.done && (task.children ?? []).every(id => ticked.has(id));
}

/**
 * A run that has never been: tasks whose box is ticked in the file count as completed, unverified; those the file
 * leaves out are skipped.
 */
export function freshRun(plan: Plan, options: RestoreOptions, textHash: (text: string) => string): RunState {
  const ticked = new Set(plan.tasks.filter(task => task.done).map(task => task.id));
  const rows: TaskRow[] = [];
  for (const task of plan.tasks) {
    const row = {
      id: task.id,
      retries: 0,
      attempts: 0,
      reason: undefined,
      sameError: 0,
      textHash: "",
      notBefore: 0,
    };
    if (isTicked(task, ticked)) {
      rows.push({ ...row, status: "completed", verified: false, textHash: textHash(task.text) });
    } else if (task.skip === true) rows.push({ ...row, status: "skipped", reason: LEFT_OUT });
  }
  return restoreRun(plan, rows, options);
}

/** Has a task that waits for quota wait until another time, in epoch milliseconds. */
export function waitUntil(run: RunState, state: TaskState, time: number): void {
  if (state.notBefore === time) return;
  state.notBefore = time;
  state.unsaved = true;
  run.due.add(state);
}

/**
 * Applies what edits between two processes mean for single tasks: one completed under another text is paused, so that
 * a person decides (returned), and so is one that is held to less (`weaker`, by id); one the file now leaves out is
 * skipped, one it takes in again is not.
 */
export function pauseChanged(
  run: RunState,
  changed: Iterable<string>,
  weaker: ReadonlyMap<string, readonly string[]> = new Map(),
): string[] {
  const quiet = emptyStep();
  const paused: string[] = [];
  const open = [...weaker.keys()].filter(id => run.byId.get(id)?.status !== "completed");
  for (const id of new Set([...changed, ...open])) {
    const state = run.byId.get(id);
    if (state === undefined) continue;
    const next = applyEdit(state, state.status, weaker.get(id));
    if (next === undefined) continue;
    transition(run, quiet, state, next);
    quiet.touched.add(state);
    if (next === "paused") paused.push(id);
  }
  for (const state of quiet.touched) state.unsaved = true;
  return paused;
}
