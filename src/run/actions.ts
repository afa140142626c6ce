import { because, type Reason } from "../ports/index.ts";
import { said } from "../text/index.ts";
import { complete } from "./attempts.ts";
import { orphan } from "./orphans.ts";
import { pause } from "./pause.ts";
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
function renew(run: RunState, out: StepResult, state: TaskState, now: number): void {
  state.retries = 0;
  state.sameError = 0;
  state.stalls = 0;
  state.asksAnew = now;
  state.clash = "";
  state.notBefore = 0;
  state.reason = undefined;
  out.touched.add(state);
  transition(run, out, state, "pending");
}

/** A person's note as a reason; undefined where they gave none. */
function noteOf(note: string): Reason | undefined {
  return note === "" ? undefined : said("person", note);
}

/** Counts a completion as proved: a person has looked at it. So do the tasks that only group it and others. */
function approve(run: RunState, out: StepResult, state: TaskState): void {
  state.verified = true;
  state.reason = undefined;
  out.touched.add(state);
  // Groups stand before what they hold.
  for (const group of run.tasks.toReversed()) {
    const { children = [] } = group.task;
    const isProved = children.length > 0 && children.every(id => run.byId.get(id)?.verified === true);
    if (group.status !== "completed" || group.verified === true || !isProved) continue;
    group.verified = true;
    out.touched.add(group);
  }
}

function leave(state: TaskState, reason: Reason | undefined): void {
  state.reason = reason;
  state.notBefore = 0;
}

/** What a container says to an act that only its children can answer; undefined when it can be done. */
function containerRefusal(state: TaskState, act: Act): Reason | undefined {
  const { id: task, children } = state.task;
  const { status } = state;
  const over = status === "skipped" || status === "cancelled" || status === "paused";
  if (children === undefined || (act.action === "retry" && over)) return undefined;
  return because("task-groups", { task, children: children.slice(0, 5) });
}

/** Why work cannot be sent back: a command made it, nobody has worked, an agent is at it, or nothing is said. */
function returnRefusal(state: TaskState, act: Act): Reason | undefined {
  const { status, attempts } = state;
  const { id: task, run } = state.task;
  if (run !== undefined) return because("reads-no-note", { task });
  if (act.note.trim() === "") return because("note-missing", { task });
  const refused = containerRefusal(state, act);
  if (refused !== undefined) return refused;
  if (status === "in_progress") return because("task-listens", { task });
  if (status === "blocked") return because("task-blocked", { task, by: blockerOf(state) });
  return attempts === 0 ? because("never-worked", { task }) : undefined;
}

function blockerOf({ reason }: TaskState): string {
  return reason?.code === "blocked-by" ? reason.args.task : "";
}

/** Why an action makes no sense on a task in its present state; undefined when it does. */
function refusal(state: TaskState, act: Act): Reason | undefined {
  const { status, reason } = state;
  const task = state.task.id;
  switch (act.action) {
    case "retry":
      if (status === "in_progress") return because("task-running", { task });
      if (status === "blocked") return because("task-blocked", { task, by: blockerOf(state) });
      return containerRefusal(state, act);
    case "resume":
      return status === "paused" || status === "waiting"
        ? undefined
        : because("task-stands", { task, status, not: "paused" });
    case "pause":
      return isEnded(status) || status === "paused"
        ? because("task-stands", { task, status, not: "changed" })
        : undefined;
    case "skip":
      if (status === "completed") return because("task-stands", { task, status, not: "skippable" });
      return status === "skipped" ? because("task-stands", { task, status, not: "changed" }) : undefined;
    case "cancel":
      if (status === "completed") return because("task-stands", { task, status, not: "cancellable" });
      return status === "cancelled" ? because("task-stands", { task, status, not: "changed" }) : undefined;
    case "done":
      return status === "completed"
        ? because("task-stands", { task, status, not: "changed" })
        : containerRefusal(state, act);
    case "send-back":
      return returnRefusal(state, act);
    case "approve":
      if (status === "completed")
        return state.verified === true && reason === undefined
          ? because("task-proved", { task })
          : containerRefusal(state, act);
      return act.awaitsReview === true ? undefined : because("nothing-to-approve", { task, status });
    default:
      return act.action satisfies never;
  }
}

/** Applies what a person decided about one task, or refuses with the reason. */
export function act(run: RunState, out: StepResult, input: Act): void {
  const state = run.byId.get(input.task);
  if (state === undefined) {
    out.refused = because("task-unknown", { task: input.task });
    return;
  }
  const why = inScope(run, state) ? refusal(state, input) : because("task-outside", { task: input.task });
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
    case "send-back":
      renew(run, out, state, input.now);
      return;
    case "approve":
      if (state.status === "completed") approve(run, out, state);
      else renew(run, out, state, input.now);
      return;
    case "pause":
      pause(run, out, state, noteOf(input.note) ?? because("paused-by-person", {}), "person");
      return;
    case "skip":
      leave(state, noteOf(input.note));
      transition(run, out, state, "skipped");
      return;
    case "cancel":
      leave(state, noteOf(input.note) ?? because("cancelled-by-person", {}));
      transition(run, out, state, "cancelled");
      return;
    case "done":
      state.textHash = input.textHash;
      complete(run, out, state, false, "person", 0);
      return;
    default:
      input.action satisfies never;
  }
}
