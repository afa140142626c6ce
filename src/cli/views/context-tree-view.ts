import type { TreeFacts, TreeNodeFacts } from "../../host/project/context-tree.ts";
import { visible } from "../../text/index.ts";
import { type Look, line } from "./look.ts";
import type { Piece } from "./terminal/paint.ts";
import type { TreeWords } from "./words/context-tree-words.ts";

/** Ids named behind a node. */
const NAMED = 8;
const LENGTH = 100;

function names(ids: readonly string[]): string {
  const shown = ids.slice(0, NAMED).map(id => visible(id, LENGTH));
  return ids.length > NAMED ? `${shown.join(", ")}, +${ids.length - NAMED}` : shown.join(", ");
}

/** The tree as lines: a node with who fills and who reads it, below it its documents, then its branches. */
export function contextTreeView({ nodes }: TreeFacts, words: TreeWords, look: Look): string[] {
  const children = Map.groupBy(nodes, node => node.parent);
  const lines: string[] = [];
  const open: { node: TreeNodeFacts; lead: string; mark: string }[] = [];
  const root = children.get(null)?.[0];
  if (root !== undefined) open.push({ node: root, lead: "", mark: "" });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, lead, mark } = next;
    lines.push(nodeLine(node, lead + mark, words, look));
    const inner = lead + (mark === "" ? "" : mark.startsWith("├") ? "│  " : "   ");
    const below = children.get(node.id) ?? [];
    for (const [at, document] of node.documents.entries()) {
      const isLast = at === node.documents.length - 1 && below.length === 0;
      lines.push(documentLine(document, `${inner}${isLast ? "└" : "├"}╴`, words, look));
    }
    for (const [at, child] of below.toReversed().entries())
      open.push({ node: child, lead: inner, mark: at === 0 ? "└─ " : "├─ " });
  }
  return lines;
}

function nodeLine(node: TreeNodeFacts, lead: string, words: TreeWords, look: Look): string {
  const pieces: Piece[] = [
    { text: lead, style: "dim" },
    { text: visible(node.id, LENGTH), style: node.status === "active" ? "bold" : "dim" },
  ];
  const status = words.status[node.status];
  if (status !== "") pieces.push({ text: `  ${status}`, style: "dim" });
  if (node.ready === false && node.status === "active")
    pieces.push({ text: `  ${words.notReady}`, style: "yellow" });
  if (node.filledBy.length > 0)
    pieces.push({ text: `  ${words.filledBy} ${names(node.filledBy)}`, style: "cyan" });
  if (node.readBy.length > 0) pieces.push({ text: `  ${words.readBy} ${names(node.readBy)}` });
  return line(look, ...pieces);
}

function documentLine(
  document: TreeNodeFacts["documents"][number],
  lead: string,
  words: TreeWords,
  look: Look,
): string {
  const { label, version, tokens, source, withdrawn, place } = document;
  const name = version === 0 ? label : `${label} v${version}`;
  const facts = [
    ...(tokens === null ? [] : [words.tokens(tokens)]),
    ...(place === "shared" ? [words.shared] : []),
    ...(source === "" ? [] : [visible(source, LENGTH)]),
    ...(version === 0 && words.notYet !== "" ? [words.notYet] : []),
    ...(withdrawn ? [words.withdrawn] : []),
  ];
  return line(
    look,
    { text: lead, style: "dim" },
    { text: visible(name, LENGTH), style: withdrawn ? "dim" : "plain" },
    { text: `  ${facts.join(" · ")}`, style: "dim" },
  );
}
