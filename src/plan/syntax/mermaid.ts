import type { Diagram } from "../markdown/document.ts";
import { isSpace, isWord, skipSpaces, trimMarks } from "./chars.ts";

/** A node or subgraph of a flowchart. */
export interface GraphNode {
  readonly key: string;
  /** Its words, markup and line breaks replaced by spaces; empty when it has none. */
  label: string;
  /** Innermost subgraph it stands in. */
  parent: GraphNode | undefined;
  /** Of a subgraph: what stands in it. */
  readonly members: GraphNode[] | undefined;
}

/** An arrow: `to` comes after `from`. */
export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly line: number;
}

/** Most arrows read from one diagram; `A & B --> C & D` multiplies. */
const MAX_EDGES = 200_000;

const CLOSERS: Record<string, string> = { "[": "]", "(": ")", "{": "}", ">": "]" };

/** Reads the arrows of a `graph` or `flowchart`; other diagrams have none. Linear in its text. */
export function readDiagram(text: string, diagram: Diagram): GraphEdge[] {
  const edges: GraphEdge[] = [];
  const nodes = new Map<string, GraphNode>();
  const open: GraphNode[] = [];
  let started = false;
  let line = diagram.line;

  function nodeOf(key: string): GraphNode {
    let node = nodes.get(key);
    if (node === undefined) {
      node = { key, label: "", parent: open.at(-1), members: undefined };
      nodes.set(key, node);
      open.at(-1)?.members?.push(node);
    }
    return node;
  }

  function openSubgraph(words: string): void {
    const at = skipSpaces(words, 8, words.length);
    const keyEnd = endOfKey(words, at);
    const shape = readShape(words, skipSpaces(words, keyEnd, words.length));
    const key = keyEnd > at ? words.slice(at, keyEnd) : words.slice(at);
    const label = shape?.label ?? clean(words.slice(at));
    const node: GraphNode = { key, label, parent: open.at(-1), members: [] };
    const known = nodes.get(key);
    if (known === undefined || known.members === undefined) nodes.set(key, node);
    open.at(-1)?.members?.push(node);
    open.push(node);
  }

  function connect(sources: readonly GraphNode[], targets: readonly GraphNode[]): void {
    for (const from of sources)
      for (const to of targets) {
        if (edges.length >= MAX_EDGES) return;
        edges.push({ from, to, line });
      }
  }

  function statement(words: string): void {
    let at = skipSpaces(words, 0, words.length);
    const lastHead = words.lastIndexOf(">");
    let before: GraphNode[] = [];
    let directed = false;
    while (at < words.length) {
      const group: GraphNode[] = [];
      for (;;) {
        const end = endOfKey(words, at);
        if (end === at) return;
        const node = nodeOf(words.slice(at, end));
        at = end;
        const shape = readShape(words, skipSpaces(words, at, words.length));
        if (shape !== undefined) {
          at = shape.end;
          if (node.label === "") node.label = shape.label;
        }
        if (words.startsWith(":::", at)) at = endOfKey(words, at + 3);
        group.push(node);
        at = skipSpaces(words, at, words.length);
        if (words[at] !== "&") break;
        at = skipSpaces(words, at + 1, words.length);
      }
      if (directed) connect(before, group);
      const arrow = readArrow(words, at, lastHead);
      if (arrow === undefined) return;
      directed = arrow.directed;
      before = group;
      at = skipSpaces(words, arrow.end, words.length);
    }
  }

  for (let from = diagram.start; from < diagram.end; ) {
    let end = text.indexOf("\n", from);
    if (end < 0 || end > diagram.end) end = diagram.end;
    for (const part of splitStatements(text.slice(from, end))) {
      const words = part.trim();
      const word = words.split(/[\s[("]/, 1)[0]!.toLowerCase();
      if (words === "" || words.startsWith("%%")) continue;
      if (!started) {
        if (word !== "graph" && word !== "flowchart") return [];
        started = true;
      } else if (word === "subgraph") openSubgraph(words);
      else if (word === "end") open.pop();
      else if (
        !["style", "classdef", "class", "click", "linkstyle", "direction", "acctitle", "accdescr"].includes(
          word,
        )
      )
        statement(words);
    }
    from = end + 1;
    line++;
  }
  return edges;
}

/** Splits at `;` outside quotes and brackets. */
function splitStatements(line: string): string[] {
  if (!line.includes(";")) return [line];
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < line.length; i++) {
    const mark = line[i]!;
    if (mark === '"') quoted = !quoted;
    else if (!quoted && "[({".includes(mark)) depth++;
    else if (!quoted && "])}".includes(mark)) depth--;
    else if (mark === ";" && !quoted && depth <= 0) {
      parts.push(line.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(line.slice(from));
  return parts;
}

/** Keys are letters, digits, `_`, dots, and dashes that begin no arrow. */
function endOfKey(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (isWord(code) || code === 95) continue;
    const next = i + 1 < text.length ? text.charCodeAt(i + 1) : 0;
    if (code === 46 && isWord(next)) continue;
    if (code === 45 && i > at && isWord(next) && text.charCodeAt(i - 1) !== 45) continue;
    break;
  }
  return i;
}

/** Reads `[label]`, `("label")`, `{{label}}` and the other shapes. */
function readShape(text: string, at: number): { label: string; end: number } | undefined {
  const opener = text[at];
  if (
    opener === undefined ||
    CLOSERS[opener] === undefined ||
    (opener === ">" && isSpace(text.charCodeAt(at + 1)))
  )
    return undefined;
  const nearQuote = [at + 1, at + 2, at + 3].find(near => text[near] === '"') ?? -1;
  if (nearQuote >= 0) {
    const close = text.indexOf('"', nearQuote + 1);
    if (close < 0) return { label: clean(text.slice(nearQuote + 1)), end: text.length };
    let end = close + 1;
    while (end < text.length && "])}/\\".includes(text[end]!)) end++;
    return { label: withoutBreaks(text.slice(nearQuote + 1, close)).trim(), end };
  }
  const closer = CLOSERS[opener]!;
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === opener && opener !== ">") depth++;
    else if (text[i] === closer && --depth <= 0) {
      return { label: clean(text.slice(at + 1, i)), end: i + 1 };
    }
  }
  return { label: clean(text.slice(at + 1)), end: text.length };
}

/** The words of a label, without what is left of its shape. */
function clean(label: string): string {
  return trimMarks(withoutBreaks(label), "[({/\\\"'` \t", "])}/\\\"'` \t");
}

function withoutBreaks(label: string): string {
  return label.replace(/<br ?\/?>|\\n/gi, " ");
}

/** Reads a link: `-->`, `-.->`, `==>`, `---`, `-- text -->`, `-->|text|`, `--x`, `<-->`. */
function readArrow(
  text: string,
  at: number,
  lastHead: number,
): { end: number; directed: boolean } | undefined {
  let i = at;
  const both = text[i] === "<";
  if (both) i++;
  if (!"-=~".includes(text[i] ?? " ")) return undefined;
  let end = i;
  while (end < text.length && "-=.~".includes(text[end]!)) end++;
  if (end - i < 2) return undefined;
  const invisible = text[i] === "~";
  let head =
    text[end] === ">" || ((text[end] === "x" || text[end] === "o") && !isWord(text.charCodeAt(end + 1)));
  if (head) end++;
  else if (!invisible) {
    // `-- text -->`: the words stand inside the link.
    const closing = end < lastHead ? nextHead(text, end) : -1;
    if (closing > 0) {
      end = closing;
      head = true;
    }
  }
  let after = skipSpaces(text, end, text.length);
  if (text[after] === "|") {
    const close = text.indexOf("|", after + 1);
    if (close > 0) after = close + 1;
  }
  return { end: after, directed: head && !both && !invisible };
}

/** Where the link whose words begin at `at` ends, when it has an arrow head before the statement ends. */
function nextHead(text: string, at: number): number {
  if (!isSpace(text.charCodeAt(at)) && text[at] !== '"') return -1;
  for (let i = at; i + 1 < text.length && i < at + 200; i++) {
    if ("[({|".includes(text[i]!)) return -1;
    if (text[i] === ">" && "-=.".includes(text[i - 1] ?? " ")) return i + 1;
  }
  return -1;
}
