import { MAX_WAIT_MS } from "./policy.ts";
import type { StepResult } from "./protocol.ts";
import type { RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { transition } from "./transition.ts";

/** The shortest wait after something that costs no attempt, so that nothing turns in a tight circle. */
export const MIN_WAIT_MS = 1000;

/** Has a task wait until its agent has quota again. */
export function awaitQuota(
  run: RunState,
  out: StepResult,
  state: TaskState,
  agent: string,
  until: number,
  now: number,
): void {
  const at = Math.min(now + MAX_WAIT_MS, Math.max(now + MIN_WAIT_MS, until));
  state.notBefore = Number.isNaN(at) ? now + run.policy.backoffMaxMs : at;
  // Somebody else takes over at once: nothing is waited for.
  if (until > now || Number.isNaN(until))
    out.events.push({ type: "waiting", task: state.task.id, agent, until: state.notBefore });
  transition(run, out, state, "waiting");
}
