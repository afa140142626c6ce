import { type ReactElement, useMemo } from "react";
import { StatusMark } from "../parts/mark.tsx";
import { countStands, ORDER, type Stand } from "../parts/stand.ts";
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
  setText,
  mode,
  setMode,
}: {
  readonly filter: Filter;
  readonly setText: (text: string) => void;
  readonly mode: "graph" | "list";
  readonly setMode: (mode: "graph" | "list") => void;
}): ReactElement {
  const words = useWords();
  const tasks = useRun(state => state.tasks);
  const cards = useRun(state => state.cards);
  const counts = useMemo(() => countStands(cards.values(), tasks), [cards, tasks]);
  // It stands in the address, so that a link can lead to it.
  const toggle = (stand: Stand) => {
    const stands = new Set(filter.stands);
    if (!stands.delete(stand)) stands.add(stand);
    go({ item: [...stands].join(",") });
  };
  return (
    <search className="tools" aria-label={words.filter}>
      <input
        type="search"
        placeholder={words.search}
        aria-label={words.search}
        aria-keyshortcuts="/"
        value={filter.text}
        onKeyDown={event => event.key === "Enter" && openFirst(filter)}
        onChange={event => setText(event.target.value)}
      />
      <div className="chips">
        {ORDER.filter(stand => counts[stand] > 0 || filter.stands.has(stand)).map(stand => (
          <button
            key={stand}
            type="button"
            className="chip"
            aria-pressed={filter.stands.has(stand)}
            onClick={() => toggle(stand)}
          >
            <StatusMark stand={stand} /> {words.stand[stand]} <b>{counts[stand]}</b>
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
    </search>
  );
}
