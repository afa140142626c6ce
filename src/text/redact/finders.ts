import { type Alphabet, alphabet, BASE64, NAME, NAMES, WORD } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";
import type { Cover } from "./cover.ts";

/** Looks for one secret of a shape at a time, byte by byte, with bounded memory. */
export interface Finder {
  /** A mark of this shape, with this text, began at `start` and ended before `next`, behind the byte `before`. */
  begin(start: number, next: number, text: string, before: number): void;
  /** One that stands in what began, where that may be another beginning; without it, it is none. */
  beginWithin?(start: number, text: string, before: number): void;
  /** Takes a byte behind the mark, and where it began and ended; false when it ends what began there. */
  take(byte: number, at: number, end: number): boolean;
  /** Where what may become a secret began, while it is not clear; undefined for nothing. */
  readonly begun: number | undefined;
}

/** What stands behind a mark at least, as it is or escaped. */
export interface Body {
  readonly of: Alphabet;
  readonly atLeast: number;
  /** A byte that is among them. */
  readonly has?: number;
}

/** A text by which a shape is recognised. */
export interface Mark {
  readonly text: string;
  /** What may stand before it: no letter and no digit, or anything. */
  readonly behind: "no word" | "anything";
  /** Whether it is read as it stands, and with its escapes resolved where it has some, or never. */
  readonly isRaw?: true | "only";
  /** Nothing begins without it; anything may where it is missing. */
  readonly body?: Body;
  /** The shape that begins with it; finders of the same shape share one. */
  readonly shape: string;
  finder(cover: Cover, automaton: Automaton): Finder;
}

export interface TokenShape {
  readonly of: Alphabet;
  /** Bytes it has at least, its prefix included. */
  readonly atLeast: number;
  /** Whether the mark itself is left standing. */
  readonly keepsMark?: boolean;
  /** Changes within words that words do not have; one where nothing is said, none where the alphabet tells enough. */
  readonly odd?: number;
}

/** Bytes within which a token shows that it is one. */
const CLEAR_WITHIN = 512;

/** Small letters from which on a capital begins another word. */
const SHORT_WORD = 3;

const DIGIT = alphabet("0123456789");
const LOWER = alphabet("abcdefghijklmnopqrstuvwxyz");

/**
 * Counts what is odd in a text of words: a digit before a letter, a capital behind one or two small letters. Random letters
 * have it every few bytes, names that are joined hardly ever.
 */
function oddity(): { take(byte: number): number; reset(): void } {
  let odd = 0;
  let wasDigit = false;
  let lower = 0;
  return {
    take(byte) {
      if (LOWER[byte] === 1) {
        if (wasDigit) odd += 1;
        lower += 1;
      } else {
        const isUpper = WORD[byte] === 1 && DIGIT[byte] === 0;
        if (isUpper && (wasDigit || (lower > 0 && lower < SHORT_WORD))) odd += 1;
        lower = 0;
      }
      wasDigit = DIGIT[byte] === 1;
      return odd;
    },
    reset() {
      odd = 0;
      wasDigit = false;
      lower = 0;
    },
  };
}

/** A run of bytes of one alphabet behind a mark. Words that are joined are none. */
function tokenFinder({ of, atLeast, keepsMark, odd = 1 }: TokenShape, cover: Cover): Finder {
  const words = oddity();
  let start = 0;
  /** As decoded: an escape counts once. */
  let length = 0;
  let isClear = false;
  return {
    begin(from, next, text) {
      start = keepsMark === true ? next : from;
      length = keepsMark === true ? 0 : text.length;
      isClear = false;
      words.reset();
    },
    take(byte, _at, end) {
      length += 1;
      if (of[byte] === 0 || (!isClear && length > CLEAR_WITHIN)) return false;
      const isRandom = words.take(byte) >= odd;
      isClear ||= isRandom && length >= atLeast;
      if (isClear) cover(start, end);
      return true;
    },
    get begun() {
      return isClear ? undefined : start;
    },
  };
}

export function token(text: string, shape: TokenShape): Mark {
  const atLeast = shape.keepsMark === true ? shape.atLeast : shape.atLeast - text.length;
  const body = { of: shape.of, atLeast };
  return { text, behind: "no word", body, shape: text, finder: cover => tokenFinder(shape, cover) };
}

const DOT = 0x2e;
const DOTTED = alphabet(...NAMES, ".");

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Bytes of base64, of either alphabet, one by one. */
function base64Reader(): { take(byte: number): number | undefined; reset(): void } {
  let bits = 0;
  let value = 0;
  return {
    take(byte) {
      const char = byte === 0x2b ? "-" : byte === 0x2f ? "_" : String.fromCharCode(byte);
      value = ((value << 6) | DIGITS.indexOf(char)) & 0xffff;
      bits += 6;
      if (bits < 8) return undefined;
      bits -= 8;
      return (value >> bits) & 0xff;
    },
    reset() {
      bits = 0;
      value = 0;
    },
  };
}

/** Bytes of a JWT's header at most. */
const LONGEST_HEADER = 2048;
/** Bytes of its second part that are needed. */
const SHORTEST_CLAIMS = 8;

/** Whether base64 decodes to an object that names an algorithm; it is not parsed, which would be slow where it fails. */
function isJwtHeader(text: string): boolean {
  const reader = base64Reader();
  let decoded = "";
  for (let at = 0; at < text.length; at++) {
    const byte = reader.take(text.charCodeAt(at));
    if (byte !== undefined) decoded += String.fromCharCode(byte);
  }
  return decoded.startsWith('{"') && decoded.includes('"alg"') && decoded.endsWith("}");
}

/** Parts of base64 joined by dots, the first of which decodes to JSON that names an algorithm. */
function jwtFinder(cover: Cover): Finder {
  let start = 0;
  let header = "";
  /** Bytes of the second part; undefined in the first. */
  let claims: number | undefined;
  return {
    begin(from) {
      start = from;
      header = "eyJ";
      claims = undefined;
    },
    take(byte, _at, end) {
      const isDot = byte === DOT;
      if (claims === undefined) {
        if (!isDot) {
          header += String.fromCharCode(byte);
          return NAME[byte] === 1 && header.length <= LONGEST_HEADER;
        }
        claims = 0;
        return isJwtHeader(header);
      }
      if (NAME[byte] === 0 && !(isDot && claims >= SHORTEST_CLAIMS)) return false;
      claims += 1;
      if (claims >= SHORTEST_CLAIMS) cover(start, end);
      return true;
    },
    get begun() {
      return (claims ?? 0) >= SHORTEST_CLAIMS ? undefined : start;
    },
  };
}

/** Base64 of a name, a colon and a password: what a login is, and a word is not. */
function loginFinder(cover: Cover): Finder {
  const reader = base64Reader();
  let start = 0;
  let isLogin = false;
  return {
    begin(_from, next) {
      start = next;
      isLogin = false;
      reader.reset();
    },
    take(byte, at, end) {
      if (BASE64[byte] === 0 && NAME[byte] === 0) return false;
      const decoded = isLogin ? undefined : reader.take(byte);
      if (decoded === 0x3a) isLogin = true;
      else if (decoded !== undefined && (decoded < 0x20 || decoded === 0x7f)) return false;
      if (isLogin) cover(start, end);
      return isLogin || at - start <= CLEAR_WITHIN;
    },
    get begun() {
      return isLogin ? undefined : start;
    },
  };
}

/** What is known by what it decodes to. */
export const ENCODED: readonly Mark[] = [
  ...["uthorization: ", "uthorization:", 'uthorization: "', 'uthorization":"'].flatMap(name =>
    ["Basic ", "basic "].map(
      (text): Mark => ({ text: name + text, behind: "anything", shape: "login", finder: loginFinder }),
    ),
  ),
  {
    text: "eyJ",
    behind: "no word",
    body: { of: DOTTED, atLeast: 0, has: DOT },
    shape: "jwt",
    finder: jwtFinder,
  },
];
