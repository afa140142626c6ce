import { diffPlans, type Plan, type Task } from "../plan/index.ts";
import { because, type TaskRow } from "../ports/index.ts";
import { buildState } from "./build.ts";
import { applyEdit } from "./edits.ts";
import { holdFiles, learnFiles } from "./files.ts";
import { orphan } from "./orphans.ts";
import { hasEnded } from "./phases.ts";
import type { StepResult } from "./protocol.ts";
import { restoreStatuses, taskRow } from "./restore.ts";
import { isContainer, type RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { weakerTasks } from "./weaker.ts";

/** The position of the last phase that was open and is still there. */
function openAt(before: RunState, next: RunState): number {
  const opened = new Set(before.phases.slice(0, before.open + 1).map(phase => phase.label));
  return next.phases.findLastIndex(phase => opened.has(phase.label));
}

function isEdited(plan: Plan, before: Task, after: Task): boolean {
  return diffPlans({ ...plan, tasks: [before] }, { ...plan, tasks: [after] }).changed.length > 0;
}

/** Remembers what leaves the plan and brings back what had left it; returns what came back, as it was. */
function exchangeRows(
  run: RunState,
  plan: Plan,
  removed: readonly string[],
  rows: Map<string, TaskRow>,
): Map<string, Task> {
  const returned = new Map<string, Task>();
  for (const task of plan.tasks) {
    const back = run.gone.get(task.id);
    if (back === undefined) continue;
    run.gone.delete(task.id);
    rows.set(task.id, back.row);
    returned.set(task.id, back.task);
  }
  for (const id of removed) {
    const state = run.byId.get(id);
    const row = rows.get(id);
    if (state !== undefined && row !== undefined) run.gone.set(id, { task: state.task, row });
    rows.delete(id);
  }
  return returned;
}

/** A task that waits for the quota of one agent is ready for another one that the file now gives it. */
function freeReassigned(before: readonly TaskState[], plan: Plan, rows: Map<string, TaskRow>): void {
  const waiting = new Map(
    before.flatMap(({ task, status }) => (status === "waiting" ? [[task.id, task]] : [])),
  );
  if (waiting.size === 0) return;
  for (const { id, agent, role, specialist, run } of plan.tasks) {
    const was = waiting.get(id);
    const row = rows.get(id);
    if (was === undefined || row === undefined) continue;
    const isSame =
      was.agent === agent && was.role === role && was.specialist === specialist && was.run === run;
    if (!isSame) rows.set(id, { ...row, status: "pending", notBefore: 0 });
  }
}

/** Says in the rows what edits mean for single tasks, and what the file says of new ones. */
function applyEdits(
  next: RunState,
  out: StepResult,
  ids: Iterable<string>,
  rows: Map<string, TaskRow>,
  weaker: ReadonlyMap<string, readonly string[]>,
): void {
  for (const id of ids) {
    const state = next.byId.get(id);
    const status = state && applyEdit(state, rows.get(id)?.status ?? "pending", weaker.get(id));
    if (state === undefined || status === undefined) continue;
    rows.set(id, { ...taskRow(state), status });
    if (status === "paused") out.events.push({ type: "paused", task: id, reason: state.reason!, by: "rule" });
  }
}

/**
 * Takes over what runs: attempts of tasks that are still there go on, the others become orphans whose result will not
 * count; a task that came back takes its own attempt up again. Returns the ids of the tasks that run.
 */
function carryRunning(
  before: RunState,
  next: RunState,
  out: StepResult,
  edited: ReadonlySet<string>,
  weaker: ReadonlyMap<string, readonly string[]>,
): Set<string> {
  const running = new Set<string>();
  const goesOn = (id: string, held: readonly string[], old?: TaskState): boolean => {
    const state = next.byId.get(id);
    if (state === undefined || isContainer(state.task)) return false;
    state.held = held;
    state.edited = old?.edited === true || edited.has(id);
    state.weaker = [...new Set([...(old?.weaker ?? []), ...(weaker.get(id) ?? [])])];
    running.add(id);
    return true;
  };
  for (const [id, attempt] of before.orphans) {
    if (attempt.left && goesOn(id, attempt.held)) continue;
    next.orphans.set(id, attempt);
    if (attempt.alone) next.alone++;
  }
  for (const old of before.running) {
    if (goesOn(old.task.id, old.held ?? [], old)) continue;
    orphan(next, old, true);
    out.events.push({
      type: "warning",
      code: "ORPHANED",
      message: because("task-gone", {}),
      task: old.task.id,
    });
  }
  for (const { held } of next.orphans.values()) holdFiles(next, held);
  return running;
}

/** What was asked for, where nothing else has changed. */
function askedIn(plan: Plan, added: readonly string[], others: number): { readonly asked?: string } {
  const fresh = new Set(added);
  const asked = plan.tasks.flatMap(({ id, asked: by }) =>
    by === undefined || !fresh.has(id) ? [] : [`${id}: ${by.question}`],
  );
  return others > 0 || asked.length === 0 || asked.length < added.length ? {} : { asked: asked.join("; ") };
}

/**
 * Replaces the plan under a run (DESIGN section 10). Completed tasks stay completed unless their text changed, new
 * tasks join, removed ones leave, and every dependent is judged again under the new graph.
 */
export function reconcile(run: RunState, out: StepResult, plan: Plan): void {
  const { added, removed, changed } = diffPlans(run.plan, plan);
  const numbers = { added: added.length, removed: removed.length, changed: changed.length };
  if (added.length + removed.length + changed.length > 0)
    out.events.push({
      type: "plan-changed",
      ...numbers,
      ...askedIn(plan, added, removed.length + changed.length),
    });
  const before: RunState = { ...run };
  const rows = new Map(run.tasks.map(state => [state.task.id, taskRow(state)]));
  const returned = exchangeRows(run, plan, removed, rows);
  const weaker = weakerTasks([...run.plan.tasks, ...returned.values()], plan.tasks);
  const back = plan.tasks.filter(task => {
    const was = returned.get(task.id);
    return was !== undefined && isEdited(plan, was, task);
  });
  const edited = new Set([...changed, ...back.map(task => task.id)]);
  freeReassigned(run.tasks, plan, rows);
  const next = buildState(plan, run.policy, rows, run.only);
  next.forced = run.forced;
  next.gone = run.gone;
  next.stopping = run.stopping;
  next.held = run.held;
  next.spending = run.spending;
  next.halt = run.halt;
  next.open = openAt(before, next);
  for (const old of before.tasks) {
    const state = next.byId.get(old.task.id);
    if (state === undefined) continue;
    learnFiles(state, old.learned);
  }
  next.collisions = run.collisions;
  const open = [...weaker.keys()].filter(id => rows.get(id)?.status !== "completed");
  const asked = new Set([...edited, ...open, ...added.filter(id => !rows.has(id))]);
  applyEdits(next, out, asked, rows, weaker);
  restoreStatuses(next, out, rows, carryRunning(before, next, out, edited, weaker));
  const closed = new Set(before.phases.filter(phase => phase.closed).map(phase => phase.label));
  const settled = new Map(before.phases.map(phase => [phase.label, phase]));
  for (const phase of next.phases) {
    phase.closed = closed.has(phase.label) && hasEnded(phase);
    const { settlement = "open", refusal } = settled.get(phase.label) ?? {};
    if (settlement === "under-way" || hasEnded(phase)) Object.assign(phase, { settlement, refusal });
  }
  Object.assign(run, next);
  // Every state is a new object: what an earlier step of the same transaction touched must be written as well.
  for (const state of run.tasks) out.touched.add(state);
  out.removed.push(...removed);
  out.runTouched = true;
}
