import { closesFence, opensFence } from "./fence.ts";
import { atxHeading, isRule, setextLevel } from "./heading.ts";
import { isBlank, type LineShape, lineShape } from "./line-shape.ts";

export type BlockKind =
  | "front-matter"
  | "heading"
  | "list-item"
  | "table-row"
  | "paragraph"
  | "fence"
  | "rule"
  | "blank";

/** A run of lines that belong together; blocks tile the lines of a document. */
export interface Block {
  readonly kind: BlockKind;
  /** First line, 0-based, and the line after the last. */
  readonly line: number;
  readonly endLine: number;
  /** Columns of indentation. */
  readonly indent: number;
  /** Heading level; 0 for other blocks. */
  readonly level: number;
  /** Heading text; empty for other blocks. */
  readonly title: string;
}

const BOM = "\uFEFF";

/** Cuts lines (without their `\n`) into blocks, in one pass. */
export function scanBlocks(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let at = frontMatterEnd(lines);
  for (let line = 0; line < at; line++) blocks.push(block("front-matter", line, line + 1));
  let inList = false;
  while (at < lines.length) {
    const next = blockAt(lines, at, inList);
    blocks.push(next);
    if (next.kind === "list-item") inList = true;
    else if (next.kind !== "blank" && next.indent === 0) inList = false;
    at = next.endLine;
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number, inList: boolean): Block {
  const line = at === 0 ? withoutBom(lines[0]!) : lines[at]!;
  if (isBlank(line)) return block("blank", at, at + 1);
  const shape = lineShape(line);
  const fence = inList || shape.indent < 4 ? fenceAt(line, shape) : undefined;
  if (fence !== undefined) {
    let end = at + 1;
    while (end < lines.length && !closesFence(lines[end]!, fence)) end++;
    return block("fence", at, Math.min(end + 1, lines.length), shape.indent);
  }
  const heading = atxHeading(line);
  if (heading !== undefined) return { ...block("heading", at, at + 1), ...heading };
  if (isRule(line)) return block("rule", at, at + 1, shape.indent);
  if (line[shape.content] === "|" && shape.marker === "") return block("table-row", at, at + 1, shape.indent);
  const end = paragraphEnd(lines, at + 1, inList);
  if (shape.marker !== "") return block("list-item", at, end, shape.indent);
  const level = end < lines.length ? setextLevel(lines[end]!) : 0;
  if (level === 0 || shape.indent > 3) return block("paragraph", at, end, shape.indent);
  const words = lines.slice(at, end).map(text => withoutBom(text).trim());
  return { ...block("heading", at, end + 1), level, title: words.join(" ") };
}

/** A fence stands at the line's content, after a list marker too. */
function fenceAt(line: string, shape: LineShape): ReturnType<typeof opensFence> {
  return opensFence(line, shape.content);
}

/** The first line from `from` on that no longer continues a paragraph or list item. */
function paragraphEnd(lines: readonly string[], from: number, inList: boolean): number {
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    if (isBlank(line) || setextLevel(line) > 0 || atxHeading(line) !== undefined || isRule(line)) break;
    const shape = lineShape(line);
    if (shape.marker !== "" || line[shape.content] === "|") break;
    if ((inList || shape.indent < 4) && fenceAt(line, shape) !== undefined) break;
  }
  return at;
}

/** The line after the front matter's closing mark; 0 when there is none or it is never closed. */
function frontMatterEnd(lines: readonly string[]): number {
  if (withoutBom(lines[0] ?? "").trimEnd() !== "---") return 0;
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.length < 8 && (line.trimEnd() === "---" || line.trimEnd() === "...")) return at + 1;
  }
  return 0;
}

function withoutBom(line: string): string {
  return line.startsWith(BOM) ? line.slice(1) : line;
}

function block(kind: BlockKind, line: number, endLine: number, indent = 0): Block {
  return { kind, line, endLine, indent, level: 0, title: "" };
}
