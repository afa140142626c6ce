import { diffStrings } from "../intern.ts";
import { words } from "./words.ts";

/** A piece of an old line, `[from, to)`, and what stands there in the new line, `[nextFrom, nextTo)`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly nextFrom: number;
  readonly nextTo: number;
}

/** Positions of word boundaries, `words.length + 1` of them. */
function offsets(list: readonly string[]): number[] {
  const result = [0];
  for (const word of list) result.push(result.at(-1)! + word.length);
  return result;
}

/**
 * The changed pieces of a line, at word boundaries, with neither side empty or edged by blanks (unless the line itself
 * is): unchanged stretches of at most `join` characters between two pieces are taken into them.
 */
export function changedSpans(old: string, next: string, join: number): Span[] {
  const oldWords = words(old);
  const nextWords = words(next);
  const oldAt = offsets(oldWords);
  const nextAt = offsets(nextWords);
  const spans: { a: number; aEnd: number; b: number; bEnd: number }[] = [];
  for (const edit of diffStrings(oldWords, nextWords)) {
    const span = widened({ ...edit }, oldWords, nextWords);
    const last = spans.at(-1);
    if (last !== undefined && oldAt[span.a]! - oldAt[last.aEnd]! <= join) {
      last.aEnd = Math.max(last.aEnd, span.aEnd);
      last.bEnd = Math.max(last.bEnd, span.bEnd);
    } else {
      spans.push(span);
    }
  }
  return spans.map(({ a, aEnd, b, bEnd }) => ({
    from: oldAt[a]!,
    to: oldAt[aEnd]!,
    nextFrom: nextAt[b]!,
    nextTo: nextAt[bEnd]!,
  }));
}

type Range = { a: number; aEnd: number; b: number; bEnd: number };

/** Takes unchanged neighbours in, first to the left, until both sides can be written bare. */
function widened(range: Range, old: readonly string[], next: readonly string[]): Range {
  const blank = (word: string | undefined): boolean => word === undefined || word.trim() === "";
  const starts = (): boolean => !blank(old[range.a]) && !blank(next[range.b]) && range.a < range.aEnd && range.b < range.bEnd;
  const ends = (): boolean => !blank(old[range.aEnd - 1]) && !blank(next[range.bEnd - 1]);
  while (!starts() && range.a > 0 && range.b > 0 && old[range.a - 1] === next[range.b - 1]) {
    range.a--;
    range.b--;
  }
  while ((!ends() || range.a === range.aEnd || range.b === range.bEnd) && range.aEnd < old.length && range.bEnd < next.length) {
    if (old[range.aEnd] !== next[range.bEnd]) break;
    range.aEnd++;
    range.bEnd++;
  }
  return range;
}
