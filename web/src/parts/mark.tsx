import type { ReactElement } from "react";
import type { Stand } from "./stand.ts";

const PATHS: Readonly<Record<Stand, string>> = {
  pending: "M5.5 8h.01M8 8h.01M10.5 8h.01",
  ready: "M6.5 5.5 10 8l-3.5 2.5Z",
  in_progress: "M8 4.5V8l2.4 1.6",
  completed: "m5 8.3 2.1 2.1L11 6.2",
  unverified: "m5 8.3 2.1 2.1L11 6.2",
  stale: "M8 4.8v4M8 11.1v.1",
  failed: "m5.8 5.8 4.4 4.4m0-4.4-4.4 4.4",
  blocked: "M5 8h6",
  paused: "M6.6 5.8v4.4m2.8-4.4v4.4",
  waiting: "M6 5h4L6 11h4Z",
  cancelled: "m5.6 10.4 4.8-4.8",
  skipped: "m5.4 5.8 2.6 2.2-2.6 2.2m3-4.4L11 8l-2.6 2.2",
};

/** The sign of a state. Shape and colour tell the same; the word stands beside it or in its title. */
export function StatusMark({
  stand,
  title,
}: {
  readonly stand: Stand;
  readonly title?: string;
}): ReactElement {
  return (
    <svg
      className={`mark is-${stand}`}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      role={title === undefined ? "presentation" : "img"}
      aria-label={title}
      aria-hidden={title === undefined}
    >
      <circle cx="8" cy="8" r="6.5" />
      <path d={PATHS[stand]} />
    </svg>
  );
}
