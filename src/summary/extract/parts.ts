import { cuesOf, KEEPS } from "./cues.ts";

/** A sentence and what it can do without, in the order of the source. */
export interface Parted {
  /** `…` stands where a tail was. */
  readonly base: string;
  readonly parts: readonly { readonly text: string; readonly at: number; readonly fills: boolean }[];
}

/** Sentences up to this length are told whole. */
const WHOLE = 56;
/** What a part, and what stands before it, has at least. */
const LEAST = 16;
const TAILS = [" — ", " – ", "; ", " -- "] as const;

/** Takes the asides and the tail off a long sentence; what denies, limits or excepts stays with what it is about. */
export function partsOf(sentence: string): Parted {
  if (sentence.length <= WHOLE) return { base: sentence, parts: [] };
  const cut = tailAt(sentence);
  const head = cut < 0 ? sentence : sentence.slice(0, cut);
  const parts: { text: string; at: number; fills: boolean }[] = [];
  let base = "";
  let from = 0;
  for (const { open, close } of asidesOf(head)) {
    base += head.slice(from, open);
    parts.push({ text: head.slice(open, close), at: base.length, fills: false });
    from = close;
  }
  base += head.slice(from);
  if (cut >= 0) {
    parts.push({ text: sentence.slice(cut), at: base.length, fills: true });
    base += "…";
  }
  return { base, parts };
}

/** Where the first clause begins that can be left out; -1 when none can. */
function tailAt(sentence: string): number {
  let first = -1;
  for (const mark of TAILS) {
    const at = sentence.indexOf(mark, LEAST);
    if (at >= 0 && (first < 0 || at < first) && isOpen(sentence, at)) first = at;
  }
  if (first < 0 || sentence.length - first < LEAST) return -1;
  return (cuesOf(sentence.slice(first)) & KEEPS) === 0 ? first : -1;
}

/** Whether a place stands in no bracket. */
function isOpen(text: string, at: number): boolean {
  let depth = 0;
  for (let before = 0; before < at; before++) {
    if (text[before] === "(") depth++;
    else if (text[before] === ")") depth--;
  }
  return depth <= 0;
}

/** ` (…)` in prose, with the blank before it. */
function* asidesOf(text: string): Generator<{ readonly open: number; readonly close: number }> {
  for (let open = text.indexOf(" (", 8); open >= 0; open = text.indexOf(" (", open + 1)) {
    let depth = 0;
    let close = open + 1;
    for (; close < text.length; close++) {
      if (text[close] === "(") depth++;
      else if (text[close] === ")" && --depth === 0) break;
    }
    if (close === text.length) return;
    close++;
    if (close - open >= LEAST && (cuesOf(text.slice(open, close)) & KEEPS) === 0) {
      yield { open, close };
      open = close - 1;
    }
  }
}

/** Cells up to this length always stand in their row. */
const SHORT_CELL = 30;

/** A row of a table, its long cells apart; the first one always stays. */
export function rowOf(cells: readonly string[]): Parted {
  const parts: { text: string; at: number; fills: boolean }[] = [];
  let base = "";
  for (const [at, cell] of cells.entries()) {
    if (at > 0) base += " | ";
    if (at > 1 && cell.length > SHORT_CELL && (cuesOf(cell) & KEEPS) === 0) {
      parts.push({ text: cell, at: base.length, fills: true });
      base += "…";
    } else base += cell;
  }
  return { base, parts };
}
