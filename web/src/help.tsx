import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import { useKey, useSingleKeys } from "./state/keys.ts";
import { go } from "./state/route.ts";
import { VIEWS } from "./state/views.ts";
import { useWords } from "./words/use-words.ts";

function HelpDialog({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [single, choose] = useSingleKeys();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="help" aria-labelledby="keys" onClose={onClose}>
      <h2 id="keys">{words.keys}</h2>
      <dl>
        {Object.entries(words.keysOf).map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={single} onChange={event => choose(event.target.checked)} />{" "}
        {words.keysSingle}
      </label>
      <div className="buttons">
        <button type="button" className="is-first" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </dialog>
  );
}

/** What keys do, at a button and at `?`; and the keys that act everywhere. */
export function Help(): ReactElement {
  const words = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const act = useCallback((key: string) => {
    if (key === "?") {
      setIsOpen(true);
      return true;
    }
    if (key === "/") {
      const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
      search?.focus();
      return search !== null;
    }
    const view = /^[1-9]$/.test(key) ? VIEWS[Number(key) - 1] : undefined;
    if (view !== undefined) go({ view, item: "" });
    return view !== undefined;
  }, []);
  useKey(act);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="?"
        title={`${words.keys} (?)`}
        aria-label={words.keys}
        onClick={() => setIsOpen(true)}
      >
        ?
      </button>
      {isOpen && <HelpDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
