import { type ReactElement, useMemo, useState } from "react";
import type { HistoryShape } from "../../../src/server/shapes/history.ts";
import { clock, dayAndTime, roughly } from "../parts/amounts.ts";
import { Id } from "../parts/id.tsx";
import { ProgressBar } from "../parts/progress.tsx";
import { type Counts, countStands, doneIn, ORDER, type Stand, standOf, totalOf } from "../parts/stand.ts";
import { useNow } from "../state/now.ts";
import { useRead } from "../state/read.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { Gantt } from "./gantt.tsx";
import { type Grouping, lanesOf, type Stretch } from "./lanes.ts";
import { countPast, runningAt, standsAt } from "./past.ts";
import { useTimelineWords } from "./use-words.ts";

/** Milliseconds between two readings of the whole history. */
const PAUSE = 2000;
/** Tasks at work that are named. */
const NAMED = 12;
const GROUPINGS: readonly Grouping[] = ["task", "agent", "machine"];
/** Stretches that can be looked at, in milliseconds back from now; 0 for the whole run. */
const STRETCHES = [0, 86_400_000, 21_600_000, 3_600_000, 600_000];
const OUTCOMES = ["running", "done", "failed", "unproven", "no-signal", "cancelled", "crashed"] as const;

function Choice<T extends string | number>({
  name,
  value,
  of,
  onChange,
}: {
  readonly name: string;
  readonly value: T;
  readonly of: readonly (readonly [T, string])[];
  readonly onChange: (value: T) => void;
}): ReactElement {
  return (
    <label>
      {name}{" "}
      <select
        value={value}
        onChange={event => {
          const chosen = of.find(([one]) => String(one) === event.target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {of.map(([one, told]) => (
          <option key={one} value={one}>
            {told}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How the run stood at the moment: how far, and who was at work. */
function Past({
  history,
  moment,
  counts,
}: {
  readonly history: HistoryShape;
  /** Undefined where nobody works on it any more. */
  readonly moment: number | undefined;
  readonly counts: Counts;
}): ReactElement {
  const words = useWords();
  const timeline = useTimelineWords();
  const running = moment === undefined ? [] : runningAt(history.spans, moment);
  return (
    <div className="past">
      <ProgressBar counts={counts} words={words} />
      <p>
        <b>{words.doneOf(doneIn(counts), totalOf(counts))}</b>
        {ORDER.filter(stand => counts[stand] > 0).map(stand => (
          <span key={stand} className={`is-${stand}`}>
            {counts[stand]} {words.stand[stand]}
          </span>
        ))}
      </p>
      <p>
        <span className="quiet">{timeline.atWork}:</span>{" "}
        {running.length === 0 && <span className="quiet">{timeline.nobody}</span>}
        {running.slice(0, NAMED).map(({ task, number, agent }) => (
          <a key={`${task} ${number}`} href={hrefOf({ task })}>
            <Id id={task} /> <small>{agent}</small>
          </a>
        ))}
        {running.length > NAMED && <span className="quiet">{words.more(running.length - NAMED)}</span>}
      </p>
    </div>
  );
}

/** The run as a chart, and as it stood at any moment of it. `moment` is undefined for now. */
export function History({
  moment,
  onMoment,
}: {
  readonly moment: number | undefined;
  readonly onMoment: (moment: number | undefined) => void;
}): ReactElement {
  const words = useWords();
  const timeline = useTimelineWords();
  const { value: history, error } = useRead<HistoryShape>("history", {}, PAUSE);
  const run = useRun(state => state.shape?.run);
  const plan = useRun(state => state.shape?.plan);
  const tasks = useRun(state => state.tasks);
  const cards = useRun(state => state.cards);
  const [grouping, setGrouping] = useState<Grouping>("task");
  const [back, setBack] = useState(0);
  const running = run?.state === "running";
  const ticking = useNow(running);
  const now = running ? ticking : (run?.endedAt ?? run?.updatedAt ?? ticking);
  const lanes = useMemo(
    () => lanesOf(history?.spans ?? [], grouping, plan?.map(card => card.id) ?? [], timeline.here),
    [history, grouping, plan, timeline],
  );
  const at = moment ?? now;
  const stands = useMemo((): ReadonlyMap<string, Stand> => {
    if (moment !== undefined && history !== undefined) return standsAt(history, moment);
    return new Map([...tasks].map(([id, task]) => [id, standOf(task)]));
  }, [history, moment, tasks]);
  const counts =
    moment === undefined ? countStands(cards.values(), tasks) : countPast(cards.values(), stands);
  const start = history?.startedAt ?? now;
  const from = back === 0 ? start : Math.max(start, now - back);
  const stretch = useMemo((): Stretch => ({ from, to: Math.max(now, from + 1000) }), [from, now]);
  if (error !== undefined) return <p className="bad">{error}</p>;
  if (history === undefined) return <p className="quiet">{words.loading}</p>;
  const told =
    moment === undefined ? timeline.now : timeline.pastAt(dayAndTime(at), roughly(now - at, words.locale));
  return (
    <section className="history">
      <h2>{timeline.chart}</h2>
      {history.spans.length === 0 ? (
        <p className="quiet">{timeline.chartEmpty}</p>
      ) : (
        <>
          <div className="choices">
            <Choice
              name={timeline.rows}
              value={grouping}
              of={GROUPINGS.map(one => [one, timeline.rowsOf[one]] as const)}
              onChange={setGrouping}
            />
            <Choice
              name={timeline.stretch}
              value={back}
              of={STRETCHES.map(
                ms => [ms, ms === 0 ? timeline.whole : timeline.last(roughly(ms, words.locale))] as const,
              )}
              onChange={setBack}
            />
            <label className="moment">
              {timeline.moment}{" "}
              <input
                type="range"
                min={stretch.from}
                max={stretch.to}
                step={Math.max(1000, Math.round((stretch.to - stretch.from) / 400))}
                value={Math.max(stretch.from, at)}
                aria-valuetext={`${told}: ${words.doneOf(doneIn(counts), totalOf(counts))}`}
                onChange={event => {
                  const next = Number(event.target.value);
                  onMoment(next >= stretch.to - 1000 ? undefined : next);
                }}
              />
            </label>
            <button type="button" disabled={moment === undefined} onClick={() => onMoment(undefined)}>
              {timeline.now}
            </button>
            <output>{moment === undefined ? clock(at) : told}</output>
          </div>
          <Past history={history} moment={running ? at : moment} counts={counts} />
          <Gantt lanes={lanes} grouping={grouping} stretch={stretch} moment={at} now={now} stands={stands} />
          <ul className="legend" aria-label={timeline.legend}>
            {OUTCOMES.map(outcome => (
              <li key={outcome}>
                <i className={`span is-${outcome}`} aria-hidden="true" /> {words.outcome[outcome]}
              </li>
            ))}
            <li>
              <i className="gap" aria-hidden="true" /> {timeline.between}
            </li>
          </ul>
          {history.older > 0 && <p className="quiet">{timeline.older(history.older)}</p>}
        </>
      )}
    </section>
  );
}
