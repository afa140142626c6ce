import { type ReactElement, useState } from "react";
import type { TaskShape } from "../../../src/server/shapes/task.ts";
import { Merge } from "../overview/merge.tsx";
import { Where } from "../overview/phases.tsx";
import { Id } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { useWork } from "../state/branches.ts";
import { useRead } from "../state/read.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { AttemptView } from "../task/attempt.tsx";
import { Decide } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";
import { itemOf } from "./place.ts";
import { useReviewWords } from "./use-words.ts";

/** What stands beside the work of a task: what proved it, what was said of it, what its agent had to read, and what it asks for. */
export function TaskBeside({
  task: id,
  attempt: number,
  proof,
}: {
  readonly task: string;
  /** The attempt whose work is shown. */
  readonly attempt: number | undefined;
  readonly proof: readonly string[] | undefined;
}): ReactElement {
  const words = useWords();
  const review = useReviewWords();
  const now = useRun(state => state.tasks.get(id));
  const { value: task, error } = useRead<TaskShape>("task", { id });
  const stand = standOf(now);
  const attempts = task?.attempts ?? [];
  const shown = attempts.find(attempt => attempt.number === number) ?? attempts.at(-1);
  return (
    <aside className="beside panel" tabIndex={-1} aria-label={review.provedBy}>
      <p>
        <StatusMark stand={stand} />
        <span className={`pill is-${stand}`}>{words.stand[stand]}</span>
        <a href={hrefOf({ view: "graph", item: "", task: id })}>
          <Id id={id} />
        </a>
      </p>
      {now !== undefined && now.reason !== "" && <p className="reason">{now.reason}</p>}
      {error !== undefined && <p className="bad">{error}</p>}
      {task !== undefined && <Decide id={id} actions={task.actions} urgent={task.actions[0] === "approve"} />}
      {proof !== undefined && (
        <section>
          <h3>{review.provedBy}</h3>
          {proof.length === 0 && <p className="quiet">{review.provedByNothing}</p>}
          {proof.map(command => (
            <pre key={command}>{command}</pre>
          ))}
        </section>
      )}
      {attempts.length > 1 && (
        <nav className="buttons" aria-label={words.attempts}>
          {attempts.map(({ number: at, outcome }) => (
            <a
              key={at}
              className={`pill is-${outcome}`}
              aria-current={at === shown?.number ? "true" : undefined}
              href={hrefOf({ item: itemOf({ kind: "task", task: id, attempt: at }) })}
            >
              {words.attempt(at)}
            </a>
          ))}
        </nav>
      )}
      {shown !== undefined && (
        <AttemptView
          key={shown.number}
          task={id}
          attempt={shown}
          receipt={task?.receipts.find(receipt => receipt.attempt === shown.number)}
          newest
        />
      )}
      {task !== undefined && (
        <details open>
          <summary>{words.taskText}</summary>
          <pre>{task.text}</pre>
        </details>
      )}
    </aside>
  );
}

/** One task of a phase: the attempt that made its work, with proof, findings and what was read, once it is opened. */
function TaskOf({ id, title }: { readonly id: string; readonly title: string }): ReactElement {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const stand = useRun(state => standOf(state.tasks.get(id)));
  const { value: task, error } = useRead<TaskShape>(isOpen ? "task" : "", { id });
  const last = task?.attempts.at(-1);
  return (
    <li>
      <details
        onToggle={event => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
      >
        <summary>
          <StatusMark stand={stand} title={words.stand[stand]} />
          <Id id={id} /> <span>{title}</span>
        </summary>
        <a className="link" href={hrefOf({ item: itemOf({ kind: "task", task: id, attempt: 0 }) })}>
          {words.view.review}
        </a>
        {error !== undefined && <p className="bad">{error}</p>}
        {isOpen && task === undefined && error === undefined && <p className="quiet">{words.loading}</p>}
        {task !== undefined && last === undefined && <p className="quiet">{words.noAttempts}</p>}
        {last !== undefined && (
          <AttemptView
            task={id}
            attempt={last}
            receipt={task?.receipts.find(receipt => receipt.attempt === last.number)}
            newest
          />
        )}
      </details>
    </li>
  );
}

/** What stands beside the work of a phase: its tasks, each with what proves it. */
export function PhaseBeside({ phase }: { readonly phase: string }): ReactElement {
  const words = useWords();
  const review = useReviewWords();
  const plan = useRun(state => state.shape?.plan ?? []);
  const { value: branches } = useWork();
  const work = branches?.phases.find(one => one.phase === phase);
  // Where work is is not told at all times, as while git works: what was answered about it stays to be read.
  const [wasTold, setWasTold] = useState(false);
  if (work !== undefined && !wasTold) setWasTold(true);
  return (
    <aside className="beside panel" tabIndex={-1} aria-label={review.tasks}>
      {wasTold && (
        <section>
          <h3>{words.overview.work}</h3>
          {work !== undefined && <Where work={work} target={branches?.target ?? ""} />}
          <Merge phase={phase} isReady={work?.state === "waits"} />
        </section>
      )}
      <section>
        <h3>{review.tasks}</h3>
        <ul className="review-tasks">
          {plan
            .filter(card => card.phase === phase && !card.container)
            .map(({ id, title }) => (
              <TaskOf key={id} id={id} title={title} />
            ))}
        </ul>
      </section>
    </aside>
  );
}
