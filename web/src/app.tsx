import { lazy, type ReactElement, Suspense } from "react";
import { Asks } from "./asks.tsx";
import { Header } from "./header.tsx";
import { OverviewView } from "./overview/overview-view.tsx";
import { useRoute } from "./state/route.ts";
import { useRun } from "./state/run.ts";
import { TaskPanel } from "./task/task-panel.tsx";
import { useWords } from "./words/use-words.ts";

const GraphView = lazy(async () => ({ default: (await import("./graph/graph-view.tsx")).GraphView }));
const ContextView = lazy(async () => ({ default: (await import("./context/context-view.tsx")).ContextView }));
const ReviewView = lazy(async () => ({ default: (await import("./review/review-view.tsx")).ReviewView }));
const TimelineView = lazy(async () => ({
  default: (await import("./timeline/timeline-view.tsx")).TimelineView,
}));
const BudgetView = lazy(async () => ({ default: (await import("./budget/budget-view.tsx")).BudgetView }));

function View(): ReactElement {
  const { view } = useRoute();
  switch (view) {
    case "overview":
      return <OverviewView />;
    case "graph":
      return <GraphView />;
    case "review":
      return <ReviewView />;
    case "context":
      return <ContextView />;
    case "budget":
      return <BudgetView />;
    case "timeline":
      return <TimelineView />;
    default:
      return view satisfies never;
  }
}

/** What stands above everything when something is wrong with the page's connection or the state. */
function Notice(): ReactElement | null {
  const words = useWords();
  const line = useRun(state => state.line);
  const problem = useRun(state => state.shape?.problem);
  const text =
    line === "denied"
      ? words.deniedHint
      : line === "lost"
        ? words.lostHint
        : problem === undefined
          ? undefined
          : `${words.problem}: ${problem}`;
  return text === undefined ? null : (
    <p className="notice" role="alert">
      {text}
    </p>
  );
}

/** The page. */
export function App(): ReactElement {
  const words = useWords();
  const { task, view } = useRoute();
  const known = useRun(state => state.shape !== undefined);
  const hasRun = useRun(state => state.shape?.run != null);
  const line = useRun(state => state.line);
  return (
    <>
      <Header />
      <Notice />
      {view !== "overview" && <Asks />}
      <div className={`body${task === "" || !hasRun ? "" : " has-panel"}`}>
        <main>
          {hasRun ? (
            <Suspense fallback={<p className="empty">{words.loading}</p>}>
              <View />
            </Suspense>
          ) : (
            <div className="empty">
              <h2>{known ? words.noRun : words.line[line]}</h2>
              {known && <p>{words.noRunHint}</p>}
            </div>
          )}
        </main>
        {task !== "" && hasRun && <TaskPanel id={task} />}
      </div>
    </>
  );
}
