import { type ReactElement, useEffect, useRef, useState } from "react";
import { useRun } from "./state/run.ts";
import { useAct } from "./task/decide.tsx";
import { useWords } from "./words/use-words.ts";

function StopDialog({
  onClose,
  onStop,
}: {
  readonly onClose: () => void;
  readonly onStop: (how: "soft" | "hard") => void;
}): ReactElement {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose}>
      <p>{words.stopAsk}</p>
      <div className="buttons">
        <button type="button" className="is-first" onClick={() => onStop("soft")}>
          {words.stop}
        </button>
        <button type="button" onClick={() => onStop("hard")}>
          {words.stopNow}
        </button>
        <button type="button" onClick={onClose}>
          {words.cancel}
        </button>
      </div>
    </dialog>
  );
}

/** Steers the run as a whole. */
export function RunControl(): ReactElement | null {
  const words = useWords();
  const link = useRun(state => state.shape?.link);
  const line = useRun(state => state.line);
  const state = useRun(state => state.shape?.run?.state);
  const running = state === "running";
  const gated = useRun(state => state.shape?.run?.gated);
  const { busy, said, send } = useAct();
  const [asks, setAsks] = useState(false);
  if (link === undefined) return null;
  const usable = line === "live" && !busy;
  const canGoOn = !link.live && state !== undefined && state !== "completed";
  return (
    <div className="control">
      {gated !== undefined && (
        <button
          type="button"
          className="is-first"
          title={words.forceWhy}
          disabled={!usable}
          onClick={() => void send({ kind: "force-phase", phase: gated })}
        >
          {words.force(gated)}
        </button>
      )}
      {canGoOn && (
        <button
          type="button"
          title={words.goOnWhy}
          disabled={!usable}
          onClick={() => void send({ kind: "go-on" })}
        >
          {busy ? words.sending : words.goOn}
        </button>
      )}
      {link.live && (
        <>
          {(running || link.held) && (
            <button
              type="button"
              title={words.holdWhy}
              aria-pressed={link.held}
              disabled={!usable}
              onClick={() => void send({ kind: "hold", held: !link.held })}
            >
              {link.held ? words.release : words.hold}
            </button>
          )}
          <button type="button" disabled={!usable} onClick={() => setAsks(true)}>
            {words.stop}
          </button>
        </>
      )}
      <span role="status" className={said?.ok === false ? "bad" : "visually-hidden"}>
        {said?.message}
      </span>
      {asks && (
        <StopDialog
          onClose={() => setAsks(false)}
          onStop={how => {
            setAsks(false);
            void send({ kind: "stop", how });
          }}
        />
      )}
    </div>
  );
}
