import type { StampedEvent } from "../../ports/index.ts";

/** What became of the last review of a task's work. */
export type TaskReview =
  | { readonly kind: "approved"; readonly by: string; readonly rounds: number }
  /** A person has looked at it and approved it. */
  | { readonly kind: "person"; readonly by: string }
  /** It was to be reviewed, and nobody could. */
  | { readonly kind: "unreviewed" };

/** What a run has told of reviews, by task; a task whose last review had findings stands for nothing here. */
export function reviewsIn(told: Iterable<Pick<StampedEvent, "event">>): ReadonlyMap<string, TaskReview> {
  const found = new Map<string, TaskReview>();
  for (const { event } of told) {
    if (event.type === "warning" && event.code === "UNREVIEWED" && event.task !== undefined)
      found.set(event.task, { kind: "unreviewed" });
    if (event.type === "person" && event.task !== undefined) {
      if (event.action === "approve") found.set(event.task, { kind: "person", by: event.by ?? "" });
      if (event.action === "retry" || event.action === "send-back") found.delete(event.task);
    }
    if (event.type !== "reviewed") continue;
    const { task, by, round: rounds } = event;
    if (event.verdict === "approved") found.set(task, { kind: "approved", by, rounds });
    else found.delete(task);
  }
  return found;
}
