import { type ReactElement, useState } from "react";
import type { SearchShape } from "../../../src/server/shapes/history.ts";
import { dayAndTime } from "../parts/amounts.ts";
import { Button } from "../parts/button.tsx";
import { Id } from "../parts/id.tsx";
import { failureText, read } from "../state/api.ts";
import { hrefOf } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { useTimelineWords } from "./use-words.ts";

/** A text with each place of the words marked. */
function Marked({ text, words }: { readonly text: string; readonly words: string }): ReactElement {
  const parts: ReactElement[] = [];
  const lower = text.toLowerCase();
  let from = 0;
  for (let at = lower.indexOf(words); at >= 0; at = lower.indexOf(words, from)) {
    parts.push(
      <span key={from}>
        {text.slice(from, at)}
        <mark>{text.slice(at, at + words.length)}</mark>
      </span>,
    );
    from = at + words.length;
  }
  return (
    <>
      {parts}
      {text.slice(from)}
    </>
  );
}

interface Found extends SearchShape {
  readonly words: string;
}

/** Words in what any attempt put out. The server looks in portions; each click goes one further back. */
export function LogSearch(): ReactElement {
  const words = useWords();
  const timeline = useTimelineWords();
  const cards = useRun(state => state.cards);
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [found, setFound] = useState<Found>();
  const [error, setError] = useState("");
  const look = async (asked: string, before?: Found) => {
    setBusy(true);
    try {
      const next = await read<SearchShape>("search", { words: asked, from: before?.next ?? 0 });
      setFound({
        ...next,
        words: asked,
        hits: [...(before?.hits ?? []), ...next.hits],
        searched: (before?.searched ?? 0) + next.searched,
        cut: (before?.cut ?? 0) + next.cut,
      });
      setError("");
    } catch (problem) {
      setError(failureText(problem, words.silent));
    } finally {
      setBusy(false);
    }
  };
  return (
    <section className="log-search">
      <h2>{timeline.search}</h2>
      <form
        onSubmit={event => {
          event.preventDefault();
          void look(text.trim());
        }}
      >
        <input
          type="text"
          minLength={2}
          maxLength={200}
          value={text}
          placeholder={timeline.searchHint}
          aria-label={timeline.searchHint}
          onChange={event => setText(event.target.value)}
        />
        <Button looks type="submit" disabled={text.trim().length < 2} waits={busy}>
          {timeline.searchDo}
        </Button>
      </form>
      <p role="status" className={error === "" ? "quiet" : "bad"}>
        {error !== ""
          ? error
          : busy
            ? words.loading
            : found !== undefined &&
              `${timeline.found(found.hits.length)} · ${timeline.searched(found.searched, found.cut)}`}
      </p>
      <ol>
        {found?.hits.map(({ task, attempt, agent, startedAt, lines, more }) => (
          <li key={`${task} ${attempt}`}>
            <a href={hrefOf({ task })}>
              <Id id={task} /> {cards.get(task)?.title}
            </a>{" "}
            <small className="quiet">
              {words.attempt(attempt)} · {agent} · {dayAndTime(startedAt)}
            </small>
            {lines.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name but its place
              <code key={at}>
                <Marked text={line} words={found.words.toLowerCase()} />
              </code>
            ))}
            {more > 0 && <small className="quiet">{words.more(more)}</small>}
          </li>
        ))}
      </ol>
      {found?.next !== undefined && (
        <Button looks waits={busy} onClick={() => void look(found.words, found)}>
          {timeline.further}
        </Button>
      )}
    </section>
  );
}
