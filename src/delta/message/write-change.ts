import { type KeyIndex, keyFor, resolveKey } from "./keys.ts";
import { type NamedSpan, nameSpan } from "./name-span.ts";
import { writePattern } from "./pattern.ts";
import { newSide, quoted } from "./quote.ts";
import { readChange } from "./read-change.ts";
import { changedSpans, type Span } from "./spans.ts";
import { lineNumber, type View } from "./view.ts";

/** Counts the tokens of a text for the model that reads the message. */
export type CountTokens = (text: string) => number;

/** Unchanged characters between changes that may be repeated instead of beginning a new replacement. */
const JOINS = [0, 6, 24, Infinity];
/** Sections beyond this size are addressed by key only: searching them for every change would be quadratic. */
const SEARCHED_LINES = 300;
/** Lines beyond this length are compared once, not once per way of joining. */
const LONG_LINE = 4_000;

/** The cheapest way to write that a line becomes `next`; every candidate is read back before it counts. */
export function writeChange(view: View, index: KeyIndex, line: number, next: string, countTokens: CountTokens): string {
  const old = view.lines[line]!;
  const number = `L${lineNumber(view, index.section, line)}`;
  let best = { text: `${number}: ${wholeLine(old, next)}`, cost: Infinity };
  for (const text of candidates(view, index, line, next)) {
    const cost = countTokens(text);
    if (cost < best.cost && leadsTo(view, index, text, line, next)) best = { text, cost };
  }
  return best.text;
}

function* candidates(view: View, index: KeyIndex, line: number, next: string): Generator<string> {
  const old = view.lines[line]!;
  const { line: start, endLine } = view.sections[index.section]!;
  const key = keyFor(view, index, line);
  const keyed = resolveKey(view, index, key);
  const keyEnd = typeof keyed === "string" ? 0 : keyed.end;
  const joins = old.length > LONG_LINE ? JOINS.slice(0, 1) : JOINS;
  for (const join of joins) {
    const spans = changedSpans(old, next, join);
    for (const spelled of [true, false]) {
      const behindKey = writeSpans(old, next, spans, keyEnd, 0, spelled);
      if (behindKey !== undefined) yield `${key}: ${behindKey}`;
      for (let context = 0; context < 3 && endLine - start <= SEARCHED_LINES; context++) {
        const bare = writeSpans(old, next, spans, 0, context, spelled);
        if (bare !== undefined) yield bare;
      }
      const numbered = writeSpans(old, next, spans, 0, 0, spelled);
      if (numbered !== undefined) yield `L${lineNumber(view, index.section, line)}: ${numbered}`;
    }
  }
}

/** `old → new | old → new`; only the first replacement is given context. */
function writeSpans(
  old: string,
  next: string,
  spans: readonly Span[],
  from: number,
  context: number,
  spelled: boolean,
): string | undefined {
  const parts: string[] = [];
  for (const [at, span] of spans.entries()) {
    if (span.from < from) return undefined;
    const room = { from, left: spans[at - 1]?.to ?? from, right: spans[at + 1]?.from ?? old.length };
    const named = nameSpan(old, next, span, room, { context: at === 0 ? context : 0, spelled });
    if (named === undefined) return undefined;
    parts.push(written(named));
  }
  return parts.join(" | ");
}

function written(span: NamedSpan): string {
  return `${writePattern(span.old)} → ${newSide(span.next)}`;
}

function wholeLine(old: string, next: string): string {
  return `${quoted(old)} → ${newSide(next)}`;
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
