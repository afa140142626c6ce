import { type ReactElement, useState } from "react";
import type { Attempt, ChangesShape, LogShape, Receipt, Usage } from "../../../src/server/shapes/task.ts";
import { clock, dayAndTime, dollars, span, tokens } from "../parts/amounts.ts";
import { Block } from "../parts/block.tsx";
import { itemOf } from "../review/place.ts";
import { useBranches } from "../state/branches.ts";
import { useNow } from "../state/now.ts";
import { useRead } from "../state/read.ts";
import { hrefOf } from "../state/route.ts";
import { useWords } from "../words/use-words.ts";
import type { Words } from "../words/words.ts";
import { ReceiptView } from "./receipt.tsx";

function costOf(usage: Usage | undefined, estimate: number | undefined, words: Words): string {
  const parts: string[] = [];
  if (usage !== undefined && Object.keys(usage).some(name => name !== "reviewers")) {
    const all = (usage.input ?? 0) + (usage.output ?? 0);
    if (all > 0) parts.push(`${tokens(all)} ${words.tokens}`);
    if (usage.cached !== undefined && usage.cached > 0) parts.push(`${tokens(usage.cached)} ${words.cached}`);
    if (usage.reasoning !== undefined && usage.reasoning > 0)
      parts.push(`${tokens(usage.reasoning)} ${words.thought}`);
    if (usage.estimated !== undefined && usage.estimated > 0)
      parts.push(`≈ ${tokens(usage.estimated)} ${words.estimate}`);
    if (usage.costUsd !== undefined) parts.push(dollars(usage.costUsd));
  }
  if (estimate !== undefined) parts.push(`≈ ${tokens(estimate)} ${words.tokens} (${words.estimate})`);
  for (const { by, tokens: read, costUsd } of usage?.reviewers ?? [])
    parts.push(words.reviewTook(by, tokens(read), costUsd === undefined ? "" : dollars(costUsd)));
  return parts.join(" · ");
}

function Output({
  task,
  attempt,
  of,
}: {
  readonly task: string;
  readonly attempt: number;
  /** Which of several agents that worked on it at once. */
  readonly of: number;
}): ReactElement {
  const words = useWords();
  const { value, error } = useRead<LogShape>("log", { task, attempt, ...(of === 1 ? {} : { of }) });
  if (error !== undefined) return <p className="quiet">{error}</p>;
  if (value === undefined) return <p className="quiet">{words.loading}</p>;
  return (
    <>
      <p className="quiet">
        {value.path} {value.cut && `· ${words.cutOutput(Math.round(value.bytes / 1024))}`}
      </p>
      <Block text={value.text} />
    </>
  );
}

/** The files of the attempt's commit, with lines added and removed. */
function Changes({ task, attempt }: { readonly task: string; readonly attempt: number }): ReactElement {
  const words = useWords();
  const { value, error } = useRead<ChangesShape>("changes", { task, attempt });
  if (error !== undefined) return <p className="quiet">{error}</p>;
  if (value === undefined) return <p className="quiet">{words.loading}</p>;
  const { files, added, removed, more, problem } = value;
  if (problem !== undefined)
    return (
      <p className="quiet" title={problem}>
        {words.commitUnread}
      </p>
    );
  return (
    <details className="changes">
      <summary>
        {words.changedFiles(files.length + more)} <ins>+{added}</ins> <del>−{removed}</del>
      </summary>
      <ul>
        {files.map(file => (
          <li key={file.path}>
            <code>{file.path}</code>{" "}
            {file.added !== undefined && (
              <>
                <ins>+{file.added}</ins> <del>−{file.removed}</del>
              </>
            )}
          </li>
        ))}
        {more > 0 && <li className="quiet">{words.more(more)}</li>}
      </ul>
      <a
        className="link"
        href={hrefOf({ view: "review", task: "", item: itemOf({ kind: "task", task, attempt }) })}
      >
        {words.view.review}
      </a>
    </details>
  );
}

/** The branch of an attempt, as long as there is one of that name. */
function Branch({
  name,
  running,
}: {
  readonly name: string;
  readonly running: boolean;
}): ReactElement | null {
  const words = useWords();
  const known = useBranches();
  if (!running && !known.has(name)) return null;
  return (
    <>
      {words.branch} <code>{name}</code>{" "}
    </>
  );
}

function Piece({ title, text }: { readonly title: string; readonly text: string }): ReactElement | null {
  if (text.trim() === "") return null;
  return (
    <>
      <h4>{title}</h4>
      <Block text={text} />
    </>
  );
}

/** One attempt: who, how long, what it cost, what it proved or why it did not. */
export function AttemptView({
  task,
  attempt,
  receipt,
  newest,
}: {
  readonly task: string;
  readonly attempt: Attempt;
  readonly receipt: Receipt | undefined;
  readonly newest: boolean;
}): ReactElement {
  const words = useWords();
  const running = attempt.outcome === "running";
  const now = useNow(running);
  const [showsOutput, setShowsOutput] = useState(false);
  const [of, setOf] = useState(1);
  // Asked for only while it is looked at.
  const [isOpen, setIsOpen] = useState(newest);
  const ms = (running ? now : attempt.endedAt) - attempt.startedAt;
  const cost = costOf(attempt.usage, attempt.estimate, words);
  // Only what adds something: a failure's reason often is the whole of its last message.
  const message = attempt.finalMessage.trim() === attempt.reason.trim() ? "" : attempt.finalMessage;
  const evidence = attempt.evidence;
  const feedback = [evidence.trim(), message.trim()].includes(attempt.feedback.trim())
    ? ""
    : attempt.feedback;
  return (
    <details
      className={`attempt is-${attempt.outcome}`}
      open={isOpen}
      onToggle={event => event.target === event.currentTarget && setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <b>{words.attempt(attempt.number)}</b>
        <span className={`pill is-${attempt.outcome}`}>{words.outcome[attempt.outcome]}</span>
        <em title={dayAndTime(attempt.startedAt)}>
          {clock(attempt.startedAt)} · {span(ms, words.locale)}
        </em>
        <small>{[attempt.agent, cost].filter(part => part !== "").join(" · ")}</small>
        {attempt.reason !== "" && <span className="reason">{attempt.reason}</span>}
      </summary>
      {(attempt.branch ?? attempt.commit) !== undefined && (
        <p className="quiet">
          {attempt.branch !== undefined && <Branch name={attempt.branch} running={running} />}
          {attempt.commit !== undefined && (
            <>
              {words.commit} <code>{attempt.commit.slice(0, 12)}</code>
            </>
          )}
        </p>
      )}
      {attempt.commit !== undefined && isOpen && <Changes task={task} attempt={attempt.number} />}
      <Piece title={words.evidence} text={evidence} />
      <Piece title={words.finalMessage} text={message} />
      <Piece title={words.feedback} text={feedback} />
      {receipt !== undefined && <ReceiptView receipt={receipt} />}
      {showsOutput ? (
        <>
          <h4>{words.output}</h4>
          {attempt.others !== undefined && (
            <div className="buttons">
              {[1, ...attempt.others].map(one => (
                <button key={one} type="button" aria-pressed={one === of} onClick={() => setOf(one)}>
                  {words.agentNumber(one)}
                </button>
              ))}
            </div>
          )}
          <Output key={of} task={task} attempt={attempt.number} of={of} />
        </>
      ) : (
        <button type="button" className="link" onClick={() => setShowsOutput(true)}>
          {words.showOutput}
        </button>
      )}
    </details>
  );
}
