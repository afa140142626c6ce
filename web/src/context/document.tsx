import { type ReactElement, useState } from "react";
import type { CompareShape, LabelShape, TextShape } from "../../../src/server/shapes/context.ts";
import { dayAndTime, tokens } from "../parts/amounts.ts";
import { Comparison } from "../parts/comparison.tsx";
import { shownId } from "../parts/id.tsx";
import { useRead } from "../state/read.ts";
import { useWords } from "../words/use-words.ts";
import { authorText } from "./author.ts";
import { DocumentEditor } from "./editor.tsx";

function VersionChoice({
  name,
  value,
  label,
  onChange,
}: {
  readonly name: string;
  readonly value: number;
  readonly label: LabelShape;
  readonly onChange: (version: number) => void;
}): ReactElement {
  const { pages } = useWords();
  return (
    <label>
      {name}{" "}
      <select value={value} onChange={event => onChange(Number(event.target.value))}>
        {label.versions.map(({ number, at, by }) => (
          <option key={number} value={number}>
            v{number} · {dayAndTime(at)} · {authorText(by, pages)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Text({ label, number }: { readonly label: string; readonly number: number }): ReactElement {
  const words = useWords();
  const { value, error } = useRead<TextShape>("version", { label, number });
  if (error !== undefined) return <p className="bad">{error}</p>;
  if (value === undefined) return <p className="quiet">{words.loading}</p>;
  return (
    <>
      <p className="quiet">
        {tokens(value.tokens)} {words.tokens}
      </p>
      <pre className="document">{value.text}</pre>
    </>
  );
}

function Difference(query: {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}): ReactElement {
  const words = useWords();
  const { value, error } = useRead<CompareShape>("compare", { ...query });
  if (error !== undefined) return <p className="bad">{error}</p>;
  return value === undefined ? <p className="quiet">{words.loading}</p> : <Comparison value={value} />;
}

/** One document: any two of its versions side by side, or one of them to read. */
export function DocumentView({ label }: { readonly label: LabelShape }): ReactElement {
  const { pages } = useWords();
  const newest = label.versions[0]?.number ?? 0;
  const before = label.versions[1]?.number ?? newest;
  const [chosen, setChosen] = useState<{ from: number; to: number } | undefined>();
  const { from, to } = chosen ?? { from: before, to: newest };
  return (
    <section className="document-view">
      <h2>
        {shownId(label.label)}{" "}
        <small className="quiet">{pages.versions(label.versions.length + label.older)}</small>
        {label.gated && <span className="pill is-paused">{pages.gated}</span>}
      </h2>
      <DocumentEditor label={label} />
      {label.versions.length > 1 && (
        <p className="choices">
          <VersionChoice
            name={pages.from}
            value={from}
            label={label}
            onChange={next => setChosen({ from: next, to })}
          />
          <VersionChoice
            name={pages.to}
            value={to}
            label={label}
            onChange={next => setChosen({ from, to: next })}
          />
        </p>
      )}
      {from === to ? (
        <Text label={label.label} number={to} />
      ) : (
        <Difference label={label.label} from={from} to={to} />
      )}
    </section>
  );
}
