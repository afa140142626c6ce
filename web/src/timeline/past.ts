import type { HistoryShape, Span } from "../../../src/server/shapes/history.ts";
import type { TaskCard } from "../../../src/server/shapes/run.ts";
import { type Counts, ORDER, type Stand } from "../parts/stand.ts";

/** Where tasks stood at a moment; those that are not named were pending. Linear. */
export function standsAt({ before, moves }: HistoryShape, moment: number): ReadonlyMap<string, Stand> {
  const stands = new Map<string, Stand>(before);
  for (const [at, task, stand] of moves) {
    if (at > moment) break;
    stands.set(task, stand);
  }
  return stands;
}

/** How many tasks stood where; those that only group others are left out. */
export function countPast(
  cards: Iterable<Pick<TaskCard, "id" | "container">>,
  stands: ReadonlyMap<string, Stand>,
): Counts {
  const counts = Object.fromEntries(ORDER.map(stand => [stand, 0])) as Record<Stand, number>;
  for (const { id, container } of cards) if (!container) counts[stands.get(id) ?? "pending"]++;
  return counts;
}

/** Attempts that were at work at a moment, the longest first. */
export function runningAt(spans: readonly Span[], moment: number): Span[] {
  return spans.filter(({ startedAt, endedAt }) => startedAt <= moment && (endedAt === 0 || endedAt > moment));
}
