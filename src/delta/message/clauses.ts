import { lineShape } from "../../markdown/index.ts";
import { isBoundary } from "./words.ts";

const CLOSING: Readonly<Record<string, string>> = {
  "(": ")",
  "[": "]",
  "{": "}",
  "`": "`",
  "「": "」",
  "（": "）",
};
/** Marks that end a clause where a blank, a closing star or the line's end follows. */
const ENDS = ",;:.!?";
/** Marks that end a clause by themselves. */
const WIDE_ENDS = "、。，：；！？";
const OPENERS = '([{“‘「（"';
const CLOSERS = ')]}”’」）"';
const QUOTES = '"“”‘’';
const EMPHASIS = "*_~";
/** Marks between blanks that stand between two clauses. */
const BETWEEN = new Set(["-", "--", "–", "—", "→", "->", "|", "+"]);
/** Characters after which an opening mark without its closing one is taken for a mark alone. */
const LONGEST_GROUP = 2_000;

/**
 * Cuts a line where a clause, a cell, a key or a group in brackets begins or ends, and around what stands between them;
 * their concatenation is the line. What brackets and backticks enclose is never cut.
 */
export function clauses(line: string): string[] {
  const cuts = new Set([ownStart(line), line.trimEnd().length]);
  const box = lineShape(line).box === undefined ? -1 : line.indexOf("[");
  if (box >= 0) cuts.add(box).add(box + 3);
  for (let at = ownStart(line); at < line.length; ) at = cutAt(line, at, cuts);
  const result: string[] = [];
  let from = 0;
  for (const at of [...cuts].sort((a, b) => a - b)) {
    if (at <= from || at >= line.length || !isBoundary(line, at)) continue;
    result.push(line.slice(from, at));
    from = at;
  }
  result.push(line.slice(from));
  return result;
}

/** Adds the cuts of what stands here; returns where to look on. */
function cutAt(line: string, at: number, cuts: Set<number>): number {
  const around = (from: number, to: number): number => {
    cuts.add(skipBack(line, from)).add(from).add(to).add(skipOn(line, to));
    return to;
  };
  const end = groupEnd(line, at);
  if (end > at) return around(at, end);
  const char = line[at]!;
  if (char === "*" && line[at + 1] === "*") return around(at, at + 2);
  if (char === "|" || WIDE_ENDS.includes(char)) return around(at, at + 1);
  if (QUOTES.includes(char)) {
    cuts.add(at).add(at + 1);
    return at + 1;
  }
  if (ENDS.includes(char) && endsHere(line, at + 1)) return around(at, at + 1);
  if (!isBlankAt(line, at)) return at + 1;
  const mark = skipOn(line, at);
  let behind = mark;
  while (behind < line.length && !isBlankAt(line, behind) && behind - mark < 3) behind++;
  return BETWEEN.has(line.slice(mark, behind)) && isBlankAt(line, behind) ? around(mark, behind) : mark;
}

/** Where the words of a line begin: behind its marks of quote, list, heading, box and row. */
export function ownStart(line: string): number {
  let at = lineShape(line).content;
  while (line[at] === "#" || line[at] === "|" || line[at] === ">" || isBlankAt(line, at)) at++;
  return at;
}

/** Whether a clause, a cell, an item or what stands in brackets may begin here. */
export function opensAt(line: string, at: number): boolean {
  let before = at;
  while (before > 0 && (isBlankAt(line, before - 1) || EMPHASIS.includes(line[before - 1]!))) before--;
  if (before <= ownStart(line)) return true;
  const mark = line[before - 1]!;
  if (mark === "|" || WIDE_ENDS.includes(mark)) return true;
  if (before < at && ENDS.includes(mark)) return true;
  if (OPENERS.includes(mark)) return before === at || !isBlankAt(line, before);
  return isBlankAt(line, before) && BETWEEN.has(line.slice(wordStart(line, before), before));
}

/** Whether one may end here. */
export function closesAt(line: string, at: number): boolean {
  let behind = at;
  while (EMPHASIS.includes(line[behind] ?? "-")) behind++;
  const mark = line[behind];
  if (mark === undefined || mark === "|" || CLOSERS.includes(mark) || WIDE_ENDS.includes(mark)) return true;
  if (ENDS.includes(mark)) return endsHere(line, behind + 1);
  const word = skipOn(line, behind);
  if (word === behind) return false;
  if (word === line.length) return true;
  if ("|([{「（".includes(line[word]!)) return true;
  let end = word;
  while (end < line.length && !isBlankAt(line, end) && end - word < 3) end++;
  return BETWEEN.has(line.slice(word, end)) && isBlankAt(line, end);
}

/** Whether a piece of a line says something by itself: a whole clause, cell, item or group, with its marks in pairs. */
export function isWhole(line: string, from: number, to: number): boolean {
  const start = skipOn(line, from);
  const end = skipBack(line, to);
  if (start >= end || groupEnd(line, start) === end) return true;
  const endsItself = ENDS.includes(line[end - 1]!) || WIDE_ENDS.includes(line[end - 1]!);
  return opensAt(line, start) && (endsItself || closesAt(line, end)) && unpaired(line, start, end) === 0;
}

/** What a piece of a line lacks to have its marks in pairs: 1 an end to its right, -1 a beginning to its left. */
export function unpaired(line: string, from: number, to: number): number {
  const text = line.slice(from, to);
  for (const mark of ["**", "`"])
    if (count(text, mark) % 2 === 1) return count(line.slice(0, from), mark) % 2 === 1 ? -1 : 1;
  for (const mark of "([{「（") {
    const open = count(text, mark) - count(text, CLOSING[mark]!);
    if (open !== 0) return Math.sign(open);
  }
  return 0;
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}

/** Where a group that begins here ends, a link's address included; the position itself when none does. */
function groupEnd(line: string, at: number): number {
  const open = line[at]!;
  const close = CLOSING[open];
  if (close === undefined) return at;
  let depth = 0;
  const limit = Math.min(line.length, at + LONGEST_GROUP);
  for (let end = at + 1; end < limit; end++) {
    if (line[end] === close) {
      if (depth > 0) depth--;
      else if (open === "[" && line[end + 1] === "(") return Math.max(end + 1, groupEnd(line, end + 1));
      else return end + 1;
    } else if (line[end] === open) depth++;
  }
  return at;
}

function endsHere(line: string, at: number): boolean {
  const mark = line[at];
  return mark === undefined || isBlankAt(line, at) || '*_~)]"'.includes(mark);
}

function wordStart(line: string, at: number): number {
  let from = at;
  while (from > 0 && !isBlankAt(line, from - 1) && at - from < 3) from--;
  return from;
}

function isBlankAt(line: string, at: number): boolean {
  return line[at] === " " || line[at] === "\t";
}

function skipOn(line: string, at: number): number {
  let on = at;
  while (on < line.length && isBlankAt(line, on)) on++;
  return on;
}

function skipBack(line: string, at: number): number {
  let back = at;
  while (back > 0 && isBlankAt(line, back - 1)) back--;
  return back;
}
