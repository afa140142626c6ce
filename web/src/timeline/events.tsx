import type { ReactElement } from "react";
import type { Happening } from "../../../src/server/shapes/stream.ts";
import { clock, dayAndTime } from "../parts/amounts.ts";
import { Id } from "../parts/id.tsx";
import { useBranches } from "../state/branches.ts";
import { go } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { field } from "../words/words.ts";

/** How an event is coloured, by its type; others are quiet. */
const TONES: Readonly<Record<string, string>> = {
  completed: "completed",
  "attempt-failed": "paused",
  failed: "failed",
  blocked: "blocked",
  paused: "paused",
  "phase-gated": "paused",
  "phase-refused": "paused",
  conflict: "paused",
  asked: "paused",
  answered: "person",
  warning: "paused",
  "run-held": "paused",
  person: "person",
  "phase-forced": "person",
  "run-released": "person",
  stopping: "person",
  dispatched: "in_progress",
};
/** Events whose `by` names no person. */
const NOT_WHO: ReadonlySet<string> = new Set(["blocked", "paused", "completed", "permission"]);
/** Events that are drawn. */
const SHOWN = 400;

/** An event without the name of a branch that is gone by now. */
function named(event: Happening["event"], branches: ReadonlySet<string>): Happening["event"] {
  return event.type === "phase-left" && !branches.has(field(event, "branch"))
    ? { ...event, branch: "" }
    : event;
}

function Entry({
  happening,
  branches,
}: {
  readonly happening: Happening;
  readonly branches: ReadonlySet<string>;
}): ReactElement {
  const words = useWords();
  const { at, event } = happening;
  const task = field(event, "task");
  const who = NOT_WHO.has(event.type) ? "" : field(event, "by");
  return (
    <li className={`is-${TONES[event.type] ?? "quiet"}`}>
      <time title={dayAndTime(at)}>{clock(at)}</time>
      {task === "" ? (
        <span />
      ) : (
        <button type="button" className="link" onClick={() => go({ task })}>
          <Id id={task} />
        </button>
      )}
      <p>
        {words.happening(event.type, named(event, branches))} {who !== "" && <small>{words.by(who)}</small>}
      </p>
    </li>
  );
}

/** What happened, newest first. */
export function Events(): ReactElement {
  const words = useWords();
  const events = useRun(state => state.events);
  const branches = useBranches();
  const newest = events.slice(-SHOWN).reverse();
  return (
    <section className="events">
      <h2>{words.timeline}</h2>
      {newest.length === 0 && <p className="quiet">{words.noEvents}</p>}
      <ol>
        {newest.map(happening => (
          <Entry key={happening.seq} happening={happening} branches={branches} />
        ))}
      </ol>
    </section>
  );
}
