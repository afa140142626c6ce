import { createContext, Fragment, type ReactElement, useContext, useEffect, useRef, useState } from "react";
import type { ActRequest } from "../../../src/server/shapes/action.ts";
import type { Action } from "../../../src/server/shapes/run.ts";
import { Button } from "../parts/button.tsx";
import { useFocusStay } from "../parts/focus-stay.ts";
import { act, failureText } from "../state/api.ts";
import { ofRun, useDraftText } from "../state/drafts.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";

/** What came of the last thing a person decided here. */
export interface Said {
  readonly ok: boolean;
  readonly message: string;
}

/**
 * Takes what was refused to a part of the page that is gone by then, because somebody else was first; an empty text once
 * anything else is decided.
 */
export const Outlives = createContext<(refusal: string) => void>(() => {});

/** Sends what a person decides, one thing after the other, and remembers what came of it: of several what was refused. */
export function useAct(): {
  busy: boolean;
  said: Said | undefined;
  send: (...requests: readonly ActRequest[]) => Promise<boolean>;
} {
  const { silent, allDone } = useWords();
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said>();
  const outlives = useContext(Outlives);
  const refusal = useRef("");
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (refusal.current !== "") outlives(refusal.current);
    };
  }, [outlives]);
  const tell = (next: Said) => {
    setSaid(next);
    refusal.current = next.ok ? "" : next.message;
    if (isGone.current) outlives(refusal.current);
  };
  const send = async (...requests: readonly ActRequest[]) => {
    setBusy(true);
    outlives("");
    try {
      const replies: Said[] = [];
      for (const request of requests) replies.push(await act(request));
      const refused = replies.filter(({ ok }) => !ok);
      const told = refused.length > 0 || replies.length === 1 ? (refused[0] ?? replies[0]) : undefined;
      tell(told ?? { ok: true, message: allDone(replies.length) });
      return refused.length === 0;
    } catch (error) {
      tell({ ok: false, message: failureText(error, silent) });
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, said, send };
}

/** The buttons of a task: each becomes an event with who and when. A note may say why. */
export function Decide({
  id,
  actions,
  urgent,
}: {
  readonly id: string;
  readonly actions: readonly Action[];
  /** The task waits for a person: the likeliest answer stands out. */
  readonly urgent: boolean;
}): ReactElement {
  const words = useWords();
  const connected = useRun(state => state.line === "live");
  const { busy, said, send } = useAct();
  const [note, write, isGivenBack] = useDraftText(ofRun(`note ${id}`));
  const { anchor, stay } = useFocusStay<HTMLHeadingElement>();
  const choose = async (action: Action) => {
    if (await send({ kind: "task", action, task: id, note })) write("");
  };
  return (
    <section className="decide" {...stay}>
      <h3 ref={anchor} tabIndex={-1}>
        {words.actions}
      </h3>
      <div className="buttons">
        {actions.map((action, at) => (
          <Button
            key={action}
            className={urgent && at === 0 ? "is-first" : ""}
            title={words.why[action]}
            disabled={!connected || (action === "send-back" && note.trim() === "")}
            waits={busy}
            onClick={() => void choose(action)}
          >
            {words.action[action]}
          </Button>
        ))}
      </div>
      <textarea
        rows={2}
        maxLength={4000}
        value={note}
        readOnly={busy}
        disabled={!connected}
        placeholder={`${words.note}: ${words.noteHint}`}
        aria-label={words.note}
        onChange={event => write(event.target.value)}
      />
      {isGivenBack && <p className="quiet">{words.unsent}</p>}
      <p role="status" className={said?.ok === false ? "bad" : "good"}>
        {busy ? words.sending : said?.message}
      </p>
      <details className="whys">
        <summary>{words.whatTheyDo}</summary>
        <dl>
          {actions.map(action => (
            <Fragment key={action}>
              <dt>{words.action[action]}</dt>
              <dd>{words.why[action]}</dd>
            </Fragment>
          ))}
        </dl>
      </details>
    </section>
  );
}
