import { type ReactElement, useState } from "react";
import type {
  CheckpointShape,
  CheckpointsShape,
  CheckpointText,
  CompareShape,
} from "../../../src/server/shapes/context.ts";
import { Button } from "../parts/button.tsx";
import { Comparison } from "../parts/comparison.tsx";
import { shownId } from "../parts/id.tsx";
import { useRead } from "../state/read.ts";
import { useRun } from "../state/run.ts";
import { useAct } from "../task/decide.tsx";
import { useWords } from "../words/use-words.ts";

function One({ id }: { readonly id: string }): ReactElement {
  const words = useWords();
  const { value, error } = useRead<CheckpointText>("checkpoint", { id });
  if (error !== undefined) return <p className="bad">{error}</p>;
  if (value === undefined) return <p className="quiet">{words.loading}</p>;
  return (
    <>
      {value.departures.length === 0 ? (
        <p className="good">✓ {words.pages.valid}</p>
      ) : (
        <>
          <h3>{words.pages.departures}</h3>
          <ul>
            {value.departures.map(({ severity, line, text }) => (
              <li key={`${line} ${text}`} className={severity === "error" ? "bad" : "quiet"}>
                {line > 0 && `${line}: `}
                {text}
              </li>
            ))}
          </ul>
        </>
      )}
      <pre className="document">{value.text}</pre>
    </>
  );
}

function Two({ from, to }: { readonly from: string; readonly to: string }): ReactElement {
  const words = useWords();
  const { value, error } = useRead<CompareShape>("checkpoints/compare", { from, to });
  if (error !== undefined) return <p className="bad">{error}</p>;
  return value === undefined ? <p className="quiet">{words.loading}</p> : <Comparison value={value} />;
}

function Stop({
  checkpoint,
  chosen,
  current,
  onOpen,
  onDelta,
}: {
  readonly checkpoint: CheckpointShape;
  readonly chosen: boolean;
  readonly current: boolean;
  readonly onOpen: () => void;
  readonly onDelta: () => void;
}): ReactElement {
  const { pages } = useWords();
  const { id, created, standing, delta } = checkpoint;
  return (
    <li>
      {delta !== undefined && (
        <button type="button" className="delta" title={delta.summary} onClick={onDelta}>
          <b>{delta.name}</b>
          <span>{delta.appliable ? delta.summary : pages.proseOnly}</span>
        </button>
      )}
      <button type="button" className="stop" aria-pressed={chosen} onClick={onOpen}>
        <b>{shownId(id)}</b> {current && <span className="pill is-completed">{pages.current}</span>}
        <small>
          {created?.slice(0, 16).replace("T", " ")}{" "}
          {current ? "" : (pages.checkpointStanding[standing] ?? standing)}
        </small>
      </button>
    </li>
  );
}

/** Checkpoints and deltas as a line: open one, compare any two, validate the delta between neighbours. */
export function Checkpoints(): ReactElement {
  const words = useWords();
  const { pages } = words;
  const { value, error } = useRead<CheckpointsShape>("checkpoints");
  const live = useRun(state => state.shape?.link.live === true);
  const { busy, said, send } = useAct();
  const [pair, setPair] = useState<readonly [string, string] | undefined>();
  const all = value?.checkpoints ?? [];
  const choose = (name: string, at: 0 | 1) => (
    <label>
      {name}{" "}
      <select
        value={pair?.[at] ?? ""}
        onChange={event => {
          const next = event.target.value;
          setPair(before => (at === 0 ? [next, before?.[1] ?? next] : [before?.[0] ?? next, next]));
        }}
      >
        {pair === undefined && <option value="" />}
        {all.map(({ id }) => (
          <option key={id} value={id}>
            {shownId(id)}
          </option>
        ))}
      </select>
    </label>
  );
  return (
    <section className="checkpoints">
      <h2>
        {pages.checkpoints}{" "}
        {live && (
          <Button waits={busy} onClick={() => void send({ kind: "checkpoint" })}>
            {pages.write}
          </Button>
        )}
      </h2>
      {said?.ok === false && <p className="bad">{said.message}</p>}
      {error !== undefined && <p className="bad">{error}</p>}
      {value !== undefined && all.length === 0 && <p className="quiet">{pages.checkpointsEmpty}</p>}
      {value?.problems.map(({ weight, text }) => (
        <p key={text} className={weight === "note" ? "quiet" : "bad"}>
          {text} <small className="quiet">({pages.weight[weight]})</small>
        </p>
      ))}
      {all.length > 0 && (
        <>
          <ol className="stops">
            {all.map(checkpoint => (
              <Stop
                key={checkpoint.id}
                checkpoint={checkpoint}
                chosen={pair?.includes(checkpoint.id) === true}
                current={value?.current === checkpoint.id}
                onOpen={() => setPair([checkpoint.id, checkpoint.id])}
                onDelta={() => setPair([checkpoint.parent ?? checkpoint.id, checkpoint.id])}
              />
            ))}
          </ol>
          {all.length > 1 && (
            <p className="choices">
              {choose(pages.from, 0)} {choose(pages.to, 1)}
            </p>
          )}
          {pair !== undefined &&
            (pair[0] === pair[1] ? <One id={pair[0]} /> : <Two from={pair[0]} to={pair[1]} />)}
        </>
      )}
    </section>
  );
}
