import type { ReactElement } from "react";
import type { ContextShape } from "../../../src/server/shapes/context.ts";
import { dayAndTime } from "../parts/amounts.ts";
import { shownId } from "../parts/id.tsx";
import { Teach } from "../parts/teach.tsx";
import { useRead } from "../state/read.ts";
import { go, useRoute } from "../state/route.ts";
import { useWords } from "../words/use-words.ts";
import { DocumentView } from "./document.tsx";
import { Holders } from "./holders.tsx";
import { ContextTree } from "./tree.tsx";

/** The shared context: the tree, its documents and versions, and who holds what. */
export function ContextView(): ReactElement {
  const words = useWords();
  const { pages } = words;
  const { item } = useRoute();
  const { value: context, error } = useRead<ContextShape>("context");
  if (error !== undefined) return <p className="empty">{error}</p>;
  if (context === undefined) return <p className="empty">{words.loading}</p>;
  if (context.labels.length + context.nodes.length === 0)
    return (
      <div className="page">
        <Teach lesson={pages.contextLesson} />
      </div>
    );
  const label = context.labels.find(one => one.label === item) ?? context.labels[0];
  return (
    <div className="page split">
      <div className="side">
        <section>
          <h2>{pages.documents}</h2>
          {context.labels.length === 0 && <p className="quiet">{pages.documentsEmpty}</p>}
          <ul className="labels">
            {context.labels.map(one => (
              <li key={one.label}>
                <button
                  type="button"
                  aria-pressed={one.label === label?.label}
                  onClick={() => go({ item: one.label })}
                >
                  <b>{shownId(one.label)}</b> <span>v{one.versions[0]?.number ?? 0}</span>
                  <small>
                    {one.versions[0] === undefined
                      ? ""
                      : `${dayAndTime(one.versions[0].at)} · ${one.versions[0].by}`}
                  </small>
                </button>
              </li>
            ))}
          </ul>
        </section>
        <ContextTree context={context} current={label?.label ?? ""} />
      </div>
      <div className="centre">
        <Holders holders={context.holders} labels={context.labels} />
        {label !== undefined && label.versions.length > 0 && <DocumentView key={label.label} label={label} />}
      </div>
    </div>
  );
}
