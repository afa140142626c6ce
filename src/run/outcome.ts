import type { RunOutcome } from "../ports/index.ts";
import { isGated } from "./phases.ts";
import type { StepResult } from "./protocol.ts";
import { inScope, type RunState } from "./state.ts";

/** At most a few ids, for a sentence. */
function some(ids: readonly string[]): string {
  return ids.length <= 5 ? ids.join(", ") : `${ids.slice(0, 5).join(", ")} and ${ids.length - 5} more`;
}

function idsWith(run: RunState, status: string): string[] {
  return run.tasks
    .filter(state => state.status === status && inScope(run, state))
    .map(state => state.task.id);
}

function settledOutcome(run: RunState): { outcome: RunOutcome; reason: string } {
  const paused = idsWith(run, "paused");
  if (paused.length > 0)
    return { outcome: "waiting", reason: `paused, waiting for a person: ${some(paused)}` };
  if (isGated(run)) {
    const label = run.phases[run.open]?.label ?? "";
    const next = run.phases[run.open + 1]?.label ?? "";
    return {
      outcome: "waiting",
      reason: `phase ${label} is below its gate; repair its tasks or continue with --force-phase ${next}`,
    };
  }
  const failed = [...idsWith(run, "failed"), ...idsWith(run, "cancelled")];
  const blocked = idsWith(run, "blocked");
  if (failed.length + blocked.length > 0) {
    const parts = [
      failed.length > 0 ? `failed: ${some(failed)}` : "",
      blocked.length > 0 ? `blocked: ${some(blocked)}` : "",
    ];
    return { outcome: "failed", reason: parts.filter(part => part !== "").join("; ") };
  }
  if (run.scopeEnded === run.scopeTotal) return { outcome: "completed", reason: "" };
  const pending = idsWith(run, "pending");
  return {
    outcome: "failed",
    reason: `nothing left to start, but these never became ready: ${some(pending)}`,
  };
}

/** Whether anything can still happen without a person. */
export function isIdle(run: RunState): boolean {
  if (run.running.size > 0 || run.orphans.size > 0) return false;
  if (run.stopping) return true;
  if (run.due.nextAt() !== undefined || run.ready.size > 0) return false;
  // A lead that has not asked for the next phase yet is not at the end.
  const next = run.phases[run.open + 1];
  return (
    run.policy.advance === "auto" ||
    next === undefined ||
    run.phases[run.open]?.closed !== true ||
    isGated(run)
  );
}

/** Ends the run when nothing can happen any more without a person: every run ends, and says why. */
export function concludeIfIdle(run: RunState, out: StepResult): void {
  if (run.ended !== undefined || !isIdle(run)) return;
  const end =
    run.stopping && run.scopeEnded < run.scopeTotal
      ? { outcome: "interrupted" as const, reason: "stopped before all tasks had ended" }
      : settledOutcome(run);
  run.ended = end;
  out.runTouched = true;
  out.commands.push({ type: "end", ...end });
  out.events.push({ type: "run-ended", ...end });
}
