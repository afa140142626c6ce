import { type Alphabet, alphabet } from "./alphabet.ts";
import { AMPERSAND, BACKSLASH, ESC, hexValue, LETTERS, PERCENT, referred } from "./escapes.ts";

/** Bytes behind an escape's beginning that are looked at. */
const LOOKED_AT = 12;

/** Bytes that begin an escape. */
export const ESCAPES: Alphabet = alphabet("\\%&\u001b");
/** Bytes at which a text that has begun may go on elsewhere. */
export const JOINTS: Alphabet = alphabet("\r\n\"'=");
const DIGITS = alphabet("0123456789ABCDEFabcdef");
const REFERENCES = alphabet("#algq");

/**
 * Where something may begin that is sought, by `first << 8 | second`: 0 for nowhere, 2 where an escape has to be looked at.
 */
export type Starts = Uint8Array;

/** Where patterns begin, as they are or behind one escape. */
export function startsOf(patterns: readonly Uint8Array[]): Starts {
  const starts = new Uint8Array(65_536);
  for (const [first = 0, second = 0] of patterns) {
    starts[(first << 8) | second] = 1;
    for (let byte = 0; byte < 256; byte++)
      if (ESCAPES[byte] === 1 || JOINTS[byte] === 1) starts[(first << 8) | byte] = 1;
  }
  for (let byte = 0; byte < 256; byte++) {
    const look = (first: number): void => {
      if (starts[(first << 8) | byte] === 0) starts[(first << 8) | byte] = 2;
    };
    const meant = LETTERS[byte] === 0 ? byte : LETTERS[byte]!;
    const isMore = byte === BACKSLASH || byte === 0x75 || byte === 0x78 || byte === 0x55;
    const isOctal = byte >= 0x30 && byte <= 0x37;
    // What a pattern begins with may also stand before an escape.
    if (isMore || isOctal || starts[(meant << 8) | BACKSLASH] === 1) look(BACKSLASH);
    if (DIGITS[byte] === 1) look(PERCENT);
    if (REFERENCES[byte] === 1) look(AMPERSAND);
  }
  return starts;
}

function digits(chunk: Uint8Array, from: number, count: number): number {
  let value = 0;
  for (let at = from; at < from + count; at++) {
    const digit = hexValue(chunk[at]!);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** The first byte of a character. */
const leading = (point: number): number => {
  if (point < 0x80) return point;
  if (point < 0x800) return 0xc0 | (point >> 6);
  // The first half of a pair stands for a character of four bytes.
  if (point >= 0xd800 && point < 0xdc00) return 0xf0 | ((0x40 + point - 0xd800) >> 8);
  return point < 0x1_0000 ? 0xe0 | (point >> 12) : 0xf0 | (point >> 18);
};

/**
 * Whether something that is sought may begin with an escape that begins here. True where that cannot be told yet; an escape
 * that is none begins nothing.
 */
export function beginsSomething(chunk: Uint8Array, at: number, starts: Starts): boolean {
  const first = chunk[at]!;
  if (first === ESC) return false;
  let next = at + 1;
  // A run of backslashes is one escape.
  if (first === BACKSLASH && at > 0 && chunk[at - 1] === BACKSLASH) return false;
  if (first === BACKSLASH) while (next < chunk.length && chunk[next] === BACKSLASH) next++;
  if (next + LOOKED_AT > chunk.length) return true;
  const leads = (byte: number, behind: number): boolean => {
    const second = byte < 0x80 ? chunk[behind] : BACKSLASH;
    return second === undefined || starts[(byte << 8) | second] !== 0;
  };
  const letter = chunk[next]!;
  if (first === PERCENT) {
    const value = digits(chunk, next, 2);
    return value >= 0 && leads(value, next + 2);
  }
  if (first === AMPERSAND) {
    let end = next;
    while (chunk[end] !== 0x3b) if (++end === next + LOOKED_AT) return false;
    const point = referred(String.fromCharCode(...chunk.subarray(next, end)));
    return point !== undefined && leads(leading(point), end + 1);
  }
  if (letter === 0x75) {
    const value = digits(chunk, next + 1, 4);
    if (value < 0) return chunk[next + 1] === 0x7b;
    return leads(leading(value), next + 5);
  }
  if (letter === 0x78) {
    const value = digits(chunk, next + 1, 2);
    return value < 0 ? chunk[next + 1] === 0x7b : leads(value, next + 3);
  }
  if (letter === 0x55 || (letter >= 0x30 && letter <= 0x37)) return true;
  return leads(LETTERS[letter] === 0 ? letter : LETTERS[letter]!, next + 1);
}
