import { type ReactElement, useEffect, useRef } from "react";
import type { TaskShape } from "../../../src/server/shapes/task.ts";
import { Block } from "../parts/block.tsx";
import { Button } from "../parts/button.tsx";
import { ofRun, useDraftText } from "../state/drafts.ts";
import { useRead } from "../state/read.ts";
import { useRun } from "../state/run.ts";
import { useAct } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";

/** What a stuck task came to, in full, and a note with which it goes back to its agent. */
export function Answer({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const connected = useRun(state => state.line === "live");
  const { value: task, error } = useRead<TaskShape>("task", { id });
  const { busy, said, send } = useAct();
  const [note, write] = useDraftText(ofRun(`note ${id}`));
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const last = task?.attempts.at(-1);
  const told = [last?.feedback, last?.finalMessage, last?.evidence].find(text => (text ?? "").trim() !== "");
  const answer = async () => {
    if (await send({ kind: "task", action: "send-back", task: id, note })) write("");
  };
  return (
    <form
      className="answer"
      onSubmit={event => {
        event.preventDefault();
        void answer();
      }}
    >
      {error !== undefined && <p className="bad">{error}</p>}
      {told !== undefined && <Block text={told} />}
      <textarea
        ref={field}
        rows={3}
        maxLength={4000}
        value={note}
        readOnly={busy}
        placeholder={words.overview.answerHint}
        aria-label={words.note}
        onChange={event => write(event.target.value)}
      />
      <Button type="submit" className="is-first" disabled={!connected || note.trim() === ""} waits={busy}>
        {words.action["send-back"]}
      </Button>
      <p role="status" className={said?.ok === false ? "bad" : "good"}>
        {busy ? words.sending : said?.message}
      </p>
    </form>
  );
}
