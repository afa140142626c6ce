/** What the o200k pattern tells apart about a character. */
const OTHER = 1;
const UPPER = 2;
const LOWER = 3;
/** Letters without case, modifiers and marks: they stand in both of the pattern's letter classes. */
const BOTH_LETTER = 4;
const MARK = 5;
const DIGIT = 6;
const SPACE = 7;
const NEWLINE = 8;

const CR = 13;
const LF = 10;
const BLANK = 32;
const SLASH = 47;
const APOSTROPHE = 39;

function classify(point: number): number {
  if (point === CR || point === LF) return NEWLINE;
  const char = String.fromCodePoint(point);
  if (/^\p{White_Space}$/u.test(char)) return SPACE;
  if (/^[\p{Lu}\p{Lt}]$/u.test(char)) return UPPER;
  if (/^\p{Ll}$/u.test(char)) return LOWER;
  if (/^\p{L}$/u.test(char)) return BOTH_LETTER;
  if (/^\p{M}$/u.test(char)) return MARK;
  return /^\p{N}$/u.test(char) ? DIGIT : OTHER;
}

/** Classes of the basic plane, found out character by character when first met; 0: not yet. */
const CLASSES = new Uint8Array(0x1_0000);
CLASSES.fill(BOTH_LETTER, 0xac00, 0xd7a4);
CLASSES.fill(BOTH_LETTER, 0x4e00, 0xa000);

function classOf(point: number): number {
  if (point > 0xffff) return classify(point);
  const known = CLASSES[point]!;
  if (known !== 0) return known;
  const found = classify(point);
  CLASSES[point] = found;
  return found;
}

/** The class of the character at a position, and 0 behind the end. */
function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code < 0xd800) return CLASSES[code] || classOf(code);
  return at < text.length ? classOf(text.codePointAt(at)!) : 0;
}

function widthAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00 && text.codePointAt(at)! > 0xffff ? 2 : 1;
}

const isBoth = (kind: number): boolean => kind === BOTH_LETTER || kind === MARK;

/** Behind `'s`, `'LL` and their like, or where it was. */
function afterContraction(text: string, at: number): number {
  if (text.charCodeAt(at) !== APOSTROPHE) return at;
  // Setting the sixth bit makes an ASCII letter small.
  const first = text.charCodeAt(at + 1) | 32;
  if (first === 115 || first === 100 || first === 109 || first === 116) {
    // Only letters may be made small: a digit or sign with that bit set is itself.
    return text.charCodeAt(at + 1) >= 65 ? at + 2 : at;
  }
  const second = text.charCodeAt(at + 2) | 32;
  const pair =
    (first === 108 && second === 108) || ((first === 118 || first === 114) && second === 101) ? 3 : 0;
  return pair > 0 && text.charCodeAt(at + 1) >= 65 && text.charCodeAt(at + 2) >= 65 ? at + pair : at;
}

/** The end of a word that begins here: capitals, then small letters; -1 when none does. */
function wordEnd(text: string, from: number): number {
  let at = from;
  let afterBoth = -1;
  let kind = classAt(text, at);
  while (kind === UPPER || isBoth(kind)) {
    const next = at + widthAt(text, at);
    if (isBoth(kind)) afterBoth = next;
    at = next;
    kind = classAt(text, at);
  }
  if (kind === LOWER) {
    while (kind === LOWER || isBoth(kind)) {
      at += widthAt(text, at);
      kind = classAt(text, at);
    }
    return afterContraction(text, at);
  }
  return afterBoth < 0 ? -1 : afterContraction(text, afterBoth);
}

/** The end of a run of capitals that begins here; -1 when none does. */
function capitalsEnd(text: string, from: number): number {
  let at = from;
  while (classAt(text, at) === UPPER) at += widthAt(text, at);
  return at === from ? -1 : afterContraction(text, at);
}

function lettersEnd(text: string, from: number, kind: number): number {
  const isLetter = kind === UPPER || kind === LOWER || kind === BOTH_LETTER;
  if (isLetter) {
    const end = wordEnd(text, from);
    return end < 0 ? capitalsEnd(text, from) : end;
  }
  // One sign, blank or mark may stand before the word.
  const next = from + widthAt(text, from);
  const prefixed = wordEnd(text, next);
  if (prefixed >= 0) return prefixed;
  if (kind === MARK) {
    const bare = wordEnd(text, from);
    if (bare >= 0) return bare;
  }
  return capitalsEnd(text, next);
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  for (let count = 0; count < 3 && classAt(text, at) === DIGIT; count++) at += widthAt(text, at);
  return at;
}

function signsEnd(text: string, from: number): number {
  let at = text.charCodeAt(from) === BLANK ? from + 1 : from;
  const begin = at;
  let kind = classAt(text, at);
  while (kind === OTHER || kind === MARK) {
    at += widthAt(text, at);
    kind = classAt(text, at);
  }
  if (at === begin) return -1;
  let code = text.charCodeAt(at);
  while (code === CR || code === LF || code === SLASH) code = text.charCodeAt(++at);
  return at;
}

function spaceEnd(text: string, from: number): number {
  let at = from;
  let afterNewline = -1;
  let kind = classAt(text, at);
  while (kind === SPACE || kind === NEWLINE) {
    at++;
    if (kind === NEWLINE) afterNewline = at;
    kind = classAt(text, at);
  }
  if (afterNewline >= 0) return afterNewline;
  // The last blank before something belongs to what follows.
  return at < text.length && at - from > 1 ? at - 1 : at;
}

/**
 * The end of the piece that begins at `from`: the pieces the o200k encoding merges within and never across. Written out
 * as a scanner because the published pattern backtracks.
 */
export function pieceEnd(text: string, from: number): number {
  const kind = classAt(text, from);
  if (kind === DIGIT) return digitsEnd(text, from);
  if (kind !== NEWLINE) {
    const letters = lettersEnd(text, from, kind);
    if (letters >= 0) return letters;
    const signs = signsEnd(text, from);
    if (signs >= 0) return signs;
  }
  return spaceEnd(text, from);
}
