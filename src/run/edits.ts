import { because, type Reason, type TaskStatus } from "../ports/index.ts";
import { isContainer } from "./state.ts";
import type { TaskState } from "./task-state.ts";
import { weakerReason } from "./weaker.ts";

/** The reason a task pauses when its text was edited while or after it was done. */
export const TEXT_CHANGED: Reason = because("text-changed", {});

/** The reason a task is skipped that the file marks as cancelled, deferred or struck out. */
export const LEFT_OUT: Reason = because("left-out", {});

const UNSTARTED: ReadonlySet<TaskStatus> = new Set([
  "pending",
  "ready",
  "blocked",
  "waiting",
  "failed",
  "paused",
]);

/** Where a task stands that goes on by itself, or that somebody takes up again without a look at the file. */
const GOES_ON: ReadonlySet<TaskStatus> = new Set(["pending", "ready", "blocked", "waiting", "paused"]);

function statusAfterEdit(state: TaskState, before: TaskStatus, isWeaker: boolean): TaskStatus | undefined {
  if (before === "completed") return isContainer(state.task) ? undefined : "paused";
  if (state.task.skip === true) return UNSTARTED.has(before) ? "skipped" : undefined;
  if (before === "skipped" && state.reason?.code === "left-out") return isWeaker ? "paused" : "pending";
  return isWeaker && GOES_ON.has(before) && state.reason?.code !== "text-changed" ? "paused" : undefined;
}

/**
 * What becomes of a task that stood at `before` when its text in the file was edited; undefined when it stays there.
 * A completed one is put before a person, who keeps it (`done`) or has it done again (`retry`); so is one that is held to
 * less than before, by the fields in `weaker`; one the file leaves out is skipped, one it takes in again starts afresh.
 * Everything but the status is written here.
 */
export function applyEdit(
  state: TaskState,
  before: TaskStatus,
  weaker: readonly string[] = [],
): TaskStatus | undefined {
  const next = statusAfterEdit(state, before, weaker.length > 0);
  if (next === undefined) return undefined;
  const why = before === "completed" ? TEXT_CHANGED : weakerReason(weaker);
  state.reason = next === "paused" ? why : next === "skipped" ? LEFT_OUT : undefined;
  state.verified = undefined;
  state.retries = 0;
  state.sameError = 0;
  state.notBefore = 0;
  return next;
}
