import { diffPlans, type Plan } from "../plan/index.ts";
import { TEXT_CHANGED } from "./attempts.ts";
import type { StepResult } from "./protocol.ts";
import { restoreStatuses, taskRow } from "./restore.ts";
import { buildState, isEnded, type RunState, type TaskState } from "./state.ts";
import { settle, transition } from "./transition.ts";

/** Carries running tasks over; those that left the plan go on as orphans whose result will not count. */
function carryRunning(before: RunState, run: RunState, out: StepResult): void {
  for (const [id, attempt] of before.orphans) run.orphans.set(id, attempt);
  for (const old of before.running) {
    const state = run.byId.get(old.task.id);
    if (state !== undefined) {
      state.attempts = old.attempts;
      transition(run, out, state, "in_progress");
      continue;
    }
    run.orphans.set(old.task.id, old.attempts);
    out.events.push({
      type: "warning",
      code: "ORPHANED",
      message: "it left the task file while its agent works; the agent may finish, its result will not count",
      task: old.task.id,
    });
  }
}

function requeueTimed(run: RunState): void {
  for (const state of run.tasks) if (state.notBefore > 0 && !isEnded(state.status)) run.due.add(state);
}

/** A completed task whose text was edited is put before a person: keep it (`done`) or run it again (`retry`). */
function pauseEdited(run: RunState, out: StepResult, changed: readonly string[]): void {
  for (const id of changed) {
    const state = run.byId.get(id);
    if (state?.status !== "completed") continue;
    state.reason = TEXT_CHANGED;
    transition(run, out, state, "paused");
    out.events.push({ type: "paused", task: id, reason: TEXT_CHANGED, by: "rule" });
  }
}

/** The position of the phase that was open; when it is gone, the one that took its place. */
function openAt(before: RunState, next: RunState): number {
  const at = next.phases.findIndex(phase => phase.label === before.phases[before.open]?.label);
  return at >= 0 ? at : Math.min(before.open, next.phases.length - 1);
}

function differing(before: RunState, run: RunState): TaskState[] {
  return run.tasks.filter(state => before.byId.get(state.task.id)?.status !== state.status);
}

/**
 * Replaces the plan under a run (DESIGN section 10). Completed tasks stay completed unless their text changed, new
 * tasks join, removed ones leave, and every dependent is judged again under the new graph.
 */
export function reconcile(run: RunState, out: StepResult, plan: Plan): void {
  const { added, removed, changed } = diffPlans(run.plan, plan);
  const before: RunState = { ...run };
  const rows = new Map(run.tasks.map(state => [state.task.id, taskRow(state)]));
  const next = buildState(plan, run.policy, rows, run.only);
  next.forced = run.forced;
  next.stopping = run.stopping;
  next.open = openAt(before, next);
  for (const phase of next.phases.slice(0, Math.max(0, next.open))) phase.closed = true;
  restoreStatuses(next, rows);
  carryRunning(before, next, out);
  Object.assign(run, next);
  pauseEdited(run, out, changed);
  for (const state of run.tasks) settle(run, out, state);
  requeueTimed(run);
  for (const state of differing(before, run)) out.touched.add(state);
  for (const id of added) {
    const state = run.byId.get(id);
    if (state !== undefined) out.touched.add(state);
  }
  out.removed.push(...removed);
  out.runTouched = true;
  out.events.push({
    type: "plan-changed",
    added: added.length,
    removed: removed.length,
    changed: changed.length,
  });
}
