import { type ReactElement, useMemo } from "react";
import type { HolderShape, LabelShape } from "../../../src/server/shapes/context.ts";
import { tokens } from "../parts/amounts.ts";
import { shownId } from "../parts/id.tsx";
import { useWords } from "../words/use-words.ts";

function Cell({ holder }: { readonly holder: HolderShape | undefined }): ReactElement {
  const { pages } = useWords();
  if (holder === undefined) return <td />;
  const { standing, confirmed, flight, proof } = holder;
  return (
    <td className={`stands-${standing}`} title={pages.standingWhy[standing]}>
      <b>{confirmed === undefined ? "–" : `v${confirmed}`}</b> <span>{pages.standing[standing]}</span>
      {proof !== undefined && <small>{pages.proof[proof]}</small>}
      {flight !== undefined && (
        <small>{pages.inFlight(flight.version, pages.form[flight.form], tokens(flight.tokens))}</small>
      )}
      <small>{pages.sent(holder.messages, tokens(holder.tokens))}</small>
    </td>
  );
}

/** Teammates and documents: what each has proved to hold, and what is on its way. */
export function Holders({
  holders,
  labels,
}: {
  readonly holders: readonly HolderShape[];
  readonly labels: readonly LabelShape[];
}): ReactElement {
  const { pages } = useWords();
  const { mates, held, at } = useMemo(() => {
    const byPlace = new Map(holders.map(holder => [JSON.stringify([holder.teammate, holder.label]), holder]));
    const withHolders = new Set(holders.map(holder => holder.label));
    return {
      mates: [...new Set(holders.map(holder => holder.teammate))],
      held: labels.filter(label => withHolders.has(label.label)),
      at: (mate: string, label: string) => byPlace.get(JSON.stringify([mate, label])),
    };
  }, [holders, labels]);
  return (
    <section>
      <h2>{pages.holders}</h2>
      {mates.length === 0 ? (
        <p className="quiet">{pages.holdersEmpty}</p>
      ) : (
        <div className="wide">
          <table className="holders">
            <thead>
              <tr>
                <th>{pages.teammate}</th>
                {held.map(({ label, versions }) => (
                  <th key={label}>
                    {shownId(label)} <small>v{versions[0]?.number ?? 0}</small>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {mates.map(mate => (
                <tr key={mate}>
                  <th>{shownId(mate)}</th>
                  {held.map(({ label }) => (
                    <Cell key={label} holder={at(mate, label)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
