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

/** Takes unchanged neighbours in until both sides can be written bare: words rather than marks, to the left rather than right. */
function widened(range: Range, old: readonly string[], next: readonly string[]): Range {
  const blank = (word: string | undefined): boolean => word === undefined || word.trim() === "";
  const left = (): boolean => range.a > 0 && range.b > 0 && old[range.a - 1] === next[range.b - 1];
  const right = (): boolean =>
    range.aEnd < old.length && range.bEnd < next.length && old[range.aEnd] === next[range.bEnd];
  const grow = (toLeft: boolean): void => {
    if (toLeft) {
      range.a--;
      range.b--;
    } else {
      range.aEnd++;
      range.bEnd++;
    }
  };
  const empty = (): boolean => range.a === range.aEnd || range.b === range.bEnd;
  while (empty() && (left() || right())) {
    const side = range.a === range.aEnd ? next.slice(range.b, range.bEnd) : old.slice(range.a, range.aEnd);
    const lean = Number(blank(side[0])) - Number(blank(side.at(-1)));
    grow(left() && (!right() || lean + score(old, range.a - 1, -1) >= score(old, range.aEnd, 1)));
  }
  while ((blank(old[range.a]) || blank(next[range.b])) && left()) grow(true);
  while ((blank(old[range.aEnd - 1]) || blank(next[range.bEnd - 1])) && right()) grow(false);
  return range;
}

/** How well the text beside a change names its place: a word does, at once or behind a blank; a mark hardly. */
function score(list: readonly string[], at: number, step: 1 | -1): number {
  const near = list[at]?.trim() === "" ? list[at + step] : list[at];
  return near === undefined ? 0 : /[\p{L}\p{N}]/u.test(near) ? 2 : 1;
}
