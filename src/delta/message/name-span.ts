import { isWhole } from "./clauses.ts";
import { findPattern, type Pattern } from "./pattern.ts";
import type { Span } from "./spans.ts";
import { isBoundary } from "./words.ts";

/** A span of an old line with a pattern that finds it there, and what replaces it. */
export interface NamedSpan {
  readonly old: Pattern;
  readonly next: string;
}

/** The columns of a line within which a span may grow: behind the key or the span before, up to the span after. */
export interface Room {
  readonly from: number;
  readonly left: number;
  readonly right: number;
}

/** Where clauses of a line begin, and where they end. */
export interface Cuts {
  readonly starts: ReadonlySet<number>;
  readonly ends: ReadonlySet<number>;
}

/** Words taken in at most to make a span unique; where that is not enough, other words say it shorter. */
const MOST_GROWN = 16;
/** Old text longer than this may be named by its beginning and end. */
const SPELLED = 24;

/**
 * Names a span so that it is found once in its line from `room.from` on, widened by as many words or clauses as that takes.
 * Undefined when there is no room for it.
 */
export function nameSpan(
  old: string,
  next: string,
  span: Span,
  room: Room,
  how: {
    readonly spelled: boolean;
    readonly leftward: boolean;
    /** Where a widened span may begin and end; at any word without. */
    readonly cuts?: Cuts | undefined;
  },
): NamedSpan | undefined {
  let { from, to, nextFrom, nextTo } = span;
  for (let grown = 0; grown <= MOST_GROWN; grown++) {
    const isFit = grown === 0 || how.cuts === undefined || isWhole(old, from, to);
    if (isFit) {
      const pattern = patternOf(old, from, to, room.from, how.spelled);
      if (pattern !== undefined) return { old: pattern, next: next.slice(nextFrom, nextTo) };
    }
    const before = previousStart(old, from, room.left, how.cuts);
    const after = nextEnd(old, to, room.right, how.cuts);
    if (before < from && (how.leftward || after === to)) {
      nextFrom -= from - before;
      from = before;
    } else if (after > to) {
      nextTo += after - to;
      to = after;
    } else {
      return undefined;
    }
  }
  return undefined;
}

function patternOf(
  line: string,
  from: number,
  to: number,
  scope: number,
  spelled: boolean,
): Pattern | undefined {
  const text = line.slice(from, to);
  if (text === "") return undefined;
  if (spelled || text.length <= SPELLED) return finds(line, { from: text }, scope, from, to);
  for (let end = from + 1, tried = 0; end < to && tried < 8; end++) {
    if (!isBoundary(line, end) || isSpace(line, end - 1) || end - from < 2) continue;
    tried++;
    const head = line.slice(from, end);
    const pattern = to === line.length ? { from: head, to: "" } : tailed(line, head, end, to);
    const found = pattern === undefined ? undefined : finds(line, pattern, scope, from, to);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The shortest end of the text that is reached first from its beginning. */
function tailed(line: string, head: string, after: number, to: number): Pattern | undefined {
  for (let start = to - 1, tried = 0; start > after && tried < 6; start--) {
    if (!isBoundary(line, start) || isSpace(line, start)) continue;
    tried++;
    const tail = line.slice(start, to);
    const at = line.indexOf(tail, after);
    if (at === start) return { from: head, to: tail };
  }
  return undefined;
}

function finds(line: string, pattern: Pattern, scope: number, from: number, to: number): Pattern | undefined {
  const found = findPattern(line, pattern, scope);
  return typeof found !== "string" && found.from === from && found.to === to ? pattern : undefined;
}

function previousStart(line: string, from: number, limit: number, cuts?: Cuts): number {
  for (let at = from - 1; at >= limit; at--)
    if ((cuts?.starts.has(at) ?? isBoundary(line, at)) && !isSpace(line, at)) return at;
  return from;
}

function nextEnd(line: string, to: number, limit: number, cuts?: Cuts): number {
  for (let at = to + 1; at <= limit; at++)
    if ((cuts?.ends.has(at) ?? isBoundary(line, at)) && !isSpace(line, at - 1)) return at;
  return to;
}

function isSpace(line: string, at: number): boolean {
  return line[at] === " " || line[at] === "\t";
}
