import type { ReactElement } from "react";
import { Button } from "../parts/button.tsx";
import { useFocusStay } from "../parts/focus-stay.ts";
import { shownId } from "../parts/id.tsx";
import { useRun } from "../state/run.ts";
import { useAct } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";

/** Merges a phase; what came of it, or stands against it with the command to type, stays to be read. */
export function Merge({
  phase,
  isReady,
}: {
  readonly phase: string;
  readonly isReady: boolean;
}): ReactElement {
  const { overview } = useWords();
  const connected = useRun(state => state.line === "live");
  const { busy, said, send } = useAct();
  const { anchor, stay } = useFocusStay<HTMLParagraphElement>();
  return (
    <div className="merge" {...stay}>
      {isReady && (
        <Button
          className="is-first"
          title={overview.mergeWhy}
          disabled={!connected}
          waits={busy}
          onClick={() => void send({ kind: "merge", phase })}
        >
          {overview.merge(shownId(phase))}
        </Button>
      )}
      <p ref={anchor} tabIndex={-1} role="status" className={said?.ok === false ? "bad" : "good"}>
        {busy ? overview.merging : said?.message}
      </p>
    </div>
  );
}
