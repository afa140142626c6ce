import { headingTitle } from "./heading.ts";
import { type WalkLine, walkLines } from "./line-walk.ts";

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
  /** How many list items it stands in; of a list item, how many stand around it. */
  readonly depth: number;
  /** Heading level; 0 for other blocks. */
  readonly level: number;
  /** Heading text; empty for other blocks. */
  readonly title: string;
}

const BOM = "\uFEFF";
const BAR = 124;

/** Cuts lines (without their `\n`) into blocks, in one pass. */
export function scanBlocks(lines: readonly string[]): Block[] {
  const text = lines.join("\n");
  const walk = walkLines(text);
  const blocks: { -readonly [K in keyof Block]: Block[K] }[] = [];
  const front = frontMatterEnd(lines);
  let start = text.startsWith(BOM) ? 1 : 0;
  let end = lines[0]?.length ?? 0;
  for (let at = 0; at < lines.length; at++) {
    const below = lines[at + 1];
    const next = below === undefined ? undefined : { start: end + 1, end: end + 1 + below.length };
    if (at < front) blocks.push(block("front-matter", at));
    else {
      walk.take(start, end, next);
      const { line } = walk;
      const last = blocks.at(-1);
      if (line.kind === "underline" && last !== undefined) {
        last.endLine = at + 1;
        if (line.quotes + line.items === 0) {
          last.kind = "heading";
          last.level = line.level;
          last.title = wordsOf(lines, last.line, at);
        }
      } else if (last !== undefined && goesOn(line, last, text)) last.endLine = at + 1;
      else blocks.push(blockOf(line, at, text, end));
    }
    start = next?.start ?? end;
    end = next?.end ?? end;
  }
  return blocks;
}

/** Rows stand for themselves; a line that begins with a bar is one without a delimiter row too. */
function goesOn(line: WalkLine, last: Block, text: string): boolean {
  if (!line.continues || line.kind === "blank" || line.kind === "table-row") return false;
  return line.kind !== "paragraph" || (text.charCodeAt(line.body) !== BAR && last.kind !== "table-row");
}

function blockOf(line: WalkLine, at: number, text: string, end: number): Block {
  const { kind, items, quotes, opened, level, body } = line;
  const depth = items - (opened.length > 0 ? 1 : 0);
  if (kind === "blank" && opened.length === 0) return block("blank", at);
  if (line.fence !== undefined) return block("fence", at, depth);
  if (kind === "rule") return block("rule", at, depth);
  if (kind === "table-row") return block("table-row", at, items);
  if (kind === "heading" && items + quotes === 0)
    return { ...block("heading", at), level, title: headingTitle(text, body, end) };
  if (opened.length > 0) return block("list-item", at, depth);
  return block(kind === "paragraph" && text.charCodeAt(body) === BAR ? "table-row" : "paragraph", at, items);
}

function wordsOf(lines: readonly string[], from: number, to: number): string {
  return lines
    .slice(from, to)
    .map(line => withoutBom(line).trim())
    .join(" ");
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

function block(kind: BlockKind, line: number, depth = 0): Block {
  return { kind, line, endLine: line + 1, depth, level: 0, title: "" };
}
