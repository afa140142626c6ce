import { isBlankCode, isDigit, SPACE, skipBlanks, TAB } from "./chars.ts";

/** A place in a line, with its column: a tab reaches to the next multiple of four and may be taken in part. */
export interface Position {
  at: number;
  column: number;
  /** The first character from `at` on that is no blank, and the columns up to it. */
  body: number;
  indent: number;
  blank: boolean;
}

/** A block quote or list item that is open. */
export interface Container {
  readonly kind: "quote" | "item";
  /** Of an item: the columns its lines are indented by, counted from what it stands in. */
  readonly padding: number;
  /** Of an item: the column its content begins at, counted from the line. */
  readonly column: number;
  /** `-`, `*`, `+`, `12.`, `3)`; empty for a quote. */
  readonly marker: string;
  /** Of an item: nothing stands in it yet. */
  empty: boolean;
}

const TAB_STOP = 4;

/** Measures the indentation at a position. */
export function measure(text: string, end: number, position: Position): void {
  let { at, column } = position;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) column++;
    else if (code === TAB) column += TAB_STOP - (column % TAB_STOP);
    else break;
  }
  position.body = at;
  position.indent = column - position.column;
  position.blank = at >= end || (isBlankCode(text.charCodeAt(at)) && skipBlanks(text, at, end) === end);
}

/** Goes on by so many columns of blanks. */
function skipColumns(text: string, position: Position, columns: number): void {
  let left = columns;
  while (left > 0) {
    const width = text.charCodeAt(position.at) === TAB ? TAB_STOP - (position.column % TAB_STOP) : 1;
    if (width <= left) position.at++;
    position.column += Math.min(width, left);
    left -= width;
  }
}

function skipTo(position: Position, at: number): void {
  position.column += position.indent + (at - position.body);
  position.at = at;
}

/** Passes over the quote mark at the position, and one blank behind it. */
export function takeQuoteMark(text: string, end: number, position: Position): boolean {
  if (position.indent > 3 || text[position.body] !== ">" || position.body >= end) return false;
  skipTo(position, position.body + 1);
  if (position.at < end && isIndent(text.charCodeAt(position.at))) skipColumns(text, position, 1);
  measure(text, end, position);
  return true;
}

/** Whether the line goes on a container; passes over what belongs to it. */
export function continues(container: Container, text: string, end: number, position: Position): boolean {
  if (container.kind === "quote") return takeQuoteMark(text, end, position);
  if (position.blank) return !container.empty;
  if (position.indent < container.padding) return false;
  skipColumns(text, position, container.padding);
  measure(text, end, position);
  return true;
}

/** The list item that begins at the position, if one does; `inParagraph`: only one that may end a paragraph. */
export function takeItemMark(
  text: string,
  end: number,
  position: Position,
  inParagraph: boolean,
): Container | undefined {
  const { body, indent } = position;
  if (indent > 3) return undefined;
  const behind = markerEnd(text, body, end);
  if (behind < 0) return undefined;
  const content = skipBlanks(text, behind, end);
  if (inParagraph && (content >= end || !interrupts(text, body, behind))) return undefined;
  skipTo(position, behind);
  measure(text, end, position);
  const width = position.indent;
  const isEmpty = content >= end;
  const taken = isEmpty || width > 4 ? 1 : width;
  if (behind < end && isIndent(text.charCodeAt(behind))) skipColumns(text, position, taken);
  measure(text, end, position);
  const padding = indent + (behind - body) + taken;
  return { kind: "item", padding, column: position.column, marker: text.slice(body, behind), empty: isEmpty };
}

/** Where the list marker at `at` ends, or -1; a blank or the line's end follows it. */
export function markerEnd(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  let stop = at;
  if (first === 45 || first === 42 || first === 43) stop++;
  else {
    while (stop < end && stop - at < 9 && isDigit(text.charCodeAt(stop))) stop++;
    if (stop === at || stop >= end || (text[stop] !== "." && text[stop] !== ")")) return -1;
    stop++;
  }
  return stop >= end || isBlankCode(text.charCodeAt(stop)) ? stop : -1;
}

/** Bullets and the number 1 may end a paragraph. */
function interrupts(text: string, at: number, end: number): boolean {
  return !isDigit(text.charCodeAt(at)) || (end - at === 2 && text[at] === "1");
}

function isIndent(code: number): boolean {
  return code === SPACE || code === TAB;
}
