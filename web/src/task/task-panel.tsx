import { type ReactElement, type ReactNode, useEffect, useRef, useState } from "react";
import type { TaskShape } from "../../../src/server/shapes/task.ts";
import { Block } from "../parts/block.tsx";
import { Id, shownId } from "../parts/id.tsx";
import { StatusMark } from "../parts/mark.tsx";
import { standOf } from "../parts/stand.ts";
import { useRead } from "../state/read.ts";
import { go, hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { AttemptView } from "./attempt.tsx";
import { Decide } from "./decide.tsx";
import { Tail } from "./tail.tsx";
import { Tell } from "./tell.tsx";

/** States in which a task goes on only when a person decides. */
const WAITING: ReadonlySet<string> = new Set(["failed", "paused", "cancelled"]);
/** Related tasks that are listed. */
const RELATED = 40;

function Related({ ids }: { readonly ids: readonly string[] }): ReactElement {
  const words = useWords();
  const tasks = useRun(state => state.tasks);
  return (
    <ul className="related">
      {ids.slice(0, RELATED).map(id => {
        const task = tasks.get(id);
        return (
          <li key={id}>
            <a href={hrefOf({ task: id })}>
              <StatusMark stand={standOf(task)} title={words.stand[standOf(task)]} />
              <Id id={id} />
            </a>
          </li>
        );
      })}
      {ids.length > RELATED && <li className="quiet">{words.more(ids.length - RELATED)}</li>}
    </ul>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Facts({ id, task }: { readonly id: string; readonly task: TaskShape | undefined }): ReactElement {
  const words = useWords();
  const dependsOn = useRun(state => state.cards.get(id)?.dependsOn);
  const root = useRun(state => state.tasks.get(id)?.blockedBy);
  const texts = [
    [words.role, task?.role],
    [words.agent, task?.agent],
    [words.files, task?.files.join(", ")],
    [words.node, task?.contextRef],
    [words.fills, task?.fills],
    [words.place, task === undefined ? undefined : `${task.file}${task.line > 0 ? `:${task.line}` : ""}`],
  ] as const;
  const codes = [
    [words.verify, task?.verify],
    [words.test, task?.test],
  ] as const;
  return (
    <dl>
      {root !== undefined && (
        <Fact name={words.brokenRoot}>
          <Related ids={[root]} />
        </Fact>
      )}
      {dependsOn !== undefined && dependsOn.length > 0 && (
        <Fact name={words.waitsFor}>
          <Related ids={dependsOn} />
        </Fact>
      )}
      {task !== undefined && task.neededBy.length > 0 && (
        <Fact name={words.neededBy}>
          <Related ids={task.neededBy} />
        </Fact>
      )}
      {texts.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              {text}
            </Fact>
          ),
      )}
      {codes.map(
        ([name, text]) =>
          text && (
            <Fact key={name} name={name}>
              <code>{text}</code>
            </Fact>
          ),
      )}
    </dl>
  );
}

/** Everything about one task, beside whatever view is open. */
export function TaskPanel({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const card = useRun(state => state.cards.get(id));
  const now = useRun(state => state.tasks.get(id));
  const max = useRun(state => state.shape?.maxAttempts ?? 0);
  const { value: task, error } = useRead<TaskShape>("task", { id });
  const head = useRef<HTMLHeadingElement>(null);
  // Whoever opened it stands there again when it is closed.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => (opener instanceof HTMLElement ? opener.focus() : undefined), [opener]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is announced
  useEffect(() => head.current?.focus({ preventScroll: true }), [id]);
  useEffect(() => {
    const close = ({ key, target }: KeyboardEvent) => {
      if (key === "Escape" && !(target instanceof HTMLElement && target.closest("dialog"))) go({ task: "" });
    };
    addEventListener("keydown", close);
    return () => removeEventListener("keydown", close);
  }, []);
  const status = now?.status ?? "pending";
  const attempts = [...(task?.attempts ?? [])].reverse();
  return (
    <section
      className="panel"
      aria-label={shownId(id)}
      data-task={task === undefined ? undefined : shownId(id)}
    >
      <header className={`is-${status}`}>
        <StatusMark stand={standOf(now)} />
        <h2 ref={head} tabIndex={-1}>
          <Id id={id} /> {card?.title}
        </h2>
        <button type="button" className="close" aria-label={words.close} onClick={() => go({ task: "" })}>
          ×
        </button>
        <p>
          <span className={`pill is-${status}`}>{words.status[status]}</span>
          {status === "completed" && now?.verified !== true && (
            <span className="pill is-unverified">{words.stand.unverified}</span>
          )}
          {now?.stale === true && <span className="pill is-stale">{words.stand.stale}</span>}
          {now !== undefined && now.retries > 0 && (
            <span className="pill">{words.retry(now.retries, max)}</span>
          )}
          {card !== undefined && <span className="quiet">{words.phase(shownId(card.phase))}</span>}
          {card?.critical === true && <span className="quiet">· {words.critical}</span>}
        </p>
        {now !== undefined && now.reason !== "" && <p className="reason">{now.reason}</p>}
      </header>
      {error !== undefined && <p className="bad">{error}</p>}
      {status === "in_progress" && <Tail id={id} />}
      {status === "in_progress" && <Tell key={`words ${id}`} id={id} />}
      {task !== undefined && task.actions.length > 0 && (
        <Decide key={`note ${id}`} id={id} actions={task.actions} urgent={WAITING.has(status)} />
      )}
      <Facts id={id} task={task} />
      <section>
        <h3>{words.attempts}</h3>
        {task === undefined && error === undefined && <p className="quiet">{words.loading}</p>}
        {task !== undefined && attempts.length === 0 && <p className="quiet">{words.noAttempts}</p>}
        {attempts.map((attempt, at) => (
          <AttemptView
            key={attempt.number}
            task={id}
            attempt={attempt}
            receipt={task?.receipts.find(receipt => receipt.attempt === attempt.number)}
            newest={at === 0}
          />
        ))}
        {task !== undefined && task.older > 0 && <p className="quiet">{words.older(task.older)}</p>}
      </section>
      {task !== undefined && (
        <details>
          <summary>{words.taskText}</summary>
          <Block text={task.text} />
        </details>
      )}
    </section>
  );
}
