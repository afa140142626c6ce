import type { ReactElement } from "react";
import type { Status } from "../../../src/server/shapes/run.ts";
import type { Words } from "../words/words.ts";

/** The order in which states stand in a bar. */
export const ORDER: readonly Status[] = [
  "completed",
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

export type Counts = Readonly<Partial<Record<Status, number>>>;

/** How many tasks stand where. */
export function countBy(statuses: Iterable<Status>): Record<Status, number> {
  const counts = Object.fromEntries(ORDER.map(status => [status, 0])) as Record<Status, number>;
  for (const status of statuses) counts[status]++;
  return counts;
}

/** Shares of states as one bar. */
export function ProgressBar({
  counts,
  words,
}: {
  readonly counts: Counts;
  readonly words: Words;
}): ReactElement {
  const entries = ORDER.map(status => [status, counts[status] ?? 0] as const).filter(([, n]) => n > 0);
  const total = entries.reduce((sum, [, n]) => sum + n, 0);
  const label = entries.map(([status, n]) => `${n} ${words.status[status]}`).join(", ");
  return (
    <div className="bar" role="img" aria-label={label} title={label}>
      {entries.map(([status, n]) => (
        <i key={status} className={`is-${status}`} style={{ width: `${(n / total) * 100}%` }} />
      ))}
    </div>
  );
}
