import { told } from "../../text/index.ts";
import type { Report } from "../report.ts";
import { boxesIn, nextBoxStart, type SeenBox } from "../syntax/any-box.ts";
import { isAlpha, skipSpaces } from "../syntax/chars.ts";
import { readHead } from "../syntax/head.ts";
import { lineWalker } from "../syntax/scan.ts";
import type { Definition } from "./definition.ts";
import type { MarkdownDocument } from "./document.ts";
import { rowsWithState } from "./left-out.ts";

/** A line of the text: its number and its bounds. */
interface Place {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** The lines of a text in which a box may stand, in order. */
function* candidates(text: string): Generator<Place> {
  const walk = lineWalker(text);
  let start = 0;
  let line = 1;
  for (let at = nextBoxStart(text, 0); at >= 0; at = nextBoxStart(text, start)) {
    let bounds = walk(start);
    while (bounds.end <= at) {
      start = bounds.next;
      line++;
      bounds = walk(start);
    }
    yield { line, start, end: bounds.end };
    start = bounds.next;
    line++;
    if (start >= text.length) return;
  }
}

/**
 * The closing pass: reports every box with an id that nothing has read or told of, and headings whose box was not read. What was
 * passed over as code or a comment is left alone.
 */
export function reportUnread(
  document: MarkdownDocument,
  definitions: readonly Definition[],
  numbers: boolean,
  report: Report,
): void {
  const { text, passed, frontLines } = document;
  const isPassed = passed.reader();
  const read = readBoxes(definitions);
  const isTold = toldIds(document);
  const isKnown = knownIds(definitions);
  for (const place of candidates(text)) {
    if (isPassed(place.line)) continue;
    const boxes = boxesIn(text, place.start, place.end, numbers, at => read.has(at));
    const lost = boxes.find(box => box.id !== undefined && !isKnown(box) && !isTold(box, place));
    if (lost !== undefined) reportBox(document, place, lost, report);
    else if (place.line > frontLines && boxes.some(box => !box.isVague)) reportHeading(text, place, report);
  }
}

/** Offsets of the boxes that define or repeat a task. */
function readBoxes(definitions: readonly Definition[]): ReadonlySet<number | undefined> {
  const offsets = new Set<number | undefined>();
  for (const { draft, others } of definitions)
    for (const { head } of [draft, ...others]) offsets.add(head.box?.at);
  return offsets;
}

/** What others have told of. */
function toldIds(document: MarkdownDocument): (box: SeenBox, place: Place) => boolean {
  const rows = rowsWithState(document).map(({ head, line }) => ({ id: head.id, line }));
  const hidden = document.hidden.flatMap(({ tasks }) => tasks);
  const told = new Set([...rows, ...hidden].map(({ id, line }) => `${line} ${id}`));
  return ({ id }, { line }) => told.has(`${line} ${id}`);
}

/** Ids of the file, and what cannot be one of it. */
function knownIds(definitions: readonly Definition[]): (box: SeenBox) => boolean {
  const ids = new Set(definitions.map(({ id }) => id.toUpperCase()));
  const families = new Set<string>();
  for (const id of ids) families.add(letters(id));
  return ({ id = "", shape, isFirm }) =>
    shape === "phase" ||
    ids.has(id.toUpperCase()) ||
    (shape === "number" ? !isFirm : shape !== "task" && !families.has(letters(id.toUpperCase())));
}

function letters(id: string): string {
  let end = 0;
  while (end < id.length && isAlpha(id.charCodeAt(end))) end++;
  return id.slice(0, end);
}

/** `[name]: …` and `[^1]: …`: what Markdown does not show where it stands. */
const DEFINITION = /^ {0,3}\[[^\]\n]{1,100}\]:/;

function reportBox({ text, frontLines }: MarkdownDocument, place: Place, box: SeenBox, report: Report): void {
  const { line, start } = place;
  const at = { line, column: box.at - start + 1, length: box.end - box.at };
  const isFront = line <= frontLines;
  if (isFront || DEFINITION.test(text.slice(start, Math.min(box.at, start + 110)))) {
    const holder = isFront ? told`the front matter` : told`the definition of a link or footnote`;
    const hint = isFront
      ? told`move it below the line that ends the front matter`
      : told`give it a line of its own`;
    report.add("warning", "TASK_HIDDEN", at, told`${holder} holds ${box.id}; it is not read as a task`, hint);
    return;
  }
  report.add(
    "warning",
    "ITEM_IGNORED",
    at,
    told`${box.id} stands behind a box, but the line is not read as a task`,
    told`write it so if it is one: - [ ] ${box.id}: Title`,
  );
}

function reportHeading(text: string, { line, start, end }: Place, report: Report): void {
  const from = skipSpaces(text, start, end);
  let body = from;
  while (text.charCodeAt(body) === 35) body++;
  if (body === from || from - start > 3) return;
  body = skipSpaces(text, body, end);
  if ([false, true].some(numbers => readHead(text, body, end, numbers).box !== undefined)) return;
  report.add(
    "warning",
    "ITEM_IGNORED",
    { line, column: body - start + 1, length: end - body },
    told`the heading holds a box that does not begin it; it is not read as a task`,
    told`write the box and an id first if it is one: ### [ ] T1.1: Title`,
  );
}
