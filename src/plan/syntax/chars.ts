/** Character tests on UTF-16 code units, for scanners that must stay linear. */

export const TAB = 9;
export const SPACE = 32;

export function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === 0xa0 || code === 0x3000;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isUpper(code: number): boolean {
  return code >= 65 && code <= 90;
}

export function isLower(code: number): boolean {
  return code >= 97 && code <= 122;
}

export function isAlpha(code: number): boolean {
  return isUpper(code) || isLower(code);
}

export function isAlnum(code: number): boolean {
  return isAlpha(code) || isDigit(code);
}

/** Hangul, kana, CJK ideographs and other letters beyond ASCII that names are written with. */
function isWideLetter(code: number): boolean {
  return (
    (code >= 0xc0 && code <= 0x24f && code !== 0xd7 && code !== 0xf7) ||
    (code >= 0x370 && code <= 0x1fff) ||
    (code >= 0x3005 && code <= 0x3007) ||
    (code >= 0x3041 && code <= 0x318f) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xff10 && code <= 0xff5a && code !== 0xff1a)
  );
}

/** A letter or digit of any script (surrogates, emoji and punctuation are not). */
export function isWord(code: number): boolean {
  return isAlnum(code) || (code > 0x7f && isWideLetter(code));
}

/** `*`, `_`, backtick, `~`: what Markdown wraps words in. */
export function isMarkup(code: number): boolean {
  return code === 42 || code === 95 || code === 96 || code === 126;
}

/** Symbols and emoji (either half of a surrogate pair, variation selectors): decoration before a word. */
export function isSymbol(code: number): boolean {
  return code > 0x2000 && !isWord(code) && !isSpace(code) && !isCjkPunctuation(code) && !isColon(code);
}

function isCjkPunctuation(code: number): boolean {
  return (
    (code >= 0x2010 && code <= 0x2026) ||
    (code >= 0x3001 && code <= 0x3020) ||
    (code >= 0xff01 && code <= 0xff0f)
  );
}

/** `:` or its full-width form. */
export function isColon(code: number): boolean {
  return code === 58 || code === 0xff1a;
}

/** The code units of a text: for telling lines apart by one look. */
export function codesOf(text: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (let i = 0; i < text.length; i++) codes.add(text.charCodeAt(i));
  return codes;
}

export function skipSpaces(text: string, at: number, end: number): number {
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

/** How often the character at `at` stands there in a row. */
export function countMarks(text: string, at: number, end: number): number {
  const mark = text.charCodeAt(at);
  let to = at;
  while (to < end && text.charCodeAt(to) === mark) to++;
  return to - at;
}

/** Where the text before `end` ends when trailing spaces are left off. */
export function trimEnd(text: string, start: number, end: number): number {
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** A text without the characters at its ends that are in `head` and `tail`. */
export function trimMarks(text: string, head: string, tail: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && head.includes(text[start]!)) start++;
  while (end > start && tail.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}
