import { type ReactElement, useMemo, useState } from "react";
import type { Span } from "../../../src/server/shapes/history.ts";
import { clock, dayAndTime, span as length } from "../parts/amounts.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import type { Stand } from "../parts/stand.ts";
import { useWidth } from "../parts/use-width.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { type Grouping, type Lane, marksOf, placeOf, type Stretch } from "./lanes.ts";
import { useTimelineWords } from "./use-words.ts";

/** Height of a row in pixels, and rows that are drawn beyond what is seen. */
const ROW = 26;
const SPARE = 8;
/** Marks of the axis at most, and pixels that the time at one needs. */
const MARKS = 7;
const MARK_WIDTH = 64;
/** Pixels that whatever is to be hit has at least: of narrower ones beside each other the wrong one would be (WCAG 2.5.8). */
const TARGET = 24;

const per = (share: number) => `${share.toFixed(3)}%`;

/** What a bar says: attempt, outcome, when and how long, by whom. */
function useTold(now: number): (span: Span) => string {
  const words = useWords();
  return ({ task, number, agent, machine, outcome, startedAt, endedAt }) => {
    const took = length((endedAt === 0 ? now : endedAt) - startedAt, words.locale);
    const where = machine === undefined ? agent : `${agent}, ${machine}`;
    return `${shownId(task)}, ${words.attempt(number)}: ${words.outcome[outcome]}, ${clock(startedAt)}, ${took}, ${where}`;
  };
}

function Bars({
  lane,
  stretch,
  now,
  linksFrom,
}: {
  readonly lane: Lane;
  readonly stretch: Stretch;
  readonly now: number;
  /** Per cent of the stretch from which on a bar leads to its task; undefined where its row does. */
  readonly linksFrom?: number;
}): ReactElement {
  const told = useTold(now);
  const isRow = linksFrom === undefined;
  return (
    <span className="track">
      {lane.spans.map((span, at) => {
        const next = lane.spans[at + 1];
        const gap =
          isRow && next !== undefined && span.endedAt > 0
            ? placeOf({ startedAt: span.endedAt, endedAt: next.startedAt }, stretch)
            : undefined;
        const place = placeOf(span, stretch);
        const style = place && { left: per(place.left), width: per(place.width) };
        const name = `span is-${span.outcome}`;
        const isLink = !isRow && place !== undefined && place.width >= linksFrom;
        return (
          <span key={`${span.task} ${span.number}`}>
            {gap !== undefined && (
              <i className="gap" style={{ left: per(gap.left), width: per(gap.width) }} aria-hidden="true" />
            )}
            {style !== undefined &&
              (isLink ? (
                <a className={name} style={style} href={hrefOf({ task: span.task })} title={told(span)}>
                  <span className="visually-hidden">{told(span)}</span>
                </a>
              ) : (
                <i className={name} style={style} title={told(span)} aria-hidden="true" />
              ))}
            {!isRow && !isLink && style !== undefined && (
              <span className="visually-hidden">{told(span)}</span>
            )}
          </span>
        );
      })}
    </span>
  );
}

function TaskRow({
  lane,
  stand,
  ...rest
}: {
  readonly lane: Lane;
  readonly stand: Stand;
  readonly stretch: Stretch;
  readonly now: number;
}): ReactElement {
  const words = useWords();
  const told = useTold(rest.now);
  const title = useRun(state => state.cards.get(lane.name)?.title);
  return (
    <a href={hrefOf({ task: lane.name })}>
      <span className="name" title={title}>
        <StatusMark stand={stand} title={words.stand[stand]} /> <Id id={lane.name} /> <span>{title}</span>
      </span>
      <span className="visually-hidden">{lane.spans.map(told).join("; ")}</span>
      <Bars lane={lane} {...rest} />
    </a>
  );
}

/** Attempts in time, one row for each task, or as many as an agent or a machine worked on at once. Rows are drawn where they are seen. */
export function Gantt({
  lanes,
  grouping,
  stretch,
  moment,
  now,
  stands,
}: {
  readonly lanes: readonly Lane[];
  readonly grouping: Grouping;
  readonly stretch: Stretch;
  readonly moment: number;
  readonly now: number;
  readonly stands: ReadonlyMap<string, Stand>;
}): ReactElement {
  const timeline = useTimelineWords();
  const [seen, setSeen] = useState({ top: 0, height: 480 });
  const first = Math.max(0, Math.floor(seen.top / ROW) - SPARE);
  const shown = lanes.slice(first, first + Math.ceil(seen.height / ROW) + 2 * SPARE);
  const [axis, width] = useWidth();
  const most = Math.max(1, Math.min(MARKS, Math.floor(width / MARK_WIDTH)));
  const marks = useMemo(() => marksOf(stretch, most), [stretch, most]);
  const day = stretch.to - stretch.from > 86_400_000;
  const share = (at: number) => per(((at - stretch.from) / Math.max(1, stretch.to - stretch.from)) * 100);
  return (
    <div className={`gantt by-${grouping}`}>
      <div className="axis" aria-hidden="true">
        <span className="track" ref={axis}>
          {marks.map(at => (
            <time key={at} style={{ left: share(at) }}>
              {day ? dayAndTime(at).slice(5) : clock(at).slice(0, at % 60_000 === 0 ? 5 : 8)}
            </time>
          ))}
        </span>
      </div>
      <section
        className="rows"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={timeline.chart}
        onScroll={({ currentTarget: { scrollTop, clientHeight } }) =>
          setSeen({ top: scrollTop, height: clientHeight })
        }
      >
        <div className="lines" aria-hidden="true" style={{ height: lanes.length * ROW }}>
          <span className="track">
            {marks.map(at => (
              <i key={at} style={{ left: share(at) }} />
            ))}
            {moment >= stretch.from && moment <= stretch.to && (
              <b className={moment === now ? "" : "is-then"} style={{ left: share(moment) }} />
            )}
          </span>
        </div>
        <ol style={{ height: lanes.length * ROW }}>
          {shown.map((lane, at) => (
            <li key={lane.key} style={{ top: (first + at) * ROW }}>
              {grouping === "task" ? (
                <TaskRow lane={lane} stand={stands.get(lane.name) ?? "pending"} stretch={stretch} now={now} />
              ) : (
                <div>
                  <span className="name">
                    <span className={lanes[first + at - 1]?.name === lane.name ? "visually-hidden" : ""}>
                      {shownId(lane.name)}
                    </span>
                  </span>
                  <Bars lane={lane} stretch={stretch} now={now} linksFrom={(TARGET / width) * 100} />
                </div>
              )}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
