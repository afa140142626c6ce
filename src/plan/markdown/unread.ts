import type { Report } from "../report.ts";
import { boxAt } from "../syntax/any-box.ts";
import { isAlpha, isWord } from "../syntax/chars.ts";
import { readWordedId } from "../syntax/head.ts";
import { type IdRead, type IdShape, readId, readNumber } from "../syntax/ids.ts";
import type { Cursor, Line } from "../syntax/scan.ts";
import type { Definition } from "./definition.ts";
import type { MarkdownDocument } from "./document.ts";
import { readHeading } from "./section.ts";

/** A line that holds a box with an id behind it, or a heading that holds a box. */
export interface Boxed {
  readonly line: number;
  readonly column: number;
  readonly length: number;
  readonly id?: string;
  readonly shape?: IdShape;
  readonly where: "front" | "definition" | "open";
}

/** Most characters between a box and its id, and in the label of a definition. */
const MAX_GAP = 120;
const MAX_LABEL = 100;

/** Watches all lines of a text for boxes, whatever stands around them. */
export interface BoxedReader {
  readonly found: readonly Boxed[];
  /** A line of the open text. */
  line(line: Line): void;
  /** The lines before the document begins. */
  front(after: Cursor): void;
}

/** Creates a watcher of boxes. Linear in the text. */
export function createBoxedReader(text: string, numbers: boolean): BoxedReader {
  const found: Boxed[] = [];

  function add(line: Pick<Line, "number" | "start" | "end">, where: Boxed["where"]): boolean {
    const box = firstBoxed(text, line.start, line.end, numbers);
    if (box?.read === undefined) return box !== undefined;
    const { at, read } = box;
    const { id, shape } = read;
    found.push({ line: line.number, column: at - line.start + 1, length: box.end - at, id, shape, where });
    return false;
  }

  return {
    found,
    line(line) {
      const isBare = add(line, isDefinition(text, line.body, line.end) ? "definition" : "open");
      if (!isBare || line.kind !== "heading" || readHeading(text, line.body, line.end).box !== undefined)
        return;
      const { number, start, end } = line;
      found.push({ line: number, column: line.body - start + 1, length: end - line.body, where: "open" });
    },
    front(after) {
      let number = 1;
      for (let start = 0; start < after.offset && number < after.line; number++) {
        let end = start;
        while (end < after.offset && text.charCodeAt(end) !== 10 && text.charCodeAt(end) !== 13) end++;
        add({ number, start, end }, "front");
        start = text.startsWith("\r\n", end) ? end + 2 : end + 1;
      }
    },
  };
}

/** The first box with an id behind it; else, without an id, the first box that stands in no code span. */
function firstBoxed(
  text: string,
  start: number,
  end: number,
  numbers: boolean,
): { at: number; end: number; read?: IdRead } | undefined {
  let bare: { at: number; end: number } | undefined;
  let span = -1;
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) === 96) span = span < 0 ? at : -1;
    const stop = boxAt(text, at, end);
    if (stop < 0) continue;
    const behind = skipToWord(text, stop, end);
    const read =
      readWordedId(text, behind, end) ??
      readId(text, behind, end) ??
      (numbers ? readNumber(text, behind, end, true) : undefined);
    const isShown = span >= 0 && isWordBefore(text, start, span) && !hasTick(text, stop, behind);
    if (read !== undefined && !isShown) return { at, end: read.end, read };
    if (span < 0 && text.charCodeAt(stop) !== 40) bare ??= { at, end: stop };
    at = stop - 1;
  }
  return bare;
}

/** Where the first word behind a box begins: markup, emoji, tags, short codes and a link target are passed over. */
function skipToWord(text: string, from: number, end: number): number {
  const limit = Math.min(end, from + MAX_GAP);
  let at = text.charCodeAt(from) === 40 ? asideEnd(text, from, limit, ")") : from;
  let tagsEnd = limit;
  while (at < limit && !isWord(text.charCodeAt(at))) {
    const mark = text[at]!;
    if (mark === "[" && boxAt(text, at, end) >= 0) break;
    const close = mark === "<" && at < tagsEnd ? ">" : mark === ":" ? ":" : "";
    const stop = close === "" ? at + 1 : asideEnd(text, at, limit, close);
    if (mark === "<" && stop === at + 1) tagsEnd = at;
    at = stop;
  }
  return at;
}

/** Offset behind the mark that closes what begins at `at`, or behind its first character. A short code is one word. */
function asideEnd(text: string, at: number, limit: number, close: string): number {
  let stop = at + 1;
  while (stop < limit && text[stop] !== close) {
    if (close === ":" && !isWord(text.charCodeAt(stop)) && !"_-+".includes(text[stop]!)) return at + 1;
    stop++;
  }
  return stop < limit ? stop + 1 : at + 1;
}

/** Words stand before a code span: it shows something. */
function isWordBefore(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isWord(text.charCodeAt(at))) return true;
  return false;
}

function hasTick(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === 96) return true;
  return false;
}

/** `[name]: …` and `[^1]: …`: what Markdown does not show where it stands. */
function isDefinition(text: string, at: number, end: number): boolean {
  if (text.charCodeAt(at) !== 91) return false;
  const limit = Math.min(end, at + MAX_LABEL);
  let close = at + 1;
  while (close < limit && text.charCodeAt(close) !== 93) close++;
  return text.startsWith("]:", close) && boxAt(text, at, end) < 0;
}

/** Reports every box with an id that is read nowhere, and headings whose box is not read. */
export function reportUnread(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  report: Report,
): void {
  const known = new Set(definitions.map(definition => definition.id));
  const families = new Set(definitions.map(definition => letters(definition.id)));
  const told = new Set(document.innerRows.map(row => row.line));
  for (const { line, head, origin } of document.drafts)
    if (origin === "row" || head.box === undefined || head.id === undefined || known.has(head.id))
      told.add(line);
  for (const block of document.hidden) for (const task of block.tasks) told.add(task.line);
  for (const boxed of document.boxed) {
    if (told.has(boxed.line)) continue;
    const { id, shape } = boxed;
    if (id === undefined) reportHeading(boxed, report);
    else if (
      shape !== "phase" &&
      !known.has(id) &&
      (shape === "task" || shape === "number" || families.has(letters(id)))
    )
      reportBoxed(boxed, id, report);
  }
}

function letters(id: string): string {
  let end = 0;
  while (end < id.length && isAlpha(id.charCodeAt(end))) end++;
  return id.slice(0, end).toUpperCase();
}

function reportHeading(boxed: Boxed, report: Report): void {
  report.add(
    "warning",
    "ITEM_IGNORED",
    boxed,
    "the heading holds a box that does not begin it; it is not read as a task",
    "write the box and an id first if it is one: ### [ ] T1.1: Title",
  );
}

function reportBoxed(boxed: Boxed, id: string, report: Report): void {
  if (boxed.where === "open")
    report.add(
      "warning",
      "ITEM_IGNORED",
      boxed,
      `${id} stands behind a box, but the line is not read as a task`,
      `let the line begin with the box if it is one: - [ ] ${id}: Title`,
    );
  else
    report.add(
      "warning",
      "TASK_HIDDEN",
      boxed,
      `${boxed.where === "front" ? "the front matter" : "the definition of a link or footnote"} holds ${id}; it is not read as a task`,
      boxed.where === "front"
        ? "move it below the line that ends the front matter"
        : "give it a line of its own",
    );
}
