import { type ReactElement, useMemo, useState } from "react";
import type { EventsShape, Happening } from "../../../src/server/shapes/stream.ts";
import { clock, dayAndTime } from "../parts/amounts.ts";
import { Id } from "../parts/id.tsx";
import { read } from "../state/api.ts";
import { useBranches } from "../state/branches.ts";
import { go } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { field } from "../words/words.ts";
import { isOf, KINDS, type Kind } from "./kinds.ts";
import { useTimelineWords } from "./use-words.ts";

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
/** Events that are drawn at first, and as many more each time that older ones are asked for. */
const SHOWN = 400;
/** Events that are read at once when older ones are asked for. */
const PAGE = 500;

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

/** The whole of what an event says, for filtering. */
function textOf({ event }: Happening, told: string): string {
  const tasks = [field(event, "task"), field(event, "tasks"), field(event, "by")].join(" ");
  return `${tasks} ${told}`.toLowerCase();
}

/** What happened up to a moment, newest first; of one kind, or with words in it. */
export function Events({ moment }: { readonly moment: number | undefined }): ReactElement {
  const words = useWords();
  const timeline = useTimelineWords();
  const events = useRun(state => state.events);
  const branches = useBranches();
  const [kind, setKind] = useState<Kind>("all");
  const [text, setText] = useState("");
  const [before, setBefore] = useState<readonly Happening[]>([]);
  const [room, setRoom] = useState(SHOWN);
  const first = before[0]?.seq ?? events[0]?.seq ?? 1;
  const wanted = text.trim().toLowerCase();
  const found = useMemo(() => {
    const begun = events[0]?.seq ?? 0;
    return [...before.filter(({ seq }) => seq < begun), ...events]
      .filter(one => moment === undefined || one.at <= moment)
      .filter(one => isOf(kind, one.event.type))
      .filter(
        one => wanted === "" || textOf(one, words.happening(one.event.type, one.event)).includes(wanted),
      );
  }, [before, events, moment, kind, wanted, words]);
  const newest = found.slice(-room).reverse();
  const older = async () => {
    setRoom(room + SHOWN);
    if (first === 1 || found.length >= room + SHOWN) return;
    const { events: more } = await read<EventsShape>("events", { after: Math.max(0, first - 1 - PAGE) });
    setBefore(known => [...more.filter(({ seq }) => seq < first), ...known]);
  };
  return (
    <section className="events">
      <h2>{words.timeline}</h2>
      <search className="choices">
        <label>
          {timeline.kind}{" "}
          <select value={kind} onChange={event => setKind(event.target.value as Kind)}>
            {KINDS.map(one => (
              <option key={one} value={one}>
                {timeline.kindOf[one]}
              </option>
            ))}
          </select>
        </label>
        <input
          type="search"
          value={text}
          placeholder={timeline.eventsHint}
          aria-label={timeline.events}
          onChange={event => setText(event.target.value)}
        />
      </search>
      {newest.length === 0 && (
        <p className="quiet">{events.length === 0 ? words.noEvents : timeline.noneSuch}</p>
      )}
      <ol>
        {newest.map(happening => (
          <Entry key={happening.seq} happening={happening} branches={branches} />
        ))}
      </ol>
      {(first > 1 || found.length > room) && (
        <button type="button" onClick={() => void older()}>
          {timeline.olderEvents}
        </button>
      )}
    </section>
  );
}
