import { type ReactElement, useEffect, useState } from "react";
import type { DiffShape } from "../../../src/server/shapes/review.ts";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { failureText, read } from "../state/api.ts";
import { hrefOf, useRoute } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { PhaseBeside, TaskBeside } from "./beside.tsx";
import { DiffView } from "./diff-view.tsx";
import { itemOf, type Place, placeOf, queryOf } from "./place.ts";
import "./review.css";
import { useReviewWords } from "./use-words.ts";

/** What was read once: a diff is large, and of what has landed it never changes. */
function useDiff(place: Place | undefined, asked: number) {
  const key = place === undefined ? "" : `${itemOf(place)} ${asked}`;
  const { silent } = useWords();
  const [answer, setAnswer] = useState<{ key: string; value?: DiffShape; error?: string }>({ key: "" });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the place
  useEffect(() => {
    if (place === undefined) return undefined;
    let gone = false;
    read<DiffShape>("diff", queryOf(place)).then(
      value => !gone && setAnswer({ key, value }),
      (error: unknown) => !gone && setAnswer({ key, error: failureText(error, silent) }),
    );
    return () => {
      gone = true;
    };
  }, [key]);
  return answer.key === key ? answer : undefined;
}

/** Everything that can be reviewed: phases, and tasks that have worked. */
function Choice(): ReactElement {
  const words = useWords();
  const review = useReviewWords();
  const phases = useRun(state => state.shape?.phases ?? []);
  const plan = useRun(state => state.shape?.plan ?? []);
  const tasks = useRun(state => state.tasks);
  const worked = plan.filter(({ id, container }) => !container && (tasks.get(id)?.attempts ?? 0) > 0);
  const labels = new Set(worked.map(({ phase }) => phase));
  return (
    <div className="page review-choice">
      <h2>{review.choose}</h2>
      <p className="quiet">{worked.length === 0 ? review.overview : review.chooseHint}</p>
      {phases
        .filter(({ label }) => labels.has(label))
        .map(({ label, title }) => (
          <section key={label}>
            <h3>
              <a href={hrefOf({ item: itemOf({ kind: "phase", phase: label }) })}>
                {words.phase(shownId(label))} <span>{title}</span>
              </a>
            </h3>
            <ul className="review-tasks">
              {worked
                .filter(({ phase }) => phase === label)
                .map(({ id, title: of }) => {
                  const stand = standOf(tasks.get(id));
                  return (
                    <li key={id}>
                      <a href={hrefOf({ item: itemOf({ kind: "task", task: id, attempt: 0 }) })}>
                        <StatusMark stand={stand} title={words.stand[stand]} />
                        <Id id={id} /> <span>{of}</span>
                      </a>
                    </li>
                  );
                })}
            </ul>
          </section>
        ))}
    </div>
  );
}

function Standing({ place, shape }: { readonly place: Place; readonly shape: DiffShape }): ReactElement {
  const review = useReviewWords();
  const { state, commit, commits, others } = shape;
  return (
    <p className="review-standing">
      {/* Of a phase it is told beside its work whether it is merged: "landed" on its branch would seem to say so. */}
      {place.kind === "task" && state !== "nothing" && state !== "apart" && (
        <span className="pill">{review.state[state]}</span>
      )}
      {commit !== undefined && <code>{commit.slice(0, 12)}</code>}
      {commits > 1 && <span className="quiet">{review.commits(commits)}</span>}
      {others > 0 && <span className="quiet">{review.others(others)}</span>}
    </p>
  );
}

/** Where what is decided stands below the work, that may be long. */
function goBeside(): void {
  const beside = document.querySelector<HTMLElement>(".beside");
  beside?.scrollIntoView();
  beside?.focus({ preventScroll: true });
}

function ReviewOf({ place }: { readonly place: Place }): ReactElement {
  const words = useWords();
  const review = useReviewWords();
  const [asked, setAsked] = useState(0);
  const answer = useDiff(place, asked);
  const card = useRun(state => (place.kind === "task" ? state.cards.get(place.task) : undefined));
  const title = useRun(state =>
    place.kind === "phase"
      ? state.shape?.phases.find(({ label }) => label === place.phase)?.title
      : state.cards.get(place.task)?.title,
  );
  const shape = answer?.value;
  const phase = card?.phase;
  return (
    <div className="review">
      <header>
        <nav aria-label={words.view.review}>
          <a href={hrefOf({ item: "" })}>← {review.back}</a>
          {phase !== undefined && (
            <a href={hrefOf({ item: itemOf({ kind: "phase", phase }) })}>{words.phase(shownId(phase))}</a>
          )}
        </nav>
        <h2>
          {place.kind === "task" ? <Id id={place.task} /> : words.phase(shownId(place.phase))} {title}
        </h2>
        {shape !== undefined && <Standing place={place} shape={shape} />}
        <button type="button" onClick={() => setAsked(before => before + 1)}>
          {review.again}
        </button>
        <button type="button" className="to-beside" onClick={goBeside}>
          {words.actions} ↓
        </button>
      </header>
      <div className="review-body">
        {answer?.error !== undefined && <p className="bad">{answer.error}</p>}
        {answer === undefined && <p className="quiet">{words.loading}</p>}
        {shape !== undefined && shape.files.length === 0 && (
          <p className="empty">{shape.state === "apart" ? review.state.apart : review.state.nothing}</p>
        )}
        {shape !== undefined && shape.files.length > 0 && <DiffView shape={shape} query={queryOf(place)} />}
        {place.kind === "task" ? (
          <TaskBeside
            key={place.task}
            task={place.task}
            attempt={place.attempt || shape?.attempt}
            proof={shape?.proof}
          />
        ) : (
          <PhaseBeside key={place.phase} phase={place.phase} />
        )}
      </div>
    </div>
  );
}

/** What tasks and phases have changed, beside what proves it, and what a person decides about it. */
export function ReviewView(): ReactElement {
  const { item } = useRoute();
  const place = placeOf(item);
  return place === undefined ? <Choice /> : <ReviewOf key={item} place={place} />;
}
