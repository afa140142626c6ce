import { contentStart, isBlank, keyOf } from "../../markdown/index.ts";
import { isLineNumber, oldSide, readQuoted } from "./quote.ts";
import { lineNumber, lineOfNumber, type View } from "./view.ts";
import { isBoundary } from "./words.ts";

/** The beginnings of a section's lines, for finding a line by how it begins. */
export interface KeyIndex {
  readonly section: number;
  /** Beginnings in order of code units, with their lines. */
  readonly entries: readonly { readonly text: string; readonly line: number }[];
}

/** A line a key names, and the column behind the key. */
export interface Keyed {
  readonly line: number;
  readonly end: number;
}

/** Between the keys of lines that change alike: `T1, T2: [ ] → [x]`. */
export const KEYS = ", ";
/** Between the keys of the first and the last of several lines in a row: `T1…T4: [ ] → [x]`. */
export const RANGE = "…";

const INDEXED = 200;
const LONGEST = 100;
/** A beginning this long tells a reader which line is meant, without ending in a mark. */
const TELLING = 6;
/** Ways in which words may go on behind a key; beyond that the rest is not looked at. */
const SEARCH = 1_000;

/** Indexes the lines of one section, its heading included. */
export function keyIndex(view: View, section: number): KeyIndex {
  const { line: start, endLine } = view.sections[section]!;
  const entries: { text: string; line: number }[] = [];
  for (let line = start; line < endLine; line++) {
    const text = view.lines[line]!;
    if (isBlank(text)) continue;
    const from = contentStart(text);
    entries.push({ text: text.slice(from, from + INDEXED).trimEnd(), line });
  }
  entries.sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.line - b.line));
  return { section, entries };
}

/** Finds the one line that begins with a key (its marks aside), or the line `L<number>`; a reason otherwise. */
export function resolveKey(view: View, index: KeyIndex, written: string): Keyed | string {
  if (isLineNumber(written)) {
    const line = lineOfNumber(view, index.section, Number(written.slice(1)));
    return line === undefined ? `No line ${written}` : { line, end: 0 };
  }
  const read = readQuoted(written, 0);
  if (read !== undefined && read.end !== written.length) return `Not a key: ${written}`;
  const key = read?.value ?? written;
  const found = linesOf(index, key);
  if (found.length !== 1)
    return found.length === 0 ? `No line begins with ${written}` : `Several lines begin with ${written}`;
  const line = found[0]!;
  return { line, end: contentStart(view.lines[line]!) + key.length };
}

/** Lines that begin with a key, to a word's end; at most two. */
function linesOf({ entries }: KeyIndex, key: string): number[] {
  const found: number[] = [];
  let at = lowerBound(entries, key);
  for (let seen = 0; seen < SEARCH && entries[at]?.text.startsWith(key); seen++) {
    const { text, line } = entries[at]!;
    if (isBoundary(text, key.length)) {
      if (found.push(line) > 1) return found;
      at++;
    } else {
      // The word goes on: so it does wherever the next character is the same.
      at = lowerBound(entries, key + String.fromCharCode(text.charCodeAt(key.length) + 1));
    }
  }
  return found;
}

function lowerBound(entries: KeyIndex["entries"], text: string): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.text < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How messages name a line: its own key, else its shortest telling beginning, else its number. */
export function keyFor(view: View, index: KeyIndex, line: number): string {
  const text = view.lines[line]!;
  const own = keyOf(text);
  if (own !== undefined && own.length <= 20 && named(view, index, own, line)) return oldSide(own);
  const start = contentStart(text);
  const content = text.slice(start, start + LONGEST).trimEnd();
  for (let at = 1; at <= content.length; at++) {
    if (!endsKey(content, at)) continue;
    const key = content.slice(0, at);
    if (named(view, index, key, line)) return oldSide(key);
  }
  return `L${lineNumber(view, index.section, line)}`;
}

function named(view: View, index: KeyIndex, key: string, line: number): boolean {
  const found = resolveKey(view, index, oldSide(key));
  return typeof found !== "string" && found.line === line;
}

/** Whether a beginning may end here: before a blank or a mark, or anywhere between words when it is long. */
function endsKey(content: string, at: number): boolean {
  if (content[at - 1] === " " || !isBoundary(content, at)) return false;
  const next = content[at];
  if (next === undefined || at > 20 || ":*|".includes(next)) return true;
  return " ,;)]`_".includes(next) && (at >= TELLING || hasDigit(content, at));
}

function hasDigit(text: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (text[at]! >= "0" && text[at]! <= "9") return true;
  return false;
}
