import type { ReactElement } from "react";
import { Button } from "../parts/button.tsx";
import { ofRun, useDraftText } from "../state/drafts.ts";
import { useRun } from "../state/run.ts";
import { useWords } from "../words/use-words.ts";
import { useAct } from "./decide.tsx";

/** A line to the agent at work on a task; whether it reaches it is said below. */
export function Tell({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const live = useRun(state => state.shape?.link.live === true && state.line === "live");
  const { busy, said, send } = useAct();
  const [text, write, isGivenBack] = useDraftText(ofRun(`tell ${id}`));
  const tell = async () => {
    if (await send({ kind: "tell", task: id, text })) write("");
  };
  return (
    <section className="decide">
      <h3>{words.tell}</h3>
      <form
        className="tell"
        onSubmit={event => {
          event.preventDefault();
          void tell();
        }}
      >
        <input
          type="text"
          maxLength={4000}
          value={text}
          readOnly={busy}
          disabled={!live}
          placeholder={words.tellHint}
          aria-label={words.tell}
          onChange={event => write(event.target.value)}
        />
        <Button type="submit" disabled={!live} waits={busy || text.trim() === ""}>
          {words.tellSend}
        </Button>
      </form>
      {isGivenBack && <p className="quiet">{words.unsent}</p>}
      <p role="status" className={said?.ok === false ? "bad" : "good"}>
        {busy ? words.sending : said?.message}
      </p>
    </section>
  );
}
