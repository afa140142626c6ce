import { type ReactElement, useEffect, useRef, useState } from "react";
import { Button } from "./parts/button.tsx";
import { useFocusStay } from "./parts/focus-stay.ts";
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
  const close = () => {
    // Then what had the focus has it again.
    dialog.current?.close();
    onClose();
  };
  const stop = (how: "soft" | "hard") => {
    close();
    onStop(how);
  };
  return (
    <dialog ref={dialog} onClose={onClose}>
      <p>{words.stopAsk}</p>
      <div className="buttons">
        <button type="button" className="is-first" onClick={() => stop("soft")}>
          {words.stop}
        </button>
        <button type="button" onClick={() => stop("hard")}>
          {words.stopNow}
        </button>
        <button type="button" onClick={close}>
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
  const { anchor, stay } = useFocusStay<HTMLSpanElement>();
  if (link === undefined) return null;
  const usable = line === "live";
  const canGoOn = !link.live && state !== undefined && state !== "completed";
  return (
    <div className="control" {...stay}>
      {gated !== undefined && (
        <Button
          className="is-first"
          title={words.forceWhy}
          disabled={!usable}
          waits={busy}
          onClick={() => void send({ kind: "force-phase", phase: gated })}
        >
          {words.force(gated)}
        </Button>
      )}
      {canGoOn && (
        <Button
          title={words.goOnWhy}
          disabled={!usable}
          waits={busy}
          onClick={() => void send({ kind: "go-on" })}
        >
          {busy ? words.sending : words.goOn}
        </Button>
      )}
      {link.live && (
        <>
          {(running || link.held) && (
            <Button
              title={words.holdWhy}
              aria-pressed={link.held}
              disabled={!usable}
              waits={busy}
              onClick={() => void send({ kind: "hold", held: !link.held })}
            >
              {link.held ? words.release : words.hold}
            </Button>
          )}
          <Button disabled={!usable} waits={busy} onClick={() => setAsks(true)}>
            {words.stop}
          </Button>
        </>
      )}
      <span
        ref={anchor}
        tabIndex={-1}
        role="status"
        className={said?.ok === false ? "bad" : "visually-hidden"}
      >
        {busy ? words.sending : said?.message}
      </span>
      {asks && <StopDialog onClose={() => setAsks(false)} onStop={how => void send({ kind: "stop", how })} />}
    </div>
  );
}
