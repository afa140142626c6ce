import type { Status, TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";

/** Where a task stands as people count it: what is done is proven, or nobody proved it, or it was done on an old context. */
export type Stand = Status | "unverified" | "stale";

/** The order in which they stand in bars and filters. */
export const ORDER: readonly Stand[] = [
  "completed",
  "unverified",
  "stale",
  "skipped",
  "in_progress",
  "waiting",
  "paused",
  "failed",
  "blocked",
  "cancelled",
  "ready",
  "pending",
];

/** Where a task stands; one that nothing is known of is pending. */
export function standOf(task: Pick<TaskNow, "status" | "verified" | "stale"> | undefined): Stand {
  if (task?.status !== "completed") return task?.status ?? "pending";
  if (task.stale === true) return "stale";
  return task.verified === true ? "completed" : "unverified";
}

export type Counts = Readonly<Record<Stand, number>>;

/** How many tasks stand where; those that only group others are no work and are left out. Linear. */
export function countStands(
  cards: Iterable<Pick<TaskCard, "id" | "container">>,
  tasks: ReadonlyMap<string, TaskNow>,
): Counts {
  const counts = Object.fromEntries(ORDER.map(stand => [stand, 0])) as Record<Stand, number>;
  for (const { id, container } of cards) if (!container) counts[standOf(tasks.get(id))]++;
  return counts;
}

/** Those that need no more work: proven or not, stale or left out. */
export function doneIn({ completed, unverified, stale, skipped }: Counts): number {
  return completed + unverified + stale + skipped;
}

/** All of them. */
export function totalOf(counts: Counts): number {
  return ORDER.reduce((sum, stand) => sum + counts[stand], 0);
}
