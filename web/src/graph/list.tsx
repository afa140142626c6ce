import { memo, type ReactElement, useMemo } from "react";
import type { TaskCard } from "../../../src/server/shapes/run.ts";
import { span } from "../parts/amounts.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { countBy, ProgressBar } from "../parts/progress.tsx";
import { useNow } from "../state/now.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { type Filter, isFiltering, matches } from "./filter.ts";

const Row = memo(function Row({ id, open }: { readonly id: string; readonly open: boolean }): ReactElement {
  const words = useWords();
  const card = useRun(state => state.cards.get(id));
  const task = useRun(state => state.tasks.get(id));
  const last = useRun(state => state.last.get(id));
  const now = useNow(task?.since !== undefined);
  const status = task?.status ?? "pending";
  const detail =
    task?.since !== undefined
      ? (last ?? task.agent ?? "")
      : task?.blockedBy !== undefined
        ? words.blockedBy(shownId(task.blockedBy))
        : (task?.reason ?? "");
  return (
    <li className={`row is-${status}${open ? " is-open" : ""}`}>
      <a href={hrefOf({ task: id })} aria-current={open ? "true" : undefined}>
        <StatusMark status={status} verified={task?.verified ?? null} title={words.status[status]} />
        <Id id={id} />
        <strong>{card?.title}</strong>
        <small>{detail}</small>
        <em>{task?.since === undefined ? words.status[status] : span(now - task.since)}</em>
      </a>
    </li>
  );
});

const NO_PHASES: readonly { label: string; title: string }[] = [];
const NO_PLAN: readonly TaskCard[] = [];

/** The same tasks as rows by phase: for narrow screens, screen readers and long plans. */
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
  const groups = useMemo(() => {
    const all = new Map<string, TaskCard[]>(phases.map(({ label }) => [label, []]));
    for (const card of plan) all.get(card.phase)?.push(card);
    return all;
  }, [phases, plan]);
  return (
    <div className="list">
      {phases.map(({ label, title }) => {
        const members = groups.get(label) ?? [];
        const shown = isFiltering(filter)
          ? members.filter(card => matches(filter, card, tasks.get(card.id)))
          : members;
        if (shown.length === 0) return null;
        const counts = countBy(members.map(card => tasks.get(card.id)?.status ?? "pending"));
        return (
          <section key={label}>
            <h2>
              {words.phase(shownId(label))} <span>{title}</span>
              <em>
                {counts.completed + counts.skipped}/{members.length}
              </em>
            </h2>
            <ProgressBar counts={counts} words={words} />
            <ul>
              {shown.map(card => (
                <Row key={card.id} id={card.id} open={card.id === openTask} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
