import type { Task } from "../plan/index.ts";
import type { TaskStatus } from "../ports/index.ts";
import { isContainer } from "./state.ts";

/** The reason a task pauses when its text was edited while or after it was done. */
export const TEXT_CHANGED = "its text changed after the work was done";

/** The reason a task is skipped that the file marks as cancelled, deferred or struck out. */
export const LEFT_OUT = "the task file leaves it out";

const UNSTARTED: ReadonlySet<TaskStatus> = new Set(["pending", "ready", "blocked", "waiting", "failed", "paused"]);

/** What becomes of a task when its text in the file was edited; undefined when it stays as it is. */
export function statusAfterEdit(
  task: Task,
  before: { readonly status: TaskStatus; readonly reason: string },
): TaskStatus | undefined {
  if (before.status === "completed") return isContainer(task) ? undefined : "paused";
  if (task.skip === true) return UNSTARTED.has(before.status) ? "skipped" : undefined;
  return before.status === "skipped" && before.reason === LEFT_OUT ? "pending" : undefined;
}

/** What a task says of itself after such an edit. */
export function reasonAfterEdit(status: TaskStatus): string {
  if (status === "paused") return TEXT_CHANGED;
  return status === "skipped" ? LEFT_OUT : "";
}
