import { type ReactElement, useMemo } from "react";
import type { TaskNow } from "../../../src/server/shapes/run.ts";
import { clock, roughly, span } from "../parts/amounts.ts";
import { Id } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { useNow } from "../state/now.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { latelyOf, quotaOf, runningOf } from "./facts.ts";

/** Tasks at work that are shown, and tasks that ended lately. */
const RUNNING = 12;
const LATELY = 6;

function Title({ id }: { readonly id: string }): ReactElement {
  const title = useRun(state => state.cards.get(id)?.title);
  return (
    <>
      <Id id={id} /> <strong>{title}</strong>
    </>
  );
}

function Running({ task, now }: { readonly task: TaskNow; readonly now: number }): ReactElement {
  const words = useWords();
  const last = useRun(state => state.last.get(task.id));
  return (
    <li>
      <a href={hrefOf({ task: task.id })}>
        <StatusMark stand="in_progress" title={words.stand.in_progress} />
        <span className="what">
          <Title id={task.id} />
        </span>
        <span className="who">
          {task.agent}
          {task.attempts > 1 && <small className="quiet"> · {words.attempt(task.attempts)}</small>}
        </span>
        <time>{span(now - (task.since ?? now), words.locale)}</time>
        <small className={last === undefined ? "quiet" : "last"}>{last ?? words.overview.silent}</small>
      </a>
    </li>
  );
}

/** What agents are at, each with its last words. */
export function RunningNow(): ReactElement {
  const words = useWords();
  const { overview } = words;
  const tasks = useRun(state => state.tasks);
  const running = useMemo(() => runningOf({ tasks }), [tasks]);
  const quota = useMemo(() => quotaOf({ tasks }), [tasks]);
  const now = useNow(running.length > 0);
  return (
    <section className="running" aria-labelledby="running">
      <h2 id="running">
        {overview.runs} {running.length > 0 && <b className="count">{running.length}</b>}
      </h2>
      {running.length === 0 && (
        <p className="quiet">
          {overview.runsNone} {overview.runsNoneWhy}
        </p>
      )}
      <ul>
        {running.slice(0, RUNNING).map(task => (
          <Running key={task.id} task={task} now={now} />
        ))}
      </ul>
      {running.length > RUNNING && (
        <a className="more" href={hrefOf({ view: "graph", item: "in_progress" })}>
          {words.more(running.length - RUNNING)}
        </a>
      )}
      {quota !== undefined && <p className="quiet">{overview.quota(quota.count, clock(quota.until))}</p>}
    </section>
  );
}

/** Tasks whose attempts ended last, and how. */
export function EndedLately(): ReactElement {
  const words = useWords();
  const { overview } = words;
  const tasks = useRun(state => state.tasks);
  const lately = useMemo(() => latelyOf({ tasks }, LATELY), [tasks]);
  const now = useNow(true);
  return (
    <section className="lately" aria-labelledby="lately">
      <h2 id="lately">{overview.lately}</h2>
      {lately.length === 0 && <p className="quiet">{overview.latelyNone}</p>}
      <ul>
        {lately.map(task => {
          const stand = standOf(task);
          return (
            <li key={task.id} className={`is-${stand}`}>
              <a href={hrefOf({ task: task.id })}>
                <StatusMark stand={stand} />
                <span className="what">
                  <Title id={task.id} />
                </span>
                <em>{words.stand[stand]}</em>
                <span className="who">{task.agent}</span>
                <time>{overview.ago(roughly(Math.max(0, now - (task.endedAt ?? now)), words.locale))}</time>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
