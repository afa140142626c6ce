import { clauses, closesAt, isWhole, opensAt, ownStart, unpaired } from "./clauses.ts";
import { type KeyIndex, keyFor, resolveKey } from "./keys.ts";
import { type Cuts, type NamedSpan, nameSpan } from "./name-span.ts";
import { boxAt, findPattern, writePattern } from "./pattern.ts";
import { newSide } from "./quote.ts";
import { changedText, readChange } from "./read-change.ts";
import { goesOn } from "./sentences.ts";
import { changedSpans, cutsOf, type Span, valueSpans, wholeSpans } from "./spans.ts";
import { spaced, valueAt } from "./value.ts";
import { lineNumber, type View } from "./view.ts";
import { isBoundary } from "./words.ts";

/** Counts the tokens of a text for the model that reads the message. */
export type CountTokens = (text: string) => number;

/** How the old side of a replacement is written, and where it grows when it stands there more than once. */
interface Way {
  readonly spelled: boolean;
  readonly leftward: boolean;
}

/** Old text spelled out or by its ends; ambiguous text widened to the right or to the left. */
const WAYS: readonly Way[] = [
  { spelled: true, leftward: false },
  { spelled: true, leftward: true },
  { spelled: false, leftward: false },
];
/** Sections beyond this size are addressed by key only: searching them for every change would be quadratic. */
const SEARCHED_LINES = 300;
/** Characters of a line, before and after, beyond which no clauses are looked for in it. */
const LONG_LINE = 4_000;
/** Replacements in one change: each is searched for in its line. */
const MOST_SPANS = 24;

/** Tokens a plainer wording may cost more: numbers say little to a reader, and so do small words without their line. */
export const STRAIN = 4;
/** What naming a line by its number alone may cost a reader, in tokens. */
export const NUMBERED = 12;
/** What words out of their clause may cost a reader, in tokens: they are taken where whole clauses would cost more. */
const PATCH = 60;
/** What half a sentence costs a reader, in tokens. */
export const CUT = 60;
/** What the value that was there tells a reader, in tokens. */
const UNSAID = 3;
/** Characters, at least, of what stands before an addition that say where it goes. */
const SHORTEST_ANCHOR = 10;
/** Old text of this length speaks for itself. */
const TELLING = 16;

type Range = Pick<Span, "from" | "to">;

/** The cheapest way to write that a line becomes `next`; every candidate is read back before it counts. Empty if none can. */
export function writeChange(
  view: View,
  index: KeyIndex,
  line: number,
  next: string,
  countTokens: CountTokens,
): { readonly text: string; readonly strain: number } {
  let best = { text: "", cost: Infinity, strain: 0 };
  const tried = new Map<string, number>();
  for (const { text, strain } of candidates(view, index, line, next)) {
    // Words out of their clause come last.
    if (strain >= PATCH && best.cost <= PATCH) break;
    // Several ways come to the same words.
    if ((tried.get(text) ?? Infinity) <= strain) continue;
    tried.set(text, strain);
    const cost = countTokens(text) + strain;
    const turned = cost < best.cost ? turnedBy(view, index, text, line, next) : undefined;
    if (turned !== undefined) best = { text, cost, strain: cuts(view, line, next, turned) ? CUT : strain };
  }
  // Few words of a line say no less than the line itself would.
  return { text: best.text, strain: best.strain < NUMBERED ? 0 : best.strain };
}

/** The cheapest way to say in whole clauses how a text becomes another; undefined where none is read back as that. */
export function writeText(old: string, next: string, countTokens: CountTokens): string | undefined {
  let best: string | undefined;
  for (const { spans, cuts, isBare } of statements(old, next)) {
    if (!isBare || spans.length > MOST_SPANS) continue;
    for (const way of WAYS) {
      const text = writeSpans(old, next, spans, 0, { ...way, cuts });
      if (text === undefined || (best !== undefined && countTokens(text) >= countTokens(best))) continue;
      if (changedText(old, text) === next) best = text;
    }
  }
  return best;
}

function* candidates(
  view: View,
  index: KeyIndex,
  line: number,
  next: string,
): Generator<{ text: string; strain: number }> {
  const old = view.lines[line]!;
  const { line: start, endLine } = view.sections[index.section]!;
  const number = `L${lineNumber(view, index.section, line)}`;
  const key = keyFor(view, index, line);
  const keyed = resolveKey(view, index, key);
  const keyEnd = typeof keyed === "string" ? 0 : keyed.end;
  const isSearched = endLine - start <= SEARCHED_LINES;
  const write = (spans: readonly Span[], from: number, way: Way, cuts?: Cuts): string | undefined =>
    spans.length > MOST_SPANS ? undefined : writeSpans(old, next, spans, from, { ...way, cuts });
  for (const { spans, cuts, isKeyed, isBare } of statements(old, next)) {
    for (const way of WAYS) {
      // Half a word of the value that was there tells less than none.
      if (!way.spelled && keyEnd > 0 && isValueOf(old, keyEnd, spans)) continue;
      const behindKey = isKeyed ? write(spans, keyEnd, way, cuts) : undefined;
      if (behindKey !== undefined)
        yield { text: `${key}: ${behindKey}`, strain: key === number ? NUMBERED : 0 };
      const bare = isBare && isSearched ? write(spans, 0, way, cuts) : undefined;
      if (bare !== undefined) yield { text: bare, strain: line === start ? 0 : bareStrain(bare) };
    }
  }
  for (const said of short(old, next, keyEnd))
    yield { text: `${key}: ${said.text}`, strain: said.strain + (key === number ? NUMBERED : 0) };
  for (const spans of [changedSpans(old, next, 0), changedSpans(old, next, Infinity)]) {
    for (const way of WAYS) {
      const behindKey = write(spans, keyEnd, way);
      if (behindKey !== undefined) yield { text: `${key}: ${behindKey}`, strain: PATCH };
      const numbered = write(spans, 0, way);
      if (numbered !== undefined) yield { text: `${number}: ${numbered}`, strain: PATCH + NUMBERED };
    }
  }
}

/** Whether the whole value behind a line's key gives way. */
function isValueOf(old: string, keyEnd: number, [first, ...others]: readonly Span[]): boolean {
  return others.length === 0 && first?.from === valueAt(old, keyEnd) && first?.to === old.length;
}

/** What is said behind a line's key without its old text: another value, or more at its end. */
function* short(old: string, next: string, keyEnd: number): Generator<{ text: string; strain: number }> {
  if (keyEnd === 0) return;
  const from = valueAt(old, keyEnd);
  if (
    from !== undefined &&
    next.startsWith(old.slice(0, from)) &&
    unpaired(old, from, old.length) === 0 &&
    unpaired(next, from, next.length) === 0
  ) {
    const value = next.slice(from);
    const text = from === old.length && old.endsWith(":") ? value.replace(/^ /, "") : value;
    if (text !== "") yield { text: `→ ${newSide(text)}`, strain: UNSAID };
  }
}

interface Statement {
  readonly spans: readonly Span[];
  readonly cuts: Cuts;
  /** Said behind the line's key; and by itself, but for a value, which says nothing without what it is the value of. */
  readonly isKeyed: boolean;
  readonly isBare: boolean;
}

/** The ways to say a line's change in values, clauses and cells; none for a line that is too long to look for them. */
function statements(old: string, next: string): Statement[] {
  if (old.length + next.length > LONG_LINE) return [];
  const offsets = cutsOf(old, clauses);
  const cuts = {
    starts: new Set(offsets.filter(at => opensAt(old, at))),
    ends: new Set(offsets.filter(at => closesAt(old, at))),
  };
  const apart = wholeSpans(old, next, 0, offsets);
  const values = valueSpans(old, next, apart);
  const joined = wholeSpans(old, next, Infinity, offsets);
  return [
    { spans: values, cuts, isKeyed: true, isBare: false },
    { spans: apart, cuts, isKeyed: !isSame(values, apart), isBare: true },
    ...(isSame(joined, apart) ? [] : [{ spans: joined, cuts, isKeyed: true, isBare: true }]),
  ];
}

function isSame(one: readonly Span[], other: readonly Span[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ from, to }, at) => from === other[at]!.from && to === other[at]!.to)
  );
}

/** The less a reader is shown of a line, the less they can tell what changed. */
function bareStrain(text: string): number {
  const shown = text.indexOf(" → ");
  return shown < TELLING ? STRAIN + 1 : 0;
}

/** `old → new | old → new`; undefined where a piece cannot be named, or begins before `from`. */
function writeSpans(
  old: string,
  next: string,
  spans: readonly Span[],
  from: number,
  how: Way & { readonly cuts: Cuts | undefined },
): string | undefined {
  const parts: string[] = [];
  const box = boxAt(old);
  for (const [at, span] of spans.entries()) {
    if (box !== undefined && span.from >= box.from && span.to <= box.to) {
      const shift = span.nextFrom - span.from;
      const flipped = next.slice(box.from + shift, box.to + shift);
      parts.push(written({ old: { from: old.slice(box.from, box.to) }, next: flipped }));
      continue;
    }
    if (span.from < from) return undefined;
    const more = how.cuts === undefined ? undefined : addedTo(old, next, span, from);
    if (more !== undefined) {
      parts.push(more);
      continue;
    }
    const room = { from, left: spans[at - 1]?.to ?? from, right: spans[at + 1]?.from ?? old.length };
    const named = nameSpan(old, next, span, room, how);
    if (named === undefined) return undefined;
    parts.push(written(named));
  }
  return parts.join(" | ");
}

/** `end of a clause + what is set behind it`, where nothing is taken away; without the clause at the end of a line with a key. */
function addedTo(old: string, next: string, span: Span, from: number): string | undefined {
  const added = additionOf(old, next, span);
  if (added === undefined) return undefined;
  const { at, text } = added;
  const more = newSide(text.trimStart());
  if (more.startsWith('"') || spaced(more) !== text) return undefined;
  if (at === old.length && from > 0) return `+ ${more}`;
  for (let start = at - SHORTEST_ANCHOR; start >= from; start--) {
    if (!isBoundary(old, start) || old[start] === " ") continue;
    const anchor = { from: old.slice(start, at) };
    if (!/[\p{L}\p{N}]/u.test(anchor.from)) continue;
    const found = findPattern(old, anchor, from);
    if (typeof found !== "string" && found.to === at) return `${writePattern(anchor)} + ${more}`;
  }
  return undefined;
}

/** Where in the old line a span only adds, and what; undefined where it takes away, or adds no whole clause, item or sentence. */
function additionOf(
  old: string,
  next: string,
  { from, to, nextFrom, nextTo }: Span,
): { readonly at: number; readonly text: string } | undefined {
  const [gone, come] = [old.slice(from, to), next.slice(nextFrom, nextTo)];
  let at = come.startsWith(gone) ? to : from;
  let start = come.startsWith(gone) ? nextFrom + gone.length : nextFrom;
  let end = come.startsWith(gone) ? nextTo : nextTo - gone.length;
  if (!come.startsWith(gone) && !come.endsWith(gone)) return undefined;
  for (; next[end - 1] === " " && old[at - 1] === " "; at--) {
    start--;
    end--;
  }
  const text = next.slice(start, end);
  if (text.trim() === "" || text !== text.trimEnd() || !isWhole(next, start, end)) return undefined;
  return { at, text };
}

function written(span: NamedSpan): string {
  return `${writePattern(span.old)} → ${newSide(span.next)}`;
}

/** The pieces of a line that a change, read by a stranger, turns; undefined unless that makes exactly this text of it. */
function turnedBy(
  view: View,
  index: KeyIndex,
  text: string,
  line: number,
  next: string,
): readonly Range[] | undefined {
  const edits = readChange(view, index, text);
  if (typeof edits === "string") return undefined;
  let result = "";
  let at = 0;
  const old = view.lines[line]!;
  for (const edit of edits) {
    if (edit.line !== line || edit.from < at) return undefined;
    result += old.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + old.slice(at) === next ? edits : undefined;
}

/** Whether pieces of a line begin or end it where a sentence goes on in the line before or behind. */
function cuts({ lines }: View, line: number, next: string, pieces: readonly Range[]): boolean {
  const old = lines[line]!;
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) return false;
  return (
    (first.from <= ownStart(old) && goesOn(lines[line - 1], old)) ||
    (last.to >= old.trimEnd().length && (goesOn(old, lines[line + 1]) || goesOn(next, lines[line + 1])))
  );
}
