import type { RunOutcome, TaskStatus } from "../ports/index.ts";
import { awaitsLead, countedTasks, isGated } from "./phases.ts";
import type { StepResult } from "./protocol.ts";
import { spendingReason } from "./spending.ts";
import { inScope, isEnded, prerequisites, type RunState } from "./state.ts";

/** At most a few ids, for a sentence. */
function some(ids: readonly string[]): string {
  return ids.length <= 5 ? ids.join(", ") : `${ids.slice(0, 5).join(", ")} and ${ids.length - 5} more`;
}

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
function lacks(run: RunState, id: string): string {
  const state = run.byId.get(id);
  const missing = state && prerequisites(state.task).find(dep => run.byId.get(dep)?.status === "pending");
  const dependency = missing === undefined ? undefined : run.byId.get(missing);
  if (dependency === undefined) return "";
  return ` (${id} waits for ${missing}${inScope(run, dependency) ? "" : ", which is outside this run (--only)"})`;
}

function settledOutcome(run: RunState): { outcome: RunOutcome; reason: string } {
  const unaffordable = spendingReason(run);
  if (unaffordable !== undefined) return { outcome: "waiting", reason: unaffordable };
  const paused = idsWith(run, "paused");
  if (paused.length > 0)
    return { outcome: "waiting", reason: `paused, waiting for a person: ${some(paused)}` };
  const refused = run.phases.find((phase, at) => phase.settlement === "refused" && at >= run.open);
  if (refused !== undefined)
    return { outcome: "waiting", reason: `phase ${refused.label}: ${refused.refusal}` };
  const failed = idsWith(run, "failed", "cancelled");
  const blocked = idsWith(run, "blocked");
  const parts = [
    failed.length > 0 ? `failed: ${some(failed)}` : "",
    blocked.length > 0 ? `blocked: ${some(blocked)}` : "",
  ].filter(part => part !== "");
  const phase = run.phases[run.open];
  const next = run.phases[run.open + 1];
  if (phase !== undefined && next !== undefined && isGated(run)) {
    const numbers = `${phase.completed}/${countedTasks(phase)}`;
    const reason =
      `phase ${phase.label} is below its gate (${numbers} completed; ${parts.join("; ")}); ` +
      `repair its tasks or continue with --force-phase ${next.label}`;
    return { outcome: "waiting", reason };
  }
  const stuck = idsWith(run, "pending", "ready", "waiting");
  if (stuck.length > 0) {
    parts.push(`nothing left to start, but these never became ready: ${some(stuck)}${lacks(run, stuck[0]!)}`);
  }
  if (parts.length > 0) return { outcome: "failed", reason: parts.join("; ") };
  const left = tasksLeft(run);
  return { outcome: "completed", reason: left === 0 ? "" : `${left} more in the plan, outside --only` };
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
  if (run.ended !== undefined || !isIdle(run)) return;
  const end =
    run.halt !== undefined
      ? { outcome: "waiting" as const, reason: run.halt }
      : run.stopping && run.scopeEnded < run.scopeTotal
        ? { outcome: "interrupted" as const, reason: "stopped before all tasks had ended" }
        : settledOutcome(run);
  run.ended = end;
  out.runTouched = true;
  out.commands.push({ type: "end", ...end });
  out.events.push({ type: "run-ended", ...end });
}
