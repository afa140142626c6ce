import { diffStrings } from "../intern.ts";
import { clauses, closesAt, isWhole, opensAt, unpaired } from "./clauses.ts";
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
export function changedSpans(
  old: string,
  next: string,
  join: number,
  cut: (line: string) => string[] = words,
): Span[] {
  const oldWords = cut(old);
  const nextWords = cut(next);
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

/** Where the pieces that a line is cut into begin and end. */
export function cutsOf(line: string, cut: (line: string) => string[]): readonly number[] {
  return offsets(cut(line));
}

/** Spans widened until both sides of each say something by themselves, as far as the line reaches. */
export function wholeSpans(old: string, next: string, join: number, cuts: readonly number[]): Span[] {
  const spans = changedSpans(old, next, join, clauses);
  const result: Span[] = [];
  for (let at = 0; at < spans.length; at++) {
    let span = spans[at]!;
    for (let side = lacking(old, next, span); side !== 0; side = lacking(old, next, span)) {
      const neighbour = side < 0 ? result.at(-1) : spans[at + 1];
      const grown = grow(old, span, side, cuts, neighbour);
      if (grown === undefined) break;
      if (grown.taken && side < 0) result.pop();
      else if (grown.taken) at++;
      span = grown.span;
    }
    result.push(span);
  }
  return result;
}

/** On which side a span has to grow to be whole in both texts: -1, 1, or 0 where it is. */
function lacking(old: string, next: string, { from, to, nextFrom, nextTo }: Span): -1 | 0 | 1 {
  if (isWhole(old, from, to) && isWhole(next, nextFrom, nextTo)) return 0;
  const pairs = unpaired(old, from, to) || unpaired(next, nextFrom, nextTo);
  const right = to < old.length && !(closesAt(old, to) && closesAt(next, nextTo));
  const left = from > 0 && !(opensAt(old, from) && opensAt(next, nextFrom));
  if (pairs !== 0) return pairs < 0 ? -1 : 1;
  return right ? 1 : left ? -1 : 0;
}

/** A span with the next piece, or with the span that stands there; undefined at the line's end. */
function grow(
  old: string,
  span: Span,
  side: -1 | 1,
  cuts: readonly number[],
  neighbour: Span | undefined,
): { readonly span: Span; readonly taken: boolean } | undefined {
  const { from, to, nextFrom, nextTo } = span;
  if (side < 0) {
    const start = cuts.findLast(cut => cut < from);
    if (start === undefined) return undefined;
    if (neighbour !== undefined && start < neighbour.to)
      return { span: { ...span, from: neighbour.from, nextFrom: neighbour.nextFrom }, taken: true };
    return { span: { ...span, from: start, nextFrom: nextFrom - (from - start) }, taken: false };
  }
  if (to >= old.length) return undefined;
  const end = cuts.find(cut => cut > to) ?? old.length;
  if (neighbour !== undefined && end > neighbour.from)
    return { span: { ...span, to: neighbour.to, nextTo: neighbour.nextTo }, taken: true };
  return { span: { ...span, to: end, nextTo: nextTo + (end - to) }, taken: false };
}

/** Where a word ends before the stops behind it. */
function wordEnd(word: string): number {
  let end = word.length;
  while (end > 0 && ",;.:!?".includes(word[end - 1]!)) end--;
  return end;
}

/** Words of a clause, at most, that are looked through for values. */
const MOST_WORDS = 40;

/** A number with its unit, a date, a path, a code span, a word in capitals. */
function isValue(word: string): boolean {
  const bare = word.slice(0, wordEnd(word));
  if (/[()[\]*"`]/.test(bare)) return /^`[^`]+`$/.test(bare);
  return /\d/.test(bare) || /^[\p{Lu}_-]{2,}$/u.test(bare);
}

/** Spans narrowed to the values that changed in them, where nothing else did: `12 → 13` of `Phase 12 of 19`. */
export function valueSpans(old: string, next: string, spans: readonly Span[]): Span[] {
  return spans.flatMap(span => {
    const before = old.slice(span.from, span.to).split(" ");
    const after = next.slice(span.nextFrom, span.nextTo).split(" ");
    if (before.length !== after.length || before.length > MOST_WORDS) return [span];
    const found: Span[] = [];
    let { from, nextFrom } = span;
    for (const [at, word] of before.entries()) {
      const other = after[at]!;
      if (word !== other) {
        if (!isValue(word) || !isValue(other)) return [span];
        const end = word.slice(wordEnd(word));
        const tail = other.endsWith(end) ? end.length : 0;
        if (tail === 0 && (end !== "" || wordEnd(other) < other.length)) return [span];
        found.push({
          from,
          to: from + word.length - tail,
          nextFrom,
          nextTo: nextFrom + other.length - tail,
        });
      }
      from += word.length + 1;
      nextFrom += other.length + 1;
    }
    return found;
  });
}
