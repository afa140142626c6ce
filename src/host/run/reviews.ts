import type { StampedEvent } from "../../ports/index.ts";

/** What became of the last review of a task's work. */
export type TaskReview =
  | { readonly kind: "approved"; readonly by: string; readonly rounds: number }
  /** It was to be reviewed, and nobody could. */
  | { readonly kind: "unreviewed" };

/** What a run has told of reviews, by task; a task whose last review had findings stands for nothing here. */
export function reviewsIn(told: Iterable<Pick<StampedEvent, "event">>): ReadonlyMap<string, TaskReview> {
  const found = new Map<string, TaskReview>();
  for (const { event } of told) {
    if (event.type === "warning" && event.code === "UNREVIEWED" && event.task !== undefined)
      found.set(event.task, { kind: "unreviewed" });
    if (event.type !== "reviewed") continue;
    const { task, by, round: rounds } = event;
    if (event.verdict === "approved") found.set(task, { kind: "approved", by, rounds });
    else found.delete(task);
  }
  return found;
}
