import { type ReactElement, useState } from "react";
import type { ContextShape } from "../../../src/server/shapes/context.ts";
import { dayAndTime } from "../parts/amounts.ts";
import { useFocusBack } from "../parts/focus-back.ts";
import { shownId } from "../parts/id.tsx";
import { Teach } from "../parts/teach.tsx";
import { useHasDrafts } from "../state/drafts.ts";
import { useRead } from "../state/read.ts";
import { go, useRoute } from "../state/route.ts";
import { useWords } from "../words/use-words.ts";
import { authorText } from "./author.ts";
import { DocumentView } from "./document.tsx";
import { draftName, draftOf, UNNAMED } from "./draft.ts";
import { NewDocument } from "./editor.tsx";
import { useEditorWords } from "./editor-words.ts";
import { Holders } from "./holders.tsx";
import { ContextTree } from "./tree.tsx";

/** The shared context: the tree, its documents and versions, and who holds what. */
export function ContextView(): ReactElement {
  const words = useWords();
  const { pages } = words;
  const editor = useEditorWords();
  const { item } = useRoute();
  const { value: context, error } = useRead<ContextShape>("context");
  const [isNew, setIsNew] = useState(draftOf(UNNAMED) !== undefined);
  const button = useFocusBack(isNew);
  const [begun, setBegun] = useState({ name: "", told: "" });
  const over = (name = "", told = "") => {
    setIsNew(false);
    setBegun({ name, told });
    if (name !== "") go({ item: name });
  };
  const hasDrafts = useHasDrafts((context?.labels ?? []).map(one => draftName(one.label)));
  const label = context?.labels.find(one => one.label === item) ?? context?.labels[0];
  // Of a document that was begun here, until another is looked at or it goes on.
  const isTold = label?.label === begun.name && label.versions[0]?.number === 1;
  const begin = isNew ? (
    <NewDocument onOver={over} />
  ) : (
    <div className="decide">
      <button ref={button} type="button" onClick={() => setIsNew(true)}>
        {editor.begin}
      </button>
      <p role="status" className="good">
        {isTold ? begun.told : ""}
      </p>
    </div>
  );
  if (error !== undefined) return <p className="empty">{error}</p>;
  if (context === undefined) return <p className="empty">{words.loading}</p>;
  if (context.labels.length + context.nodes.length === 0)
    return (
      <div className="page">
        <Teach lesson={pages.contextLesson} />
        {begin}
      </div>
    );
  return (
    <div className="page split">
      <div className="side">
        <section>
          <h2>{pages.documents}</h2>
          {context.labels.length === 0 && <p className="quiet">{pages.documentsEmpty}</p>}
          <ul className="labels">
            {context.labels.map((one, at) => (
              <li key={one.label}>
                <button
                  type="button"
                  aria-pressed={one.label === label?.label}
                  onClick={() => go({ item: one.label })}
                >
                  <b>{shownId(one.label)}</b> <span>v{one.versions[0]?.number ?? 0}</span>{" "}
                  {hasDrafts[at] === true && <span className="pill is-paused">{editor.draft}</span>}
                  <small>
                    {one.versions[0] === undefined
                      ? ""
                      : `${dayAndTime(one.versions[0].at)} · ${authorText(one.versions[0].by, pages)}`}
                  </small>
                </button>
              </li>
            ))}
          </ul>
          {!isNew && begin}
        </section>
        <ContextTree context={context} current={label?.label ?? ""} />
      </div>
      <div className="centre">
        {isNew && begin}
        <Holders holders={context.holders} labels={context.labels} />
        {label !== undefined && label.versions.length > 0 && <DocumentView key={label.label} label={label} />}
      </div>
    </div>
  );
}
