import type { Reason } from "../ports/index.ts";
import type { StepResult } from "./protocol.ts";
import type { RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { transition } from "./transition.ts";

/** Pauses a task until a person acts; it does not count as ended. */
export function pause(
  run: RunState,
  out: StepResult,
  state: TaskState,
  reason: Reason,
  by: "rule" | "person" | "agent",
  times?: number,
): void {
  state.reason = reason;
  state.notBefore = 0;
  const alike = times === undefined ? {} : { times };
  out.events.push({ type: "paused", task: state.task.id, reason, by, ...alike });
  transition(run, out, state, "paused");
}
