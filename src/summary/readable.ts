import { type Locale, localeOf } from "../text/index.ts";
import { MOST_CHARACTERS } from "./limits.ts";

/** What of an output is read, and how many characters of it are not. */
export interface Readable {
  readonly text: string;
  readonly unread: number;
}

/** Characters looked through for the end of a sentence or word, where a line is longer than what is read. */
const MOST_SEARCHED = 10_000;
/** Characters on either side of a position that one character may be joined of. */
const NEAR = 64;
/** Characters of a line before the marks of a fence. */
const MOST_BEFORE_FENCE = 40;

const GAP: Readonly<Record<Locale, (characters: string) => string>> = {
  en: characters => `(${characters} characters are not read here)`,
  ko: characters => `(여기서 ${characters}자는 읽지 않음)`,
};

/**
 * The beginning and the end of an output that is too long to be read whole. Between them stands a heading that says how much
 * is missing: nothing behind it belongs to a heading, list, table or fence before it. Both are cut where a section, else a
 * paragraph, else a line, else a sentence ends; a word at least, with `…`.
 */
export function readable(text: string): Readable {
  if (text.length <= MOST_CHARACTERS) return { text, unread: 0 };
  const half = MOST_CHARACTERS / 2;
  const end = endBefore(text, half);
  const start = startBehind(text, text.length - half);
  const head = `${frontMatterApart(text.slice(0, end.at))}${end.mark}`;
  const open = fenceAt(text, end.at);
  const closing = open === undefined ? "" : `\n${open}`;
  const unread = start.at - end.at;
  const gap = GAP[localeOf(head)](unread.toLocaleString("en-US"));
  const tail = `${start.mark}${text.slice(start.at)}`;
  return { text: `${head}${closing}\n\n# ${gap}\n\n${tail}`.toWellFormed(), unread };
}

interface Cut {
  readonly at: number;
  /** `…` where words are missing beside it. */
  readonly mark: "" | "…" | "… ";
}

function endBefore(text: string, half: number): Cut {
  for (const end of ["\n#", "\n\n", "\n"]) {
    const at = text.lastIndexOf(end, half);
    if (at > half / 2) return { at, mark: "" };
  }
  for (let at = half; at > half - MOST_SEARCHED; at--) if (endsSentence(text, at)) return { at, mark: "" };
  for (let at = half; at > half - MOST_SEARCHED; at--) if (isBlank(text, at)) return { at, mark: "…" };
  return { at: characterAt(text, half), mark: "…" };
}

function startBehind(text: string, from: number): Cut {
  const isFenced = fenceAt(text, from) !== undefined;
  const behindFence = isFenced ? fenceEnd(text, from) : from;
  // A block is read as a whole or not at all, however long it is.
  const last = isFenced ? text.length : from + (text.length - from) / 2;
  for (const isStart of [startsSection, startsParagraph, () => true]) {
    let at = text.indexOf("\n", behindFence);
    while (at >= 0 && at < last && !isStart(text, at + 1)) at = text.indexOf("\n", at + 1);
    if (at >= 0 && at < last) return { at: at + 1, mark: "" };
  }
  const stop = from + MOST_SEARCHED;
  for (let at = from; at < stop; at++)
    if (endsSentence(text, at)) return { at: isBlank(text, at) ? at + 1 : at, mark: "" };
  for (let at = from; at < stop; at++) if (isBlank(text, at)) return { at: at + 1, mark: "… " };
  return { at: characterAt(text, from), mark: "… " };
}

/** Where the character begins that a position stands in, with all that is joined to it. */
function characterAt(text: string, at: number): number {
  const from = at - NEAR;
  // Made here: its tables take a tenth of a short command to load.
  return from + (new Intl.Segmenter().segment(text.slice(from, at + NEAR)).containing(NEAR)?.index ?? NEAR);
}

function startsSection(text: string, at: number): boolean {
  return text[at] === "#" && text[at + 1] !== undefined && "# ".includes(text[at + 1]!);
}

/** A line behind a blank one that is no row, item or part of one. */
function startsParagraph(text: string, at: number): boolean {
  return text[at - 2] === "\n" && !" \t\n\r|-*+>0123456789".includes(text[at] ?? "\n");
}

function endsSentence(text: string, at: number): boolean {
  const mark = text[at - 1] ?? "";
  return "。！？".includes(mark) || (".!?".includes(mark) && isBlank(text, at));
}

function isBlank(text: string, at: number): boolean {
  return text[at] === " " || text[at] === "\t" || text[at] === "\n";
}

/** The marks of the fence that a position stands in; undefined outside of one. Linear. */
function fenceAt(text: string, until: number): string | undefined {
  let open: string | undefined;
  for (const { at, marks } of fences(text, 0)) {
    if (at >= until) break;
    if (open === undefined) open = marks;
    else if (closes(text, at, marks, open)) open = undefined;
  }
  return open;
}

/** Where the line ends that closes the fence which a position stands in; the position where none does. */
function fenceEnd(text: string, from: number): number {
  const open = fenceAt(text, from)!;
  for (const { at, marks } of fences(text, from))
    if (closes(text, at, marks, open)) return Math.max(at, text.indexOf("\n", at) - 1);
  return from;
}

function closes(text: string, at: number, marks: string, open: string): boolean {
  const behind = text.indexOf("\n", at);
  const rest = behind < 0 ? text.length : behind;
  const isAlone = rest - at - marks.length < 8 && text.slice(at + marks.length, rest).trim() === "";
  return isAlone && marks.startsWith(open);
}

/** Runs of three or more backticks or tildes with nothing but blanks and marks of lists before them on their line. */
function* fences(text: string, from: number): Generator<{ readonly at: number; readonly marks: string }> {
  let [tick, tilde] = [text.indexOf("```", from), text.indexOf("~~~", from)];
  while (tick >= 0 || tilde >= 0) {
    const at = tilde < 0 || (tick >= 0 && tick < tilde) ? tick : tilde;
    let end = at;
    while (text[end] === text[at]) end++;
    if (startsLine(text, at)) yield { at, marks: text.slice(at, end) };
    if (at === tick) tick = text.indexOf("```", end);
    else tilde = text.indexOf("~~~", end);
  }
}

function startsLine(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < MOST_BEFORE_FENCE && " \t>-*+.)0123456789".includes(text[start - 1]!))
    start--;
  return start === 0 || text[start - 1] === "\n";
}

/** Front matter that ends in what is not read would take in what follows. */
function frontMatterApart(head: string): string {
  return head.startsWith("---") && !head.includes("\n---", 3) ? `\n${head}` : head;
}
