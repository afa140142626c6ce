import type { Dispatch, ReactElement, SetStateAction } from "react";
import { useMemo } from "react";
import { StatusMark } from "../parts/mark.tsx";
import { countBy, ORDER } from "../parts/progress.tsx";
import { go } from "../state/route.ts";
import { current, useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { type Filter, isFiltering, matches } from "./filter.ts";

/** Opens the first task that is looked for. */
function openFirst(filter: Filter): void {
  const { shape, tasks } = current();
  const card = shape?.plan.find(one => isFiltering(filter) && matches(filter, one, tasks.get(one.id)));
  if (card !== undefined) go({ task: card.id });
}

/** Search and states, above graph and list. */
export function FilterBar({
  filter,
  setFilter,
  mode,
  setMode,
}: {
  readonly filter: Filter;
  readonly setFilter: Dispatch<SetStateAction<Filter>>;
  readonly mode: "graph" | "list";
  readonly setMode: (mode: "graph" | "list") => void;
}): ReactElement {
  const words = useWords();
  const tasks = useRun(state => state.tasks);
  const counts = useMemo(() => countBy([...tasks.values()].map(task => task.status)), [tasks]);
  const toggle = (status: (typeof ORDER)[number]) =>
    setFilter(before => {
      const statuses = new Set(before.statuses);
      if (!statuses.delete(status)) statuses.add(status);
      return { ...before, statuses };
    });
  return (
    <div className="tools" role="toolbar" aria-label={words.filter}>
      <input
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        aria-keyshortcuts="/"
        value={filter.text}
        onKeyDown={event => event.key === "Enter" && openFirst(filter)}
        onChange={event => setFilter(before => ({ ...before, text: event.target.value }))}
      />
      <div className="chips">
        {ORDER.filter(status => counts[status] > 0 || filter.statuses.has(status)).map(status => (
          <button
            key={status}
            type="button"
            className="chip"
            aria-pressed={filter.statuses.has(status)}
            onClick={() => toggle(status)}
          >
            <StatusMark status={status} verified /> {words.status[status]} <b>{counts[status]}</b>
          </button>
        ))}
      </div>
      <div className="switch">
        {(["graph", "list"] as const).map(name => (
          <button key={name} type="button" aria-pressed={mode === name} onClick={() => setMode(name)}>
            {name === "graph" ? words.asGraph : words.asList}
          </button>
        ))}
      </div>
    </div>
  );
}
