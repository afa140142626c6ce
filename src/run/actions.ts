import { complete, pause } from "./attempts.ts";
import type { RunInput, StepResult } from "./protocol.ts";
import { inScope, type RunState, type TaskState } from "./state.ts";
import { settle, transition } from "./transition.ts";

type Act = Extract<RunInput, { type: "act" }>;

function cancelAttempt(out: StepResult, state: TaskState): void {
  if (state.status !== "in_progress") return;
  out.commands.push({ type: "cancel", task: state.task.id, attempt: state.attempts, how: "soft" });
}

/** Gives a task a fresh start: counts cleared, back to where its dependencies put it. */
function renew(run: RunState, out: StepResult, state: TaskState): void {
  state.retries = 0;
  state.sameError = 0;
  state.stalls = 0;
  state.notBefore = 0;
  state.reason = "";
  state.verified = undefined;
  transition(run, out, state, "pending");
  settle(run, out, state);
}

/** Why an action makes no sense on a task in its present state; undefined when it does. */
function refusal(state: TaskState, act: Act): string | undefined {
  const { status } = state;
  const { id } = state.task;
  switch (act.action) {
    case "retry":
      if (status === "in_progress") return `${id} is running; pause or cancel it first`;
      if (status === "blocked") return `${id} is ${state.reason}: retry or skip that task instead`;
      return undefined;
    case "resume":
      return status === "paused" || status === "waiting" ? undefined : `${id} is ${status}, not paused`;
    case "pause":
      return status === "completed" || status === "skipped" ? `${id} is already ${status}` : undefined;
    case "skip":
    case "cancel":
      return status === "completed" ? `${id} is completed; nothing to ${act.action}` : undefined;
    case "done":
      return status === "completed" ? `${id} is already completed` : undefined;
    default: {
      const never: never = act.action;
      throw new Error(`unknown action ${String(never)}`);
    }
  }
}

/** Applies what a person decided about one task, or refuses with the reason. */
export function act(run: RunState, out: StepResult, input: Act): void {
  const state = run.byId.get(input.task);
  if (state === undefined) {
    out.refused = `no task ${input.task} in this plan`;
    return;
  }
  const why = inScope(run, state) ? refusal(state, input) : `${input.task} is outside this run (--only)`;
  if (why !== undefined) {
    out.refused = why;
    return;
  }
  out.events.push({ type: "person", action: input.action, task: input.task, note: input.note });
  cancelAttempt(out, state);
  switch (input.action) {
    case "retry":
    case "resume":
      renew(run, out, state);
      return;
    case "pause":
      pause(run, out, state, input.note === "" ? "paused by a person" : input.note, "person");
      return;
    case "skip":
      state.reason = input.note;
      transition(run, out, state, "skipped");
      return;
    case "cancel":
      state.reason = input.note;
      transition(run, out, state, "cancelled");
      return;
    case "done":
      state.textHash = input.textHash;
      complete(run, out, state, false, "person", 0);
      return;
    default: {
      const never: never = input.action;
      throw new Error(`unknown action ${String(never)}`);
    }
  }
}
