import { AMPERSAND, BACKSLASH, ESC } from "./bytes.ts";

/** What a byte behind the beginning of an escape does to it. */
export const GOES_ON = -1;
/** It is none: what was read stands for itself. */
export const NO_ESCAPE = -2;
/** It says nothing, and parts words. */
export const SILENT = -3;
/** Added to a code: it is a byte and no character; it ended before the byte that was read. */
export const BYTE = 2 ** 24;
export const ENDED = 2 ** 25;

/** Reads one kind of escape: `take` gives what it stands for (a code, with `BYTE` and `ENDED`), or one of the above. */
export interface Escape {
  /** Whether its first byte stands for itself where it is no escape. */
  readonly isText: boolean;
  begin(): void;
  take(byte: number): number;
}

/** A number that is no character's, and below what is added to one. */
const NO_POINT = 0x11_0000;

/** Bytes of an escape at most, its first and all further backslashes apart. */
export const LONGEST_ESCAPE = 32;

/** A character in UTF-8. */
export function eachByte(point: number, take: (byte: number) => void): void {
  const more = point < 0x800 ? 1 : point < 0x1_0000 ? 2 : 3;
  if (point < 0x80) {
    take(point);
    return;
  }
  take(((0xf0 << (3 - more)) & 0xff) | (point >> (6 * more)));
  for (let left = more - 1; left >= 0; left--) take(0x80 | ((point >> (6 * left)) & 63));
}

export function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/** What letters behind a backslash stand for; 0 for themselves. */
export const LETTERS: Uint8Array = new Uint8Array(256);
for (const [letter, code] of Object.entries({ n: 10, r: 13, t: 9, b: 8, f: 12, v: 11, a: 7, e: ESC }))
  LETTERS[letter.charCodeAt(0)] = code;

/** Digits behind a letter: two bytes of hexadecimal behind `\x`, and so on. */
const DIGITS: ReadonlyMap<number, number> = new Map([
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
]);
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** `\n`, `\x41`, `\u0041`, `\U00000041`, `\u{41}`, `\101`, any other byte as itself. A run of backslashes is one. */
export function backslash(): Escape {
  let phase: "first" | "octal" | "hex" | "braces" = "first";
  let letter = 0;
  let value = 0;
  let digits = 0;

  const first = (byte: number): number => {
    if (byte === BACKSLASH) return GOES_ON;
    digits = DIGITS.get(byte) ?? 0;
    if (digits > 0) {
      phase = "hex";
      letter = byte;
      value = 0;
      return GOES_ON;
    }
    if (byte < 0x30 || byte > 0x37) return BYTE + (LETTERS[byte] === 0 ? byte : LETTERS[byte]!);
    phase = "octal";
    value = byte - 0x30;
    digits = 1;
    return GOES_ON;
  };
  const octal = (byte: number): number => {
    const digit = byte - 0x30;
    if (digit < 0 || digit > 7 || value * 8 + digit > 0xff) return BYTE + ENDED + value;
    value = value * 8 + digit;
    digits += 1;
    return digits === 3 ? BYTE + value : GOES_ON;
  };
  const hex = (byte: number): number => {
    const digit = hexValue(byte);
    if (byte === BRACE && letter !== 0x55 && digits === DIGITS.get(letter)) {
      phase = "braces";
      digits = 0;
      return GOES_ON;
    }
    if (digit < 0) return NO_ESCAPE;
    value = value * 16 + digit;
    digits -= 1;
    if (digits > 0) return GOES_ON;
    return letter === 0x78 ? BYTE + value : Math.min(value, NO_POINT);
  };
  const braces = (byte: number): number => {
    const digit = hexValue(byte);
    if (byte === BRACE_END && digits > 0) return Math.min(value, NO_POINT);
    if (digit < 0 || digits === 8) return NO_ESCAPE;
    value = value * 16 + digit;
    digits += 1;
    return GOES_ON;
  };
  const phases = { first, octal, hex, braces };
  return {
    isText: false,
    begin() {
      phase = "first";
    },
    take: byte => phases[phase](byte),
  };
}

/** `%41` in upper and lower case. */
export function percent(): Escape {
  let high = -1;
  return {
    isText: true,
    begin() {
      high = -1;
    },
    take(byte) {
      const digit = hexValue(byte);
      if (digit < 0) return NO_ESCAPE;
      if (high >= 0) return BYTE + high * 16 + digit;
      high = digit;
      return GOES_ON;
    },
  };
}

/** The named references that writers of HTML use; numbers stand behind a sign. */
const NAMED: readonly (readonly [name: Uint8Array, code: number])[] = Object.entries({
  amp: AMPERSAND,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
}).map(([name, code]) => [new TextEncoder().encode(name), code]);
const NUMBER_SIGN = 0x23;
/** The longest name that is read: `#x0010ffff`. */
const LONGEST_NAME = 10;

/** The character that a reference of HTML names, by the bytes between its signs. */
export function referred(name: Uint8Array, from: number, end: number): number | undefined {
  if (name[from] !== NUMBER_SIGN)
    return NAMED.find(
      ([known]) => known.length === end - from && known.every((byte, at) => byte === name[from + at]),
    )?.[1];
  const base = (name[from + 1]! | 0x20) === 0x78 ? 16 : 10;
  const first = base === 16 ? from + 2 : from + 1;
  let point = 0;
  for (let at = first; at < end; at++) {
    const digit = hexValue(name[at]!);
    if (digit < 0 || digit >= base) return undefined;
    point = point * base + digit;
  }
  return first < end && point > 0 && point <= 0x10ffff ? point : undefined;
}

/** Whether a byte may stand in the name of a reference. */
export function belongsToName(byte: number): boolean {
  const lower = byte | 0x20;
  return byte === NUMBER_SIGN || (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x7a);
}

export function reference(): Escape {
  const name = new Uint8Array(LONGEST_NAME);
  let length = 0;
  return {
    isText: true,
    begin() {
      length = 0;
    },
    take(byte) {
      if (byte === 0x3b) return referred(name, 0, length) ?? NO_ESCAPE;
      if (length === LONGEST_NAME || !belongsToName(byte)) return NO_ESCAPE;
      name[length] = byte;
      length += 1;
      return GOES_ON;
    },
  };
}

/** Sequences of terminals: `ESC [ … m` and its like. */
export function sequence(): Escape {
  let length = 0;
  return {
    isText: true,
    begin() {
      length = 0;
    },
    take(byte) {
      length += 1;
      if (length === 1) return byte === 0x5b ? GOES_ON : NO_ESCAPE;
      if (byte >= 0x40 && byte < 0x7f) return SILENT;
      return byte >= 0x20 && byte < 0x40 && length <= LONGEST_ESCAPE ? GOES_ON : NO_ESCAPE;
    },
  };
}
