import type { ReactElement } from "react";
import { Button } from "./parts/button.tsx";
import { Id } from "./parts/id.tsx";
import { hrefOf } from "./state/route.ts";
import { useRun } from "./state/run.ts";
import { useAct } from "./task/decide.tsx";
import { useWords } from "./words/use-words.ts";

/** What agents wait to be allowed, above every view: an attempt stands still until somebody answers. */
export function Asks(): ReactElement | null {
  const words = useWords();
  const asked = useRun(state => state.shape?.link.asked);
  const { busy, said, send } = useAct();
  const refusal = said?.ok === false ? said.message : "";
  if (asked === undefined || (asked.length === 0 && refusal === "")) return null;
  return (
    <section className="asks" aria-label={words.asks} aria-live="polite">
      <ul>
        {asked.map(({ id, task, kind, title }) => (
          <li key={id}>
            <p>
              <a href={hrefOf({ task })}>
                <Id id={task} />
              </a>{" "}
              {words.wants(kind)} <code>{title}</code>
            </p>
            <div className="buttons">
              <Button
                className="is-first"
                waits={busy}
                onClick={() => void send({ kind: "permit", id, allowed: true })}
              >
                {words.allow}
              </Button>
              <Button waits={busy} onClick={() => void send({ kind: "permit", id, allowed: false })}>
                {words.reject}
              </Button>
            </div>
          </li>
        ))}
        {refusal !== "" && <li className="bad">{refusal}</li>}
      </ul>
    </section>
  );
}
