import { LONGEST_TOKEN, pieceCount, pieceCut, type TokenPrefix } from "./merge.ts";
import { pieceEnd } from "./scan.ts";

/** Counts pieces until the text ends or the next piece would pass the cap; `end` is where it stopped. */
function countTo(text: string, cap: number): TokenPrefix {
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at);
    // No token is longer than that: a piece far too long is known by its length.
    if (end - at > (cap - tokens) * LONGEST_TOKEN) return { end: at, tokens };
    const cost = pieceCount(text, at, end);
    if (tokens + cost > cap) return { end: at, tokens };
    tokens += cost;
    at = end;
  }
  return { end: text.length, tokens };
}

/** Exact o200k tokens of a text, in linear time. Marks of special tokens such as `<|endoftext|>` count as plain text. */
export function countTokens(text: string): number {
  return countTo(text, Infinity).tokens;
}

/** Exact tokens of a text that has at most `cap`; undefined as soon as it has more, without reading on. */
export function countCapped(text: string, cap: number): number | undefined {
  // Not the other way round: nothing is within a cap that is no number.
  if (!(text.length <= cap * LONGEST_TOKEN)) return undefined;
  const { end, tokens } = countTo(text, cap);
  return end === text.length ? tokens : undefined;
}

/** The longest prefix within `cap` tokens that ends between pieces; the only piece of a text is cut where its first tokens end. */
export function prefixWithin(text: string, cap: number): TokenPrefix {
  const most = cap > 0 ? Math.floor(cap) : 0;
  const whole = countTo(text, most);
  if (whole.end > 0 || text.length === 0 || most < 1) return whole;
  // One piece longer than the budget: an unbroken line.
  const piece = text.slice(0, pieceEnd(text, 0)).slice(0, most * LONGEST_TOKEN);
  const { end } = pieceCut(piece, most);
  const splits = isHighSurrogate(piece.charCodeAt(end - 1));
  const cut = splits ? end - 1 : end;
  return { end: cut, tokens: countTokens(piece.slice(0, cut)) };
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
