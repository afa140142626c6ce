import { firstLine } from "../text/index.ts";
import { complete, pause, REASON_LENGTH } from "./attempts.ts";
import { orphan } from "./orphans.ts";
import type { RunInput, StepResult } from "./protocol.ts";
import { inScope, isEnded, type RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { transition } from "./transition.ts";

type Act = Extract<RunInput, { type: "act" }>;

/** Ends the attempt under way: its result will not count, and its place is free once its agent is gone. */
function cancelAttempt(run: RunState, out: StepResult, state: TaskState): void {
  if (state.status !== "in_progress") return;
  out.commands.push({ type: "cancel", task: state.task.id, attempt: state.attempts, how: "soft" });
  orphan(run, state, false);
}

/** Gives a task a fresh start: counts cleared, back to where its dependencies put it. */
function renew(run: RunState, out: StepResult, state: TaskState): void {
  state.retries = 0;
  state.sameError = 0;
  state.stalls = 0;
  state.conflicts = 0;
  state.notBefore = 0;
  state.reason = "";
  out.touched.add(state);
  transition(run, out, state, "pending");
}

function leave(state: TaskState, note: string): void {
  state.reason = firstLine(note, REASON_LENGTH);
  state.notBefore = 0;
}

/** What a container says to an act that only its children can answer; undefined when it can be done. */
function containerRefusal(state: TaskState, act: Act): string | undefined {
  const { id, children } = state.task;
  const { status } = state;
  const over = status === "skipped" || status === "cancelled" || status === "paused";
  if (children === undefined || (act.action !== "done" && (act.action !== "retry" || over))) return undefined;
  return `${id} completes with its tasks: act on ${children.slice(0, 5).join(", ") || "those"} instead`;
}

/** Why an action makes no sense on a task in its present state; undefined when it does. */
function refusal(state: TaskState, act: Act): string | undefined {
  const { status } = state;
  const { id } = state.task;
  switch (act.action) {
    case "retry":
      if (status === "in_progress") return `${id} is running; pause or cancel it first`;
      if (status === "blocked") return `${id} is ${state.reason}: retry or skip that task instead`;
      return containerRefusal(state, act);
    case "resume":
      return status === "paused" || status === "waiting" ? undefined : `${id} is ${status}, not paused`;
    case "pause":
      return isEnded(status) || status === "paused" ? `${id} is already ${status}` : undefined;
    case "skip":
      if (status === "completed") return `${id} is completed; nothing to skip`;
      return status === "skipped" ? `${id} is already skipped` : undefined;
    case "cancel":
      if (status === "completed") return `${id} is completed; nothing to cancel`;
      return status === "cancelled" ? `${id} is already cancelled` : undefined;
    case "done":
      return status === "completed" ? `${id} is already completed` : containerRefusal(state, act);
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
  const { action, task, note, by } = input;
  out.events.push({ type: "person", action, task, note, ...(by === undefined ? {} : { by }) });
  cancelAttempt(run, out, state);
  switch (input.action) {
    case "retry":
    case "resume":
      renew(run, out, state);
      return;
    case "pause":
      pause(run, out, state, input.note === "" ? "paused by a person" : input.note, "person");
      return;
    case "skip":
      leave(state, input.note);
      transition(run, out, state, "skipped");
      return;
    case "cancel":
      leave(state, input.note);
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
