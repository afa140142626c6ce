import { lazy, type ReactElement, Suspense, useEffect, useRef } from "react";
import { Login } from "./access/login.tsx";
import { Announcer } from "./announcer.tsx";
import { Asks } from "./asks.tsx";
import { Header } from "./header.tsx";
import { OverviewView } from "./overview/overview-view.tsx";
import { Teach } from "./parts/teach.tsx";
import { useRoute } from "./state/route.ts";
import { projectName, useRun } from "./state/run.ts";
import { tokenKind } from "./state/token.ts";
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
  // The same line may come again for another reason before the page is drawn.
  const kind = useRun(() => tokenKind());
  const problem = useRun(state => state.shape?.problem);
  const text =
    line === "denied"
      ? words.deniedHint[kind]
      : line === "lost"
        ? words.lostHint
        : line === "keyless"
          ? words.keylessHint
          : problem === undefined
            ? undefined
            : `${words.problem}: ${problem}`;
  return text === undefined ? null : (
    <p className="notice" role="alert">
      {text}
    </p>
  );
}

/** Before the first run, and before it is known whether there is one. */
function NoRun(): ReactElement {
  const { line: lines, pages } = useWords();
  const known = useRun(state => state.shape !== undefined);
  const line = useRun(state => state.line);
  if (known)
    return (
      <div className="page">
        <Teach lesson={pages.runLesson} />
      </div>
    );
  return (
    <div className="empty">
      <h2>{lines[line]}</h2>
    </div>
  );
}

/** The page. */
export function App(): ReactElement {
  const words = useWords();
  const { task, view } = useRoute();
  const known = useRun(state => state.shape !== undefined);
  const hasRun = useRun(state => state.shape?.run != null);
  const line = useRun(state => state.line);
  const project = useRun(({ shape }) => projectName(shape));
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    document.documentElement.lang = words.locale;
    document.title = `${words.view[view]} · ${project}`;
  }, [words, view, project]);
  return (
    <>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {words.skip}
      </button>
      <Header />
      <Announcer />
      <Notice />
      {(line === "denied" || line === "keyless") && <Login />}
      {view !== "overview" && <Asks key={view} />}
      <main ref={main} tabIndex={-1} className={task === "" || !hasRun ? "" : "has-panel"}>
        <div className="view">
          {hasRun || (known && view === "context") ? (
            <Suspense fallback={<p className="empty">{words.loading}</p>}>
              <View />
            </Suspense>
          ) : (
            <NoRun />
          )}
        </div>
        {task !== "" && hasRun && <TaskPanel id={task} />}
      </main>
    </>
  );
}
