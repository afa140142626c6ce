import { type ReactElement, useMemo, useState } from "react";
import { useRoute } from "../state/route.ts";
import { type Filter, standsIn } from "./filter.ts";
import { GraphFlow } from "./flow.tsx";
import { TaskList } from "./list.tsx";
import { FilterBar } from "./tools.tsx";

const NARROW = matchMedia("(max-width: 760px)");

/** All tasks, as a graph or as a list, with what is looked for. */
export function GraphView(): ReactElement {
  const { task, item } = useRoute();
  const [text, setText] = useState("");
  const filter = useMemo((): Filter => ({ text, stands: standsIn(item) }), [text, item]);
  const [mode, setMode] = useState<"graph" | "list">(NARROW.matches ? "list" : "graph");
  return (
    <div className="graph">
      <FilterBar filter={filter} setText={setText} mode={mode} setMode={setMode} />
      {mode === "graph" ? (
        <GraphFlow filter={filter} task={task} />
      ) : (
        <TaskList filter={filter} task={task} />
      )}
    </div>
  );
}
