import type { SpanEdit } from "./edits.ts";
import { type Keyed, type KeyIndex, resolveKey } from "./keys.ts";
import { boxAt, findPattern, type Pattern, readPattern } from "./pattern.ts";
import { readQuoted } from "./quote.ts";
import { KEYS } from "./shared.ts";
import type { View } from "./view.ts";

const ARROW = " → ";
/** Replacements one change may hold: each is searched for in its line. */
const MOST_SPANS = 500;

/** Lines that may still be searched for changes without a key: a stranger could make the search quadratic. */
export interface Budget {
  lines: number;
}

/** The reason given when the budget is spent. */
export const OVERSPENT = "Too much to search";

/** One change as written: an optional key, then replacements within one line. */
interface Change {
  readonly key: string | undefined;
  readonly spans: readonly { readonly old: Pattern; readonly next: string }[];
}

/**
 * Resolves `[key: ]old → new[ | old → new …]` in a section. Without a key the first `old` must stand once in the
 * section, the others once in its line; with a key (or several) each must stand once in the key's line, behind the key.
 */
export function readChange(view: View, index: KeyIndex, text: string, budget?: Budget): SpanEdit[] | string {
  const change = parseChange(text);
  if (change === undefined) return `Not a change: ${text}`;
  const places =
    change.key === undefined ? findLine(view, index, change, budget) : keyedLines(view, index, change.key);
  if (typeof places === "string") return places;
  const edits: SpanEdit[] = [];
  for (const place of places) {
    const line = view.lines[place.line]!;
    for (const { old, next } of change.spans) {
      const found = change.key === undefined ? findPattern(line, old, 0) : findBehind(line, old, place.end);
      if (typeof found === "string") return `${old.from} is ${found} in its line`;
      edits.push({ line: place.line, ...found, text: next });
    }
  }
  return edits;
}

/** The line of a key, or the lines of several: `T1, T2`. */
function keyedLines(view: View, index: KeyIndex, written: string): Keyed[] | string {
  const whole = resolveKey(view, index, written);
  if (typeof whole !== "string") return [whole];
  const keys = written.startsWith('"') ? [written] : written.split(KEYS);
  const lines: Keyed[] = [];
  for (const key of keys) {
    const found = resolveKey(view, index, key);
    if (typeof found === "string") return found;
    lines.push(found);
  }
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
  { spans }: Change,
  budget: Budget | undefined,
): Keyed[] | string {
  const pattern = spans[0]!.old;
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
  const spans: { old: Pattern; next: string }[] = [];
  let key: string | undefined;
  let at = 0;
  while (at <= text.length) {
    const arrow = arrowAfter(text, at);
    if (arrow < 0) return undefined;
    let left = text.slice(at, arrow);
    const split = spans.length === 0 ? keyEnd(left) : -1;
    if (split >= 0) {
      key = left.slice(0, split);
      left = left.slice(split + 2);
    }
    const old = readPattern(left);
    const right = readRight(text, arrow + ARROW.length);
    if (old === undefined || right === undefined) return undefined;
    if (spans.push({ old, next: right.value }) > MOST_SPANS) return undefined;
    if (right.end === text.length) return { key, spans };
    at = right.end + 3;
  }
  return undefined;
}

/** The arrow that ends the old side beginning at `at`; arrows inside quotes are text. */
function arrowAfter(text: string, at: number): number {
  let from = at;
  for (;;) {
    const arrow = text.indexOf(ARROW, from);
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
  if (read !== undefined) return left.startsWith(": ", read.end) ? read.end : -1;
  const quote = left.indexOf(': "');
  return quote >= 0 ? quote : left.lastIndexOf(": ");
}

/** What a change puts in: quoted, or bare up to the next ` | ` that another replacement follows. */
function readRight(text: string, at: number): { value: string; end: number } | undefined {
  const read = readQuoted(text, at);
  if (read !== undefined) {
    const whole = read.end === text.length || text.startsWith(" | ", read.end);
    return whole && !read.value.includes("\n") ? read : undefined;
  }
  const bar = text.indexOf(" | ", at);
  const end = bar < 0 ? text.length : bar;
  const value = text.slice(at, end);
  return value === "" ? undefined : { value, end };
}
