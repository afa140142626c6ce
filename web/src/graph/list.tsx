import { memo, type ReactElement, useMemo } from "react";
import type { TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";
import { dollars, span } from "../parts/amounts.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { ProgressBar } from "../parts/progress.tsx";
import { countStands, doneIn, standOf, totalOf } from "../parts/stand.ts";
import { useNow } from "../state/now.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { type Filter, isFiltering, matches } from "./filter.ts";
import { listOrder } from "./list-order.ts";

/** What a task says under its title: what it does, or why it does not. */
function Detail({ task, id }: { readonly task: TaskNow | undefined; readonly id: string }): ReactElement {
  const words = useWords();
  const last = useRun(state => state.last.get(id));
  if (task?.since !== undefined) return <small>{last}</small>;
  if (task?.blockedBy !== undefined) return <small>{words.blockedBy(shownId(task.blockedBy))}</small>;
  return <small>{task?.reason}</small>;
}

const Row = memo(function Row({ id, open }: { readonly id: string; readonly open: boolean }): ReactElement {
  const words = useWords();
  const card = useRun(state => state.cards.get(id));
  const task = useRun(state => state.tasks.get(id));
  const now = useNow(task?.since !== undefined);
  const stand = standOf(task);
  const took = (task?.tookMs ?? 0) + (task?.since === undefined ? 0 : now - task.since);
  return (
    <li className={`row is-${stand}${open ? " is-open" : ""}`}>
      <a href={hrefOf({ task: id })} aria-current={open ? "true" : undefined}>
        <StatusMark stand={stand} />
        <Id id={id} />
        <span className="what">
          <strong>{card?.title}</strong>
          <Detail task={task} id={id} />
        </span>
        <span className="who">{task?.agent ?? card?.role}</span>
        <time>{took > 0 ? span(took, words.locale) : ""}</time>
        <span className="cost">{task?.costUsd === undefined ? "" : dollars(task.costUsd)}</span>
        <em>{words.stand[stand]}</em>
      </a>
    </li>
  );
});

const NO_PHASES: readonly { label: string; title: string }[] = [];
const NO_PLAN: readonly TaskCard[] = [];

function Rows({ cards, open }: { readonly cards: readonly TaskCard[]; readonly open: string }): ReactElement {
  return (
    <ul>
      {cards.map(({ id }) => (
        <Row key={id} id={id} open={id === open} />
      ))}
    </ul>
  );
}

/** The same tasks as rows: what waits for a person, what runs, then by phase, finished ones last. */
export function TaskList({
  filter,
  task: openTask,
}: {
  readonly filter: Filter;
  readonly task: string;
}): ReactElement {
  const words = useWords();
  const phases = useRun(state => state.shape?.phases ?? NO_PHASES);
  const plan = useRun(state => state.shape?.plan ?? NO_PLAN);
  const tasks = useRun(state => state.tasks);
  const groups = useMemo(() => Map.groupBy(plan, card => card.phase), [plan]);
  const isShown = (card: TaskCard) => !isFiltering(filter) || matches(filter, card, tasks.get(card.id));
  const { needs, running, order } = useMemo(() => listOrder(phases, plan, tasks), [phases, plan, tasks]);
  const first = [
    { name: words.overview.needs, cards: needs.filter(isShown) },
    { name: words.overview.runs, cards: running.filter(isShown) },
  ];
  return (
    <div className="list">
      <p className="row heads" aria-hidden="true">
        <span />
        <span />
        <span />
        <span>{words.agent}</span>
        <span>{words.elapsed}</span>
        <span>{words.cost}</span>
        <span>{words.state}</span>
      </p>
      {first.map(
        ({ name, cards }) =>
          cards.length > 0 && (
            <section key={name} className="first">
              <h2>
                {name} <em>{cards.length}</em>
              </h2>
              <Rows cards={cards} open={openTask} />
            </section>
          ),
      )}
      {order.map(({ label, title }) => {
        const members = groups.get(label) ?? [];
        const shown = members.filter(isShown);
        if (shown.length === 0) return null;
        const counts = countStands(members, tasks);
        return (
          <section key={label}>
            <h2>
              {words.phase(shownId(label))} <span>{title}</span>
              <em>
                {doneIn(counts)}/{totalOf(counts)}
              </em>
            </h2>
            <ProgressBar counts={counts} words={words} />
            <Rows cards={shown} open={openTask} />
          </section>
        );
      })}
      {isFiltering(filter) && !plan.some(isShown) && <p className="empty">{words.noMatch}</p>}
    </div>
  );
}
