import { type KeyIndex, keyFor, resolveKey } from "./keys.ts";
import { type NamedSpan, nameSpan } from "./name-span.ts";
import { boxAt, writePattern } from "./pattern.ts";
import { newSide } from "./quote.ts";
import { readChange } from "./read-change.ts";
import { changedSpans, type Span } from "./spans.ts";
import { lineNumber, type View } from "./view.ts";

/** Counts the tokens of a text for the model that reads the message. */
export type CountTokens = (text: string) => number;

/** Unchanged characters between changes that may be repeated instead of beginning a new replacement. */
const JOINS = [0, 6, 24, Infinity];
/** Words of context tried around changes that are searched for in their whole section. */
const CONTEXTS = [0, 1, 2];
/** Old text spelled out or by its ends; ambiguous text widened to the right or to the left. */
const WAYS = [
  { spelled: true, leftward: false },
  { spelled: true, leftward: true },
  { spelled: false, leftward: false },
];
/** Sections beyond this size are addressed by key only: searching them for every change would be quadratic. */
const SEARCHED_LINES = 300;
/** Lines beyond this length are compared twice, not once per way of joining. */
const LONG_LINE = 4_000;
/** Replacements in one change: each is searched for in its line. */
const MOST_SPANS = 24;

/** Tokens a plainer wording may cost more: numbers say little to a reader, and so do small words without their line. */
export const STRAIN = 4;
/** Old text of this length speaks for itself. */
const TELLING = 16;

/** The cheapest way to write that a line becomes `next`; every candidate is read back before it counts. Empty if none can. */
export function writeChange(
  view: View,
  index: KeyIndex,
  line: number,
  next: string,
  countTokens: CountTokens,
): string {
  let best = { text: "", cost: Infinity };
  for (const { text, strain } of candidates(view, index, line, next)) {
    const cost = countTokens(text) + strain;
    if (cost < best.cost && leadsTo(view, index, text, line, next)) best = { text, cost };
  }
  return best.text;
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
  const joins = old.length + next.length > LONG_LINE ? JOINS.slice(2) : JOINS;
  const searched = endLine - start <= SEARCHED_LINES ? CONTEXTS : [];
  for (const join of joins) {
    const spans = changedSpans(old, next, join);
    if (spans.length > MOST_SPANS) continue;
    for (const how of WAYS) {
      const behindKey = writeSpans(old, next, spans, keyEnd, { ...how, context: 0 });
      if (behindKey !== undefined)
        yield { text: `${key}: ${behindKey}`, strain: key === number ? STRAIN : 0 };
      for (const context of searched) {
        const text = writeSpans(old, next, spans, 0, { ...how, context });
        if (text !== undefined) yield { text, strain: line === start ? 0 : bareStrain(text) };
      }
      const numbered = writeSpans(old, next, spans, 0, { ...how, context: 0 });
      if (numbered !== undefined) yield { text: `${number}: ${numbered}`, strain: STRAIN };
    }
  }
}

/** The less a reader is shown of a line, the less they can tell what changed. */
function bareStrain(text: string): number {
  const shown = text.indexOf(" → ");
  return shown < TELLING ? STRAIN + 1 : 0;
}

/** `old → new | old → new`; only the first replacement is given context. */
function writeSpans(
  old: string,
  next: string,
  spans: readonly Span[],
  from: number,
  how: { readonly context: number; readonly spelled: boolean; readonly leftward: boolean },
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
    const room = { from, left: spans[at - 1]?.to ?? from, right: spans[at + 1]?.from ?? old.length };
    const named = nameSpan(old, next, span, room, at === 0 ? how : { ...how, context: 0 });
    if (named === undefined) return undefined;
    parts.push(written(named));
  }
  return parts.join(" | ");
}

function written(span: NamedSpan): string {
  return `${writePattern(span.old)} → ${newSide(span.next)}`;
}

/** Whether a change, read by a stranger, turns exactly this line into exactly this text. */
function leadsTo(view: View, index: KeyIndex, text: string, line: number, next: string): boolean {
  const edits = readChange(view, index, text);
  if (typeof edits === "string") return false;
  let result = "";
  let at = 0;
  const old = view.lines[line]!;
  for (const edit of edits) {
    if (edit.line !== line || edit.from < at) return false;
    result += old.slice(at, edit.from) + edit.text;
    at = edit.to;
  }
  return result + old.slice(at) === next;
}
