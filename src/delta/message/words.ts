const SPACE = 0;
const WORD = 1;
const PUNCTUATION = 2;
/** Marks that never begin a word: combining accents, variation selectors, joiners, skin tones. */
const JOINED = 3;
/** The zero-width joiner: what stands behind it belongs to what stands before. */
const JOINER = 0x200d;
/** Marks looked back over to find what they belong to. */
const LONGEST_CLUSTER = 16;

/** Class of a code point; characters of one class ≥ {@link WORD}, other than punctuation, form words. */
function classOf(code: number): number {
  if (code < 128) {
    if (code === 32 || (code >= 9 && code <= 13)) return SPACE;
    const letter = code | 32;
    return (letter >= 97 && letter <= 122) || (code >= 48 && code <= 57) || code === 95 ? WORD : PUNCTUATION;
  }
  if (code >= 0x300 && code <= 0x36f) return JOINED;
  if (code === JOINER || (code >= 0xfe00 && code <= 0xfe0f) || (code >= 0x1f3fb && code <= 0x1f3ff))
    return JOINED;
  if (code >= 0xac00 && code <= 0xd7a3) return 4;
  if (code >= 0x3041 && code <= 0x309f) return 5;
  if (code >= 0x30a0 && code <= 0x30ff) return 6;
  if ((code >= 0x3400 && code <= 0x9fff) || (code >= 0x20000 && code <= 0x3ffff)) return 7;
  return /[\p{L}\p{N}]/u.test(String.fromCodePoint(code)) ? WORD : PUNCTUATION;
}

/** Whether a word may begin or end at a position: it is an end of the text, or the characters beside it differ in class. */
export function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isHigh(text.charCodeAt(at - 1))) return false;
  const after = classOf(text.codePointAt(at)!);
  if (after === JOINED) return false;
  let start = previous(text, at);
  if (text.codePointAt(start) === JOINER) return false;
  let before = classOf(text.codePointAt(start)!);
  for (let steps = 0; before === JOINED && start > 0 && steps < LONGEST_CLUSTER; steps++) {
    start = previous(text, start);
    before = classOf(text.codePointAt(start)!);
  }
  // A run of one mark is one word: `--`, `**`, `░░░`.
  return before !== after || (after === PUNCTUATION && text.codePointAt(start) !== text.codePointAt(at));
}

/** Where the character before a position begins. */
function previous(text: string, at: number): number {
  return at > 1 && !isHigh(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2)) ? at - 2 : at - 1;
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Cuts a text into words, blanks and single marks; their concatenation is the text. */
export function words(text: string): string[] {
  const result: string[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at++) {
    if (!isBoundary(text, at)) continue;
    result.push(text.slice(from, at));
    from = at;
  }
  return result;
}

/**
 * Where `part` stands in `text` between word boundaries, from `from` on; -1 when it does not.
 */
export function findWhole(text: string, part: string, from: number): number {
  if (part === "") return -1;
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    if (isBoundary(text, at) && isBoundary(text, at + part.length)) return at;
  }
  return -1;
}
