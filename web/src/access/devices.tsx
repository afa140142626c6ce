import { type ReactElement, useCallback, useEffect, useRef, useState } from "react";
import type { AccessReply, AccessRequest, AccessShape } from "../../../src/server/shapes/access.ts";
import { useWords } from "../words/use-words.ts";
import { changeAccess, readAccess } from "./ask.ts";
import { isHere, useAccessWords } from "./words.ts";

/** Who else is let in, and what lets more of them in. */
export function Devices({ onClose }: { readonly onClose: () => void }): ReactElement {
  const words = useAccessWords();
  const { locale } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const [shape, setShape] = useState<AccessShape>();
  const [made, setMade] = useState<AccessReply>({});
  const [said, setSaid] = useState("");
  const origin = shape?.origin ?? location.origin;
  const look = useCallback(async () => setShape(await readAccess()), []);
  useEffect(() => {
    dialog.current?.showModal();
    look().catch(() => setSaid(words.failed));
  }, [look, words]);
  const change = (request: AccessRequest) => {
    changeAccess(request).then(
      async reply => {
        setMade(reply);
        setSaid(reply.error ?? "");
        await look();
      },
      () => setSaid(words.failed),
    );
  };
  const time = (at: number) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "short", timeStyle: "short" }).format(at);
  return (
    <dialog ref={dialog} className="help devices" aria-labelledby="devices" onClose={onClose}>
      <h2 id="devices">{words.devices}</h2>
      {shape?.grants.length === 0 && <p className="quiet">{words.none}</p>}
      <ul>
        {shape?.grants.map(({ id, kind, name, until }) => (
          <li key={id}>
            <span>
              {words.kind[kind]} <b>{name}</b> <small className="quiet">{words.until(time(until))}</small>
            </span>
            <button type="button" onClick={() => change({ kind: "revoke", id })}>
              {words.revoke(name === "" ? words.kind[kind] : name)}
            </button>
          </li>
        ))}
      </ul>
      <div role="status">
        {made.code !== undefined && (
          <p>
            <output className="code">{made.code}</output>
            <br />
            {isHere(origin) ? words.codeHere(origin) : words.codeTold(origin)}
          </p>
        )}
        {made.link !== undefined && (
          <p>
            <output className="link">{made.link}</output>
            <br />
            {words.shareTold}
          </p>
        )}
        {said !== "" && <p className="bad">{said}</p>}
      </div>
      <div className="buttons">
        <button type="button" className="is-first" onClick={() => change({ kind: "code" })}>
          {words.newCode}
        </button>
        <button type="button" onClick={() => change({ kind: "share", name: "", hours: 24 })}>
          {words.share}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          {words.close}
        </button>
      </div>
    </dialog>
  );
}
