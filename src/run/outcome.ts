import {
  type Broken,
  because,
  few,
  type Names,
  type Reason,
  type RunOutcome,
  type TaskStatus,
} from "../ports/index.ts";
import { awaitsLead, countedTasks, isGated, isUnsettled, refusalOf } from "./phases.ts";
import type { StepResult } from "./protocol.ts";
import { spendingReason } from "./spending.ts";
import { inScope, isEnded, prerequisites, type RunState } from "./state.ts";

function idsWith(run: RunState, ...statuses: readonly TaskStatus[]): string[] {
  return run.tasks
    .filter(state => statuses.includes(state.status) && inScope(run, state))
    .map(state => state.task.id);
}

/** Tasks of the plan that this run was not about and that have not ended. */
function tasksLeft(run: RunState): number {
  return run.only === undefined ? 0 : run.tasks.filter(state => !isEnded(state.status)).length;
}

/** What a run is called where others read it: one that did only a part (`--only`) is not completed. */
export function standing<B extends string>(run: RunState, between: B): RunOutcome | B {
  if (run.ended === undefined) return between;
  return run.ended.outcome === "completed" && tasksLeft(run) > 0 ? "interrupted" : run.ended.outcome;
}

/** What keeps a task from starting that nothing in this run will bring about. */
function lacks(run: RunState, id: string): Pick<Broken, "waits"> {
  const state = run.byId.get(id);
  const missing = state && prerequisites(state.task).find(dep => run.byId.get(dep)?.status === "pending");
  const dependency = missing === undefined ? undefined : run.byId.get(missing);
  if (dependency === undefined || missing === undefined) return {};
  return { waits: { task: id, on: missing, outside: !inScope(run, dependency) } };
}

/** A part of what broke; absent where nothing did. */
function named<Name extends string>(name: Name, ids: readonly string[]): { readonly [_ in Name]?: Names } {
  return ids.length === 0 ? {} : ({ [name]: few(ids) } as { readonly [_ in Name]?: Names });
}

function settledOutcome(run: RunState): { outcome: RunOutcome; reason: Reason | undefined } {
  const unaffordable = spendingReason(run);
  if (unaffordable !== undefined) return { outcome: "waiting", reason: unaffordable };
  const paused = idsWith(run, "paused");
  if (paused.length > 0)
    return { outcome: "waiting", reason: because("tasks-paused", { tasks: few(paused) }) };
  const refused = run.phases.find((phase, at) => phase.settlement === "refused" && at >= run.open);
  if (refused !== undefined) return { outcome: "waiting", reason: refusalOf(refused) };
  const broken = {
    ...named("failed", idsWith(run, "failed")),
    ...named("cancelled", idsWith(run, "cancelled")),
    ...named("blocked", idsWith(run, "blocked")),
  };
  if (isGated(run)) {
    const phase = run.phases[run.open]!;
    const { label, completed } = phase;
    const next = run.phases[run.open + 1]!.label;
    const numbers = { phase: label, completed, counted: countedTasks(phase), next };
    return { outcome: "waiting", reason: because("below-gate", { ...numbers, ...broken }) };
  }
  const stuck = idsWith(run, "pending", "ready", "waiting");
  const reasons = {
    ...broken,
    ...named("stuck", stuck),
    ...(stuck[0] === undefined ? {} : lacks(run, stuck[0])),
  };
  if (Object.keys(reasons).length > 0) return { outcome: "failed", reason: because("tasks-broken", reasons) };
  const tasks = tasksLeft(run);
  return { outcome: "completed", reason: tasks === 0 ? undefined : because("tasks-outside", { tasks }) };
}

/** Whether anything can still happen without a person. */
function isIdle(run: RunState): boolean {
  if (run.running.size > 0 || run.orphans.size > 0) return false;
  if (run.phases.some(phase => phase.settlement === "under-way")) return false;
  if (run.stopping) return true;
  if (run.spending?.refusal !== undefined) return true;
  if (run.due.nextAt() !== undefined) return false;
  if (run.policy.advance === "auto") return run.ready.size === 0;
  // A lead that has not taken what is ready, or not asked for the next phase, is not at the end.
  return run.counts.ready === 0 && !awaitsLead(run);
}

/** Ends the run when nothing can happen any more without a person: every run ends, and says why. */
export function concludeIfIdle(run: RunState, out: StepResult): void {
  if (!isIdle(run)) return;
  const end =
    run.halt !== undefined
      ? { outcome: "waiting" as const, reason: run.halt }
      : run.stopping && (run.scopeEnded < run.scopeTotal || isUnsettled(run))
        ? { outcome: "interrupted" as const, reason: because("run-stopped", {}) }
        : settledOutcome(run);
  run.ended = end;
  out.runTouched = true;
  out.commands.push({ type: "end", ...end });
  out.events.push({ type: "run-ended", ...end });
}
