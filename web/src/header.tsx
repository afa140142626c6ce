import { type ReactElement, useMemo } from "react";
import { Door } from "./access/door.tsx";
import { RunControl } from "./control.tsx";
import { Help } from "./help.tsx";
import { dollars, span, tokens } from "./parts/amounts.ts";
import { ProgressBar } from "./parts/progress.tsx";
import { countStands, doneIn, totalOf } from "./parts/stand.ts";
import { useNow } from "./state/now.ts";
import { hrefOf, useRoute } from "./state/route.ts";
import { projectName, useRun } from "./state/run.ts";
import { VIEWS } from "./state/views.ts";
import { toggleTheme } from "./theme.ts";
import { chooseLocale, useWords } from "./words/use-words.ts";

function Sign(): ReactElement {
  return (
    <svg className="sign" viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <path d="M16 29V5M16 23H9a3 3 0 0 1-3-3v-3M16 23h7a3 3 0 0 0 3-3v-3M16 14h-5a3 3 0 0 1-3-3V9M16 14h5a3 3 0 0 0 3-3V9" />
    </svg>
  );
}

/** What is done and still to be looked at: counted apart, so that nobody takes it for proven. */
const UNSURE = ["unverified", "stale"] as const;

/** How the run stands, in one line. */
function Standing(): ReactElement | null {
  const words = useWords();
  const run = useRun(state => state.shape?.run);
  const link = useRun(state => state.shape?.link);
  const tasks = useRun(state => state.tasks);
  const cards = useRun(state => state.cards);
  const running = run?.state === "running";
  const now = useNow(running);
  const counts = useMemo(() => countStands(cards.values(), tasks), [tasks, cards]);
  if (!run || link === undefined) return null;
  return (
    <div className="standing">
      <div className="pills">
        <span className={`pill run-${run.state}`} title={run.reason}>
          {link.held && running ? words.held : words.run[run.state]}
        </span>
        {!link.live && (
          <span className="pill" title={words.restsHint}>
            {words.rests}
          </span>
        )}
      </div>
      <div className="progress">
        <ProgressBar counts={counts} words={words} />
        <small>
          <span>{words.doneOf(doneIn(counts), totalOf(counts))}</span>
          {UNSURE.filter(stand => counts[stand] > 0).map(stand => (
            <a key={stand} className={`is-${stand}`} href={hrefOf({ view: "graph", item: stand })}>
              {counts[stand]} {words.stand[stand]}
            </a>
          ))}
          <span className="quiet">
            {span((running ? now : (run.endedAt ?? run.updatedAt)) - run.startedAt, words.locale)}
          </span>
          {run.costUsd > 0 && <span className="quiet">{dollars(run.costUsd)}</span>}
          {run.tokens > 0 && (
            <span className="quiet">
              {tokens(run.tokens)} {words.tokens}
            </span>
          )}
        </small>
      </div>
    </div>
  );
}

/** The head of the page: what runs, how far it is, where to go, what to do. */
export function Header(): ReactElement {
  const words = useWords();
  const { view } = useRoute();
  const line = useRun(state => state.line);
  const project = useRun(({ shape }) => projectName(shape));
  const place = useRun(({ shape }) => shape?.project);
  const other = words.locale === "en" ? "ko" : "en";
  return (
    <header className="top">
      <Sign />
      <h1 title={place}>{project}</h1>
      <Standing />
      <div className="ways">
        <nav aria-label={words.views}>
          {VIEWS.map(name => (
            <a
              key={name}
              href={hrefOf({ view: name, item: "" })}
              aria-current={view === name ? "page" : undefined}
            >
              {words.view[name]}
            </a>
          ))}
        </nav>
        <RunControl />
        <span className={`line is-${line}`} role="status">
          <i />
          {words.line[line]}
        </span>
        <div className="settings">
          <Door />
          <button type="button" lang={other} onClick={() => chooseLocale(other)}>
            {words.language}
          </button>
          <button type="button" title={words.theme} aria-label={words.theme} onClick={toggleTheme}>
            ◐
          </button>
          <Help />
        </div>
      </div>
    </header>
  );
}
