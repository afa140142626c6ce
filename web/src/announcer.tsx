import { type ReactElement, useState } from "react";
import { shownId } from "./parts/id.tsx";
import { useRun } from "./state/run.ts";
import { useWords } from "./words/use-words.ts";
import { field } from "./words/words.ts";

/** What is told to somebody who does not look: what waits for a person, and what has ended. */
const TOLD: ReadonlySet<string> = new Set([
  "asked",
  "failed",
  "paused",
  "phase-ended",
  "phase-gated",
  "run-ended",
]);

/** Says the newest of it, in whatever view; what happened before the page was opened is not told. */
export function Announcer(): ReactElement {
  const words = useWords();
  const newest = useRun(({ events }) => events.findLast(({ event }) => TOLD.has(event.type)));
  const skew = useRun(state => state.skew);
  const [opened] = useState(() => Date.now());
  const task = newest === undefined ? "" : field(newest.event, "task");
  return (
    <p role="status" className="visually-hidden">
      {newest !== undefined && newest.at > opened + skew && (
        <>
          {task !== "" && `${shownId(task)}: `}
          {words.happening(newest.event.type, newest.event)}
        </>
      )}
    </p>
  );
}
