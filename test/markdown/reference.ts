import { type Node, Parser } from "commonmark";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { walkLines } from "../../src/markdown/index.ts";

type Root = ReturnType<typeof fromMarkdown>;
type Nodes = Root | Root["children"][number];
type Parents = Extract<Nodes, { readonly children: unknown }>;

/** What a line is, in words that two readers can be compared by; blank lines are left empty. */
export type Structure = readonly string[];

interface Said {
  what: string;
  quotes: number;
  items: number;
  markers: string[];
}

function render({ what, quotes, items, markers }: Said): string {
  return `${what} q${quotes} i${items}${markers.map(marker => ` ${marker}`).join("")}`;
}

/** Of a link definition the reference keeps no trace: what it leaves open is a paragraph to us. */
export function sameLine(ours: string, theirs: string): boolean {
  return (
    ours === theirs ||
    (theirs.startsWith("none") && ours.replace(/^paragraph q\d+ i\d+/, "none q0 i0") === theirs)
  );
}

export function isSame(ours: Structure, theirs: Structure): boolean {
  return ours.every((line, at) => sameLine(line, theirs[at]!));
}

/** A line that holds nothing, or only quote marks, means the same in whatever block it stands. */
function isEmpty(line: string): boolean {
  return /^[\s>]*$/.test(line);
}

/** Puts together what two readers say of the lines of a text. */
function createSheet(source: string) {
  const lines = source.split("\n");
  const said: Said[] = lines.map(() => ({ what: "none", quotes: 0, items: 0, markers: [] }));
  return {
    lines,
    fill(what: string, at: Omit<Said, "what" | "markers">, from: number, to: number): void {
      for (let line = from; line <= to && line <= lines.length; line++)
        Object.assign(said[line - 1]!, { what, ...at });
    },
    mark(line: number, from: number): void {
      said[line - 1]!.markers.push(/^(?:[-*+]|\d+[.)])/.exec(lines[line - 1]!.slice(from))![0]);
    },
    finish: (): Structure => said.map((line, at) => (isEmpty(lines[at]!) ? "" : render(line))),
  };
}

/** What a block without blocks in it is called here. */
function leafOf(node: Node): string {
  if (node.type === "heading") return `heading ${node.level}`;
  if (node.type === "code_block")
    return (node as { _isFenced?: boolean })._isFenced === true ? "fence" : "code";
  return LEAVES.get(node.type) ?? "paragraph";
}

const LEAVES = new Map([
  ["thematic_break", "rule"],
  ["html_block", "html"],
]);
const GFM_LEAVES = new Map([
  ["thematicBreak", "rule"],
  ["html", "html"],
  ["table", "table-row"],
]);
const BRANCHES = new Set(["root", "list", "blockquote"]);

/** The block structure of a text as the reference implementation of CommonMark sees it, line by line. */
export function commonmarkStructure(source: string): Structure {
  const sheet = createSheet(source);

  function visit(node: Node, quotes: number, items: number): void {
    const at = { quotes, items };
    const [[from, column], [to]] = node.sourcepos;
    if (node.type === "heading" && from !== to) {
      sheet.fill("paragraph", at, from, to - 1);
      sheet.fill(`underline ${node.level}`, at, to, to);
    } else if (node.type === "item") sheet.mark(from, column - 1);
    else if (node.type !== "document" && node.type !== "list" && node.type !== "block_quote")
      sheet.fill(leafOf(node), at, from, to);
    if (!node.isContainer || node.type === "paragraph" || node.type === "heading") return;
    const inner = [
      quotes + Number(node.type === "block_quote"),
      items + Number(node.type === "item"),
    ] as const;
    for (let child = node.firstChild; child !== null; child = child.next) visit(child, ...inner);
  }

  visit(new Parser().parse(source), 0, 0);
  return sheet.finish();
}

/** The block structure of a text with GFM's tables, as micromark sees it, line by line. */
export function gfmStructure(source: string): Structure {
  const sheet = createSheet(source);

  function visit(node: Nodes, quotes: number, items: number): void {
    const { start, end } = node.position!;
    const fill = (what: string, from = start.line, to = end.line) =>
      sheet.fill(what, { quotes, items }, from, to);
    if (node.type === "heading" && start.line < end.line) {
      fill("paragraph");
      fill(`underline ${node.depth}`, end.line);
    } else if (node.type === "listItem") sheet.mark(start.line, start.column - 1);
    else if (node.type === "heading") fill(`heading ${node.depth}`);
    else if (node.type === "code") fill("`~".includes(source[start.offset!]!) ? "fence" : "code");
    else if (!BRANCHES.has(node.type)) fill(GFM_LEAVES.get(node.type) ?? "paragraph");
    if (node.type !== "listItem" && !BRANCHES.has(node.type)) return;
    const inner = [
      quotes + Number(node.type === "blockquote"),
      items + Number(node.type === "listItem"),
    ] as const;
    for (const child of (node as Parents).children) visit(child, ...inner);
  }

  const tree = fromMarkdown(source, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  visit(tree, 0, 0);
  return sheet.finish();
}

/** The same structure as our reader sees it; without `tables`, rows are text. */
export function ourStructure(source: string): Structure {
  const walk = walkLines(source);
  const lines = source.split("\n");
  let start = 0;
  return lines.map((text, at) => {
    const end = start + text.length;
    const below = lines[at + 1];
    walk.take(start, end, below === undefined ? undefined : { start: end + 1, end: end + 1 + below.length });
    start = end + 1;
    const { kind, level, quotes, items, opened } = walk.line;
    if (isEmpty(text)) return "";
    const isFence = kind === "open" || kind === "fenced" || kind === "close";
    const what = isFence ? "fence" : kind === "blank" ? "none" : level > 0 ? `${kind} ${level}` : kind;
    const isBare = kind === "blank";
    return render({
      what,
      quotes: isBare ? 0 : quotes,
      items: isBare ? 0 : items,
      markers: opened.map(item => item.marker),
    });
  });
}
