import { contentStart } from "../../markdown/index.ts";
import type { SpanEdit } from "./edits.ts";
import { KEYS, type Keyed, type KeyIndex, RANGE, resolveKey } from "./keys.ts";
import { boxAt, findPattern, type Pattern, readPattern } from "./pattern.ts";
import { readQuoted } from "./quote.ts";
import { spaced, valueAt } from "./value.ts";
import type { View } from "./view.ts";

const ARROW = " → ";
const PLUS = " + ";
const BAR = " | ";
/** Lines that a range of keys may be of. */
const MOST_LINES = 500;
/** Replacements one change may hold: each is searched for in its line. */
const MOST_SPANS = 500;

/** Lines that may still be searched for changes without a key: a stranger could make the search quadratic. */
export interface Budget {
  lines: number;
}

/** The reason given when the budget is spent. */
export const OVERSPENT = "Too much to search";

/** One replacement or insertion as written. */
interface Part {
  /** Undefined: the whole value behind the key, or, of an insertion, the line's end. */
  readonly old: Pattern | undefined;
  readonly next: string;
  /** Whether the old text stays, and the new one is set behind it. */
  readonly adds: boolean;
}

/** One change as written: an optional key, then what happens within one line. */
interface Change {
  readonly key: string | undefined;
  readonly parts: readonly [Part, ...Part[]];
}

/**
 * Resolves `[key: ]old → new[ | old → new …]` in a section. Without a key the first `old` must stand once in the
 * section, the others once in its line; with a key (or several) each must stand once in the key's line, behind the key.
 * `key: → new` gives the line another value, `old + more` sets something behind `old`, `key: + more` at the line's end.
 */
export function readChange(view: View, index: KeyIndex, text: string, budget?: Budget): SpanEdit[] | string {
  const change = parseChange(text);
  if (change === undefined) return `Not a change: ${text}`;
  const places =
    change.key === undefined
      ? findLine(view, index, change, budget)
      : keyedLines(view, index, change.key, budget);
  if (typeof places === "string") return places;
  const edits: SpanEdit[] = [];
  for (const place of places) {
    const line = view.lines[place.line]!;
    for (const part of change.parts) {
      const found = findPart(line, part, change.key === undefined ? undefined : place.end);
      if (typeof found === "string") return `${part.old?.from ?? "A value"} is ${found} in its line`;
      edits.push({ line: place.line, ...found });
    }
  }
  return edits;
}

/** A text with what a change without a key does to it; undefined where that does not stand in it once. */
export function changedText(line: string, text: string): string | undefined {
  const change = parseChange(text);
  if (change === undefined || change.key !== undefined) return undefined;
  const found = change.parts.map(part => findPart(line, part, undefined));
  let result = "";
  let at = 0;
  for (const edit of found.sort(byPlace)) {
    if (typeof edit === "string" || edit.from < at) return undefined;
    result += line.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + line.slice(at);
}

/** `old → new`, and nothing else; undefined for any other change. */
export function readReplacement(text: string): { readonly old: string; readonly next: string } | undefined {
  const change = parseChange(text);
  if (change === undefined || change.key !== undefined || change.parts.length > 1) return undefined;
  const { old, next, adds } = change.parts[0];
  return old === undefined || old.to !== undefined || adds ? undefined : { old: old.from, next };
}

type FoundPart = ReturnType<typeof findPart>;

function byPlace(a: FoundPart, b: FoundPart): number {
  return typeof a === "string" || typeof b === "string" ? 0 : a.from - b.from;
}

/** What a part does to a line; `end` is the column behind its key, if it has one. */
function findPart(
  line: string,
  { old, next, adds }: Part,
  end: number | undefined,
): Omit<SpanEdit, "line"> | "absent" | "ambiguous" {
  if (old === undefined && adds) return { from: line.length, to: line.length, text: next };
  if (old === undefined) {
    const from = end === undefined ? undefined : valueAt(line, end);
    if (from === undefined) return "absent";
    const text = from === line.length && line.endsWith(":") ? ` ${next}` : next;
    return { from, to: line.length, text };
  }
  const found = end === undefined ? findPattern(line, old, 0) : findBehind(line, old, end);
  if (typeof found === "string") return found;
  return { from: adds ? found.to : found.from, to: found.to, text: next };
}

/** The line of a key, or the lines of several: `T1, T2`. */
function keyedLines(
  view: View,
  index: KeyIndex,
  written: string,
  budget: Budget | undefined,
): Keyed[] | string {
  const whole = resolveKey(view, index, written);
  if (typeof whole !== "string") return [whole];
  const keys = written.startsWith('"') ? [written] : written.split(KEYS);
  const lines: Keyed[] = [];
  for (const key of keys) {
    const found = rangeOf(view, index, key);
    if (typeof found === "string") return found;
    for (const line of found) lines.push(line);
  }
  if (budget !== undefined) {
    budget.lines -= lines.length;
    if (budget.lines < 0) return OVERSPENT;
  }
  return lines;
}

/** The line of one key, or all lines from the first to the last key of `T1…T4`. */
function rangeOf(view: View, index: KeyIndex, written: string): Keyed[] | string {
  const dots = written.startsWith('"') ? -1 : written.indexOf(RANGE);
  const first = resolveKey(view, index, dots < 0 ? written : written.slice(0, dots));
  if (dots < 0 || typeof first === "string") return typeof first === "string" ? first : [first];
  const last = resolveKey(view, index, written.slice(dots + 1));
  if (typeof last === "string") return last;
  if (last.line <= first.line) return `${written} names no lines in a row`;
  if (last.line - first.line > MOST_LINES) return `More than ${MOST_LINES} lines`;
  const lines: Keyed[] = [];
  for (let line = first.line; line <= last.line; line++)
    lines.push({ line, end: line === last.line ? last.end : contentStart(view.lines[line]!) });
  lines[0] = first;
  return lines;
}

/** A line's own box stands before its key, yet belongs to it; all else is looked for behind the key. */
function findBehind(line: string, pattern: Pattern, end: number): ReturnType<typeof findPattern> {
  const box = boxAt(line);
  const meant =
    box !== undefined && pattern.to === undefined && pattern.from === line.slice(box.from, box.to);
  return meant ? box : findPattern(line, pattern, end);
}

/** The one line of a section in which a pattern stands. */
function findLine(
  view: View,
  index: KeyIndex,
  { parts }: Change,
  budget: Budget | undefined,
): Keyed[] | string {
  const pattern = parts[0].old;
  if (pattern === undefined) return "No line is named";
  const { line: start, endLine } = view.sections[index.section]!;
  if (budget !== undefined) {
    budget.lines -= endLine - start;
    if (budget.lines < 0) return OVERSPENT;
  }
  let found = -1;
  for (let line = start; line < endLine; line++) {
    const hit = findPattern(view.lines[line]!, pattern, 0);
    if (hit === "absent") continue;
    if (hit === "ambiguous" || found >= 0) return `${pattern.from} stands more than once`;
    found = line;
  }
  return found < 0 ? `${pattern.from} does not stand in the section` : [{ line: found, end: 0 }];
}

function parseChange(text: string): Change | undefined {
  const parts: Part[] = [];
  let key: string | undefined;
  for (let at = 0; at <= text.length; ) {
    const sign = signAfter(text, at);
    if (sign === undefined) return undefined;
    const { left, adds } = sign;
    const split = parts.length === 0 ? keyEnd(left) : -1;
    if (split >= 0) key = left.slice(0, split);
    const written = split < 0 ? left : left.slice(split + 2);
    const isBare = written === "";
    if (isBare && (key === undefined || (!adds && parts.length > 0))) return undefined;
    const old = isBare ? undefined : readPattern(written);
    const right = readRight(text, sign.end);
    if (right === undefined || (old === undefined && !isBare)) return undefined;
    const next = adds && right.bare ? spaced(right.value) : right.value;
    if (parts.push({ old, next, adds }) > MOST_SPANS) return undefined;
    if (right.end === text.length) return { key, parts: parts as [Part, ...Part[]] };
    at = right.end + BAR.length;
  }
  return undefined;
}

/** The old side that begins at `at` and what it is followed by: an arrow, or, before the next bar, a plus. */
function signAfter(
  text: string,
  at: number,
): { readonly left: string; readonly end: number; readonly adds: boolean } | undefined {
  const arrow = text.startsWith("→ ", at) ? at : markAfter(text, ARROW, at);
  const plus = text.startsWith("+ ", at) ? at : markAfter(text, PLUS, at);
  const isPlus = plus >= 0 && (arrow < 0 || text.slice(plus, arrow).includes(BAR));
  const mark = isPlus ? plus : arrow;
  if (mark < 0) return undefined;
  const end = mark + (text[mark] === " " ? 3 : 2);
  return { left: text.slice(at, mark), end, adds: isPlus };
}

/** The mark that ends the old side beginning at `at`; marks inside quotes are text. */
function markAfter(text: string, mark: string, at: number): number {
  let from = at;
  for (;;) {
    const arrow = text.indexOf(mark, from);
    const quote = quoteStart(text, from);
    if (quote < 0 || arrow < 0 || quote > arrow) return arrow;
    const read = readQuoted(text, quote);
    from = read === undefined ? quote + 1 : read.end;
  }
}

/** Where the next quoted piece may begin: at the start of a side, behind a key, or behind an ellipsis. */
function quoteStart(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    if (at === from || text[at - 1] === "…" || text.slice(at - 2, at) === ": ") return at;
  }
  return -1;
}

/** Where the key of a first old side ends: before the last `: ` outside of quotes. */
function keyEnd(left: string): number {
  const read = readQuoted(left, 0);
  if (read !== undefined)
    return left === `${left.slice(0, read.end)}:` || left.startsWith(": ", read.end) ? read.end : -1;
  const quote = left.indexOf(': "');
  if (quote >= 0) return quote;
  return left.endsWith(":") ? left.length - 1 : left.lastIndexOf(": ");
}

/** What a change puts in: quoted, or bare up to the next ` | ` that another replacement follows. */
function readRight(text: string, at: number): { value: string; end: number; bare: boolean } | undefined {
  const read = readQuoted(text, at);
  if (read !== undefined) {
    const whole = read.end === text.length || text.startsWith(BAR, read.end);
    return whole && !read.value.includes("\n") ? { ...read, bare: false } : undefined;
  }
  const bar = text.indexOf(BAR, at);
  const end = bar < 0 ? text.length : bar;
  const value = text.slice(at, end);
  return value === "" ? undefined : { value, end, bare: true };
}
