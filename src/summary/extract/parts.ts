import { cuesOf, KEEPS } from "./cues.ts";

/** A sentence and what it can do without, in the order of the source. */
export interface Parted {
  /** `…` stands where a tail was. */
  readonly base: string;
  readonly parts: readonly Part[];
}

export interface Part {
  readonly text: string;
  readonly at: number;
  readonly fills: boolean;
  /** Goes on the part before it, and is told with that only. */
  readonly goesOn?: boolean;
}

/** Sentences up to this length are told whole. */
const WHOLE = 56;
/** What a part, and what stands before it, has at least. */
const LEAST = 16;
/** Where a sentence goes on with what it can do without: another clause, a reason, what follows from it, a purpose. */
const TAILS =
  / (?:—|–|--) |; |, (?:which|so|thus|thereby)(?= )| (?:because|so that)(?= )|(, [a-z]{3,14}ing| in order to| to (?:avoid|prevent|ensure|allow|enable|let|keep|match|preserve|give|support|simplify|make))(?= )/g;
/** `not because …` says what is no reason. */
const TURNED = /\b(?:not|never|only|just|partly)$/i;
/** Says that something is not settled, not done, or not certain: without it the rest would read as if it were. */
const UNSETTLED =
  /\b(?:pending|proposed|proposal|tentative(?:ly)?|draft|planned|deferred|postponed|tbd|todo|in progress|under review|awaiting|estimated?|expected|assumed|assumption|unverified|untested|unconfirmed|experimental|optional|partial(?:ly)?)\b|보류|미정|예정|미확|미검|미착|미루|진행 중|검토 중|대기|초안|임시|제안|추정|추측|예상|가정|논의|부분|일부|선택 사항/iu;
/** Clauses that are told one by one; the last of them holds the rest. */
const MOST_TAILS = 4;

/** Takes the asides and the tails off a long sentence; what denies, limits or excepts stays with what it is about. */
export function partsOf(sentence: string): Parted {
  if (sentence.length <= WHOLE) return { base: sentence, parts: [] };
  const tails = tailsOf(sentence);
  const head = sentence.slice(0, tails[0]);
  const parts: Part[] = [];
  let base = "";
  let from = 0;
  for (const { open, close } of asidesOf(head)) {
    base += head.slice(from, open);
    parts.push({ text: head.slice(open, close), at: base.length, fills: false });
    from = close;
  }
  base += head.slice(from);
  const at = base.length;
  for (const [nth, tail] of tails.entries()) {
    const next = tails[nth + 1];
    const gap = next === undefined ? "" : "…";
    parts.push({
      text: sentence.slice(tail, next) + gap,
      at,
      fills: true,
      ...(nth > 0 ? { goesOn: true } : {}),
    });
  }
  return { base: tails.length > 0 ? `${base}…` : base, parts };
}

/** Where the clauses begin, up to the sentence's end, that it can do without. */
function tailsOf(sentence: string): number[] {
  const tails: number[] = [];
  for (const { index, 1: purpose } of sentence.matchAll(TAILS)) {
    const before = sentence.slice(0, index);
    // What may not be done to some purpose may be done to another.
    if (TURNED.test(before) || (purpose !== undefined && (cuesOf(before) & KEEPS) !== 0)) continue;
    // What a tail leaves behind ends without a comma.
    const tail = sentence[index - 1] === "," ? index - 1 : index;
    if (tail - (tails.at(-1) ?? 0) >= LEAST && isOpen(sentence, tail)) tails.push(tail);
  }
  if (sentence.length - (tails.at(-1) ?? 0) < LEAST) tails.pop();
  const kept = tails.findLastIndex(
    (tail, nth) => (cuesOf(sentence.slice(tail, tails[nth + 1])) & KEEPS) !== 0,
  );
  return tails.slice(kept + 1, kept + 1 + MOST_TAILS);
}

/** Whether a place stands in no bracket and no quotation. */
function isOpen(text: string, at: number): boolean {
  let depth = 0;
  let quotes = 0;
  for (let before = 0; before < at; before++) {
    const char = text[before]!;
    if ("([{“".includes(char)) depth++;
    else if (")]}”".includes(char)) depth--;
    else if (char === '"') quotes++;
  }
  return depth <= 0 && quotes % 2 === 0;
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
    const aside = text.slice(open, close);
    if (close - open >= LEAST && (cuesOf(aside) & KEEPS) === 0 && !UNSETTLED.test(aside)) {
      yield { open, close };
      open = close - 1;
    }
  }
}

/** Cells up to this length always stand in their row. */
const SHORT_CELL = 30;

/** A row of a table, its long cells apart; the first one always stays. */
export function rowOf(cells: readonly string[]): Parted {
  const parts: Part[] = [];
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
