import type { ReactElement } from "react";
import type { Words } from "../words/words.ts";
import { type Counts, ORDER, totalOf } from "./stand.ts";

/** Shares of states as one bar. */
export function ProgressBar({
  counts,
  words,
}: {
  readonly counts: Counts;
  readonly words: Words;
}): ReactElement {
  const entries = ORDER.map(stand => [stand, counts[stand]] as const).filter(([, n]) => n > 0);
  const total = totalOf(counts);
  const label = entries.map(([stand, n]) => `${n} ${words.stand[stand]}`).join(", ");
  return (
    <div className="bar" role="img" aria-label={label} title={label}>
      {entries.map(([stand, n]) => (
        <i key={stand} className={`is-${stand}`} style={{ width: `${(n / total) * 100}%` }} />
      ))}
    </div>
  );
}
