import { backoff } from "./policy.ts";
import type { AttemptOutcome, RunInput, StepResult } from "./protocol.ts";
import type { RunState, TaskState } from "./state.ts";
import { transition } from "./transition.ts";

/** Starts refused in a row until a person is asked instead of the system. */
const MAX_STALLS = 10;

/** The reason a task pauses when its text was edited while or after it was done. */
export const TEXT_CHANGED = "its text changed after the work was done";

/** Characters of a failure that are kept in the thin state (document 004, FAIL reason). */
export const REASON_LENGTH = 100;

/** Returns a task to the queue, to be dispatched no earlier than `delayMs` from now. */
function requeue(run: RunState, out: StepResult, state: TaskState, now: number, delayMs: number): void {
  state.notBefore = delayMs > 0 ? now + delayMs : 0;
  transition(run, out, state, "ready");
}

/** Pauses a task until a person acts; it does not count as ended. */
export function pause(
  run: RunState,
  out: StepResult,
  state: TaskState,
  reason: string,
  by: "rule" | "person" | "agent",
): void {
  state.reason = reason.slice(0, REASON_LENGTH);
  transition(run, out, state, "paused");
  out.events.push({ type: "paused", task: state.task.id, reason: state.reason, by });
}

/** Records a completion. The box is ticked by the engine once the change is durable. */
export function complete(
  run: RunState,
  out: StepResult,
  state: TaskState,
  verified: boolean,
  by: "agent" | "person",
  ms: number,
): void {
  state.verified = verified;
  state.reason = "";
  state.sameError = 0;
  state.notBefore = 0;
  transition(run, out, state, "completed");
  out.events.push({ type: "completed", task: state.task.id, verified, by, ms });
  out.commands.push({ type: "tick-box", task: state.task.id });
}

/** Counts a failed attempt: try again later, pause after equal failures, or give up (document 004 sections 5.2, 9.2). */
function failAttempt(run: RunState, out: StepResult, state: TaskState, rawReason: string, now: number): void {
  const { policy } = run;
  const reason = rawReason.slice(0, REASON_LENGTH);
  state.sameError = reason === state.reason ? state.sameError + 1 : 1;
  state.reason = reason;
  state.retries++;
  const { retries } = state;
  const task = state.task.id;
  out.events.push({ type: "attempt-failed", task, reason, retries, maxAttempts: policy.maxAttempts });
  if (retries >= policy.maxAttempts) {
    transition(run, out, state, "failed");
    out.events.push({ type: "failed", task, reason });
  } else if (policy.sameErrorLimit > 0 && state.sameError >= policy.sameErrorLimit) {
    pause(run, out, state, reason, "rule");
  } else {
    const wait = backoff(policy, retries);
    requeue(run, out, state, now, wait);
    if (wait > 0) out.events.push({ type: "retry-scheduled", task, inMs: wait });
  }
}

function stall(run: RunState, out: StepResult, state: TaskState, reason: string, now: number): void {
  state.stalls++;
  if (state.stalls >= MAX_STALLS) {
    pause(run, out, state, reason, "rule");
    return;
  }
  out.events.push({ type: "warning", code: "SPAWN_REFUSED", message: reason, task: state.task.id });
  requeue(run, out, state, now, Math.max(1000, backoff(run.policy, state.stalls)));
}

function settleOutcome(
  run: RunState,
  out: StepResult,
  state: TaskState,
  outcome: AttemptOutcome,
  ms: number,
  now: number,
): void {
  if (outcome.kind !== "stalled") state.stalls = 0;
  switch (outcome.kind) {
    case "done":
      state.textHash = outcome.textHash;
      complete(run, out, state, outcome.verified, "agent", ms);
      return;
    case "failed":
      failAttempt(run, out, state, outcome.reason, now);
      return;
    case "no-signal":
      out.events.push({
        type: "warning",
        code: "NO_SIGNAL",
        message: "the final message does not end with the task's signal",
        task: state.task.id,
      });
      failAttempt(run, out, state, "no signal", now);
      return;
    case "stalled":
      stall(run, out, state, outcome.reason, now);
      return;
    case "quota":
      state.notBefore = outcome.until;
      transition(run, out, state, "waiting");
      run.due.add(state);
      out.events.push({ type: "waiting", task: state.task.id, agent: outcome.agent, until: outcome.until });
      return;
    case "needs-person":
      pause(run, out, state, outcome.reason, "agent");
      return;
    case "cancelled":
      requeue(run, out, state, now, 0);
      return;
    default: {
      const never: never = outcome;
      throw new Error(`unknown outcome ${JSON.stringify(never)}`);
    }
  }
}

/** Applies the end of an attempt. Late, repeated and foreign results change nothing: only the newest attempt counts. */
export function endAttempt(
  run: RunState,
  out: StepResult,
  input: Extract<RunInput, { type: "attempt-ended" }>,
): void {
  const state = run.byId.get(input.task);
  if (state === undefined || run.orphans.has(input.task)) {
    if (run.orphans.get(input.task) !== input.attempt) return;
    run.orphans.delete(input.task);
    const message = "its attempt ended after the task had left the task file; the result was not counted";
    out.events.push({ type: "warning", code: "ORPHANED", message, task: input.task });
    return;
  }
  if (state.status !== "in_progress" || state.attempts !== input.attempt) return;
  settleOutcome(run, out, state, input.outcome, input.ms, input.now);
}
