import { type ReactElement, useMemo } from "react";
import type { ContextShape, DocumentShape, NodeShape } from "../../../src/server/shapes/context.ts";
import { Button } from "../parts/button.tsx";
import { shownId } from "../parts/id.tsx";
import { go } from "../state/route.ts";
import { useRun } from "../state/run.ts";
import { useAct } from "../task/decide.tsx";
import type { PageWords } from "../words/pages.ts";
import { useWords } from "../words/use-words.ts";

/** Levels of the tree that are indented; deeper ones stand below each other. */
const DEEPEST = 12;

/** Takes back what an attempt handed to the tree, after a second look. */
function TakeBack({ document }: { readonly document: DocumentShape }): ReactElement | null {
  const { pages } = useWords();
  const live = useRun(state => state.shape?.link.live === true);
  const { busy, said, send } = useAct();
  const { task, attempt, withdrawn, label } = document;
  if (task === undefined || attempt === undefined || withdrawn || !live) return null;
  const takeBack = () => {
    if (confirm(pages.revertAsk(shownId(label)))) void send({ kind: "revert", task, attempt });
  };
  return (
    <>
      <Button className="link" waits={busy} onClick={takeBack}>
        {pages.revert}
      </Button>
      {said?.ok === false && <span className="bad"> {said.message}</span>}
    </>
  );
}

/** How a document came to be; nobody may be known who published it. */
function originText({ kind, from }: DocumentShape, { origin, publishedAlone }: PageWords): string {
  if (kind === "published" && from === "") return publishedAlone;
  return `${origin[kind] ?? kind} ${from}`;
}

function Document({
  document,
  current,
  known,
}: {
  readonly document: DocumentShape;
  readonly current: boolean;
  /** It has a version to look at. */
  readonly known: boolean;
}): ReactElement {
  const { pages } = useWords();
  return (
    <li className={document.withdrawn ? "is-withdrawn" : ""}>
      {known ? (
        <button
          type="button"
          className="link"
          aria-current={current ? "true" : undefined}
          onClick={() => go({ item: document.label })}
        >
          {shownId(document.label)}
        </button>
      ) : (
        <code>{shownId(document.label)}</code>
      )}
      <small>
        {known ? originText(document, pages) : pages.unpublished}
        {document.place === "shared" && ` · ${pages.shared}`}
        {document.withdrawn && ` · ${pages.withdrawn}`} <TakeBack document={document} />
      </small>
    </li>
  );
}

interface Placed {
  readonly node: NodeShape;
  readonly depth: number;
}

/** Nodes below their parents, each with its depth. Linear, whatever hangs where. */
function inOrder(nodes: readonly NodeShape[]): Placed[] {
  const known = new Set(nodes.map(node => node.id));
  const children = new Map<string, NodeShape[]>();
  for (const node of nodes) {
    const parent = node.parent !== undefined && known.has(node.parent) ? node.parent : "";
    const list = children.get(parent);
    if (list === undefined) children.set(parent, [node]);
    else list.push(node);
  }
  const placed: Placed[] = [];
  const stack = (children.get("") ?? []).map(node => ({ node, depth: 0 })).reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    placed.push(next);
    const depth = next.depth + 1;
    for (const node of (children.get(next.node.id) ?? []).toReversed()) stack.push({ node, depth });
  }
  return placed;
}

/** The context tree with the documents on its nodes. */
export function ContextTree({
  context,
  current,
}: {
  readonly context: ContextShape;
  readonly current: string;
}): ReactElement {
  const { pages } = useWords();
  const placed = useMemo(() => inOrder(context.nodes), [context.nodes]);
  const published = useMemo(() => new Set(context.labels.map(({ label }) => label)), [context.labels]);
  return (
    <section>
      <h2>{pages.tree}</h2>
      {placed.length === 0 && <p className="quiet">{pages.treeEmpty}</p>}
      <ul className="tree">
        {placed.map(({ node, depth }) => (
          <li key={node.id} style={{ paddingLeft: `${Math.min(depth, DEEPEST) * 18}px` }}>
            <p>
              <b>{shownId(node.id)}</b>
              {node.status !== "active" && (
                <span className={`pill node-${node.status}`}>{pages.nodeStatus[node.status]}</span>
              )}
              <small className="quiet">{node.by === "plan" ? pages.byPlan : node.by}</small>
            </p>
            {node.documents.length > 0 && (
              <ul>
                {node.documents.map(document => (
                  <Document
                    key={`${document.place} ${document.label}`}
                    document={document}
                    current={document.label === current}
                    known={published.has(document.label)}
                  />
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
