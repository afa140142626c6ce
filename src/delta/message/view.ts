import { type Block, isBlank, type Section, scanBlocks, scanSections } from "../../markdown/index.ts";

/** A document as messages address it: lines without their ends, under their sections. */
export interface View {
  /** `\r\n` when every line of the document ends so, and none has a `\r` more, else `\n`. */
  readonly newline: "\n" | "\r\n";
  readonly lines: readonly string[];
  readonly blocks: readonly Block[];
  readonly sections: readonly Section[];
}

/** Looks at a document; {@link textOf} is the way back. */
export function viewOf(text: string): View {
  const raw = text.split("\n");
  const crlf =
    raw.length > 1 &&
    raw.every((line, at) => at === raw.length - 1 || (line.endsWith("\r") && !line.endsWith("\r\r")));
  const lines = crlf ? raw.map((line, at) => (at === raw.length - 1 ? line : line.slice(0, -1))) : raw;
  const newline = crlf ? "\r\n" : "\n";
  const blocks = scanBlocks(lines);
  return { newline, lines, blocks, sections: scanSections(blocks, lines.length) };
}

/** Joins lines to a document. */
export function textOf(lines: readonly string[], newline: View["newline"]): string {
  return lines.join(newline);
}

/** Index of the section a line belongs to. */
export function sectionAt(view: View, line: number): number {
  let low = 0;
  let high = view.sections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (view.sections[middle]!.line <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether lines `[from, to)` are lines of one paragraph or item. */
export function isParagraph({ blocks }: Pick<View, "blocks">, from: number, to: number): boolean {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blocks[middle]!.line <= from) low = middle;
    else high = middle - 1;
  }
  const block = blocks[low];
  const isText = block?.kind === "paragraph" || block?.kind === "list-item";
  return isText && block.line <= from && to <= block.endLine;
}

/** The lines of a section's own text without blank lines at its ends; empty, and at the section's end, without text. */
export function bodyRange(view: View, section: number): { from: number; to: number } {
  const { bodyLine, endLine } = view.sections[section]!;
  let from = bodyLine;
  let to = endLine;
  while (to > from && isBlank(view.lines[to - 1]!)) to--;
  while (from < to && isBlank(view.lines[from]!)) from++;
  return { from, to };
}

/** Number of a line within its section: 0 is the heading, 1 the line below it. */
export function lineNumber(view: View, section: number, line: number): number {
  const { level, line: start } = view.sections[section]!;
  return line - start + (level === 0 ? 1 : 0);
}

/** The line with a number within a section; the number may reach beyond the section, not beyond the document. */
export function lineOfNumber(view: View, section: number, number: number): number | undefined {
  const { level, line: start } = view.sections[section]!;
  const line = start + number - (level === 0 ? 1 : 0);
  return line >= 0 && line < view.lines.length ? line : undefined;
}
