import type { Automaton } from "./automaton.ts";
import {
  AMPERSAND,
  BACKSLASH,
  BRACKET,
  EQUALS,
  ESC,
  isBreak,
  isQuote,
  PERCENT,
  SPACE,
  TAB,
} from "./bytes.ts";
import { BYTE, belongsToName, eachByte, hexValue, LETTERS, referred } from "./escapes.ts";
import type { Body } from "./finders.ts";
import { ESCAPES, JOINTS } from "./quiet.ts";

/** Bytes of an escape, and of a break with the blanks behind it, that are looked at. */
const LONGEST_ESCAPE = 16;
const LONGEST_GAP = 64;

const LETTER_U = 0x75;
const LETTER_X = 0x78;

/** Bytes behind a mark among which one is looked for. */
const LONGEST_LOOK = 64;

/** What stands for no character, and what has to be read with care. */
const NOTHING = -1;
const UNCLEAR = -2;

/** Whether a byte that an escape stands for may begin another one with the byte behind it. */
function beginsAnother(meant: number, behind: number): boolean {
  if (meant === PERCENT) return hexValue(behind) >= 0 || ESCAPES[behind] === 1;
  if (meant === AMPERSAND) return belongsToName(behind) || ESCAPES[behind] === 1;
  return ESCAPES[meant] === 1;
}

/** Whether these bytes may stand behind `from`; true where that cannot be told from the chunk. */
export function mayFollow({ of, atLeast, has }: Body, chunk: Uint8Array, from: number): boolean {
  const last = from + (has === undefined ? atLeast : LONGEST_LOOK);
  for (let index = from; index < last; index++) {
    const byte = chunk[index];
    if (byte === undefined || byte === has || ESCAPES[byte] === 1) return true;
    if (of[byte] === 0) return false;
  }
  return true;
}

/** A byte, told from the character of the same number. */
const asByte = (value: number): number => (value < 0x80 ? value : value + BYTE);
/** Half of a pair stands for nothing by itself. */
const asPoint = (point: number): number => (point >= 0xd800 && point < 0xe000 ? UNCLEAR : point);

/**
 * Tells of escapes, breaks and quotes that nothing comes of them: nothing that is sought has begun before and goes on with what
 * they stand for, or begins with it. Looks ahead some bytes, in the chunk alone.
 */
export interface Lookahead {
  /** The index behind what stands at `at`, where `state` was led to; `at` itself where it has to be read with care. */
  past(chunk: Uint8Array, at: number, state: number): number;
}

export function createLookahead({ step, depth, open, secret, mark }: Automaton): Lookahead {
  /** Where what was read last ends. */
  let behind = 0;

  const digits = (chunk: Uint8Array, from: number, count: number): number => {
    let value = 0;
    for (let index = from; index < from + count; index++) {
      const digit = index < chunk.length ? hexValue(chunk[index]!) : -1;
      if (digit < 0) return UNCLEAR;
      value = value * 16 + digit;
    }
    behind = from + count;
    return value;
  };
  const backslash = (chunk: Uint8Array, at: number): number => {
    let next = at + 1;
    // A run of backslashes is one.
    while (next < chunk.length && chunk[next] === BACKSLASH) next++;
    if (next >= chunk.length) return UNCLEAR;
    const letter = chunk[next]!;
    if (letter === LETTER_U) return asPoint(digits(chunk, next + 1, 4));
    if (letter === LETTER_X) return asByte(digits(chunk, next + 1, 2));
    if (letter === 0x55 || (letter >= 0x30 && letter <= 0x37)) return UNCLEAR;
    behind = next + 1;
    return LETTERS[letter] === 0 ? asByte(letter) : LETTERS[letter]!;
  };
  const reference = (chunk: Uint8Array, at: number): number => {
    let end = at + 1;
    const last = Math.min(at + LONGEST_ESCAPE, chunk.length);
    while (end < last && belongsToName(chunk[end]!)) end++;
    if (end === last) return UNCLEAR;
    const point = chunk[end] === 0x3b ? referred(chunk, at + 1, end) : undefined;
    if (point === undefined) return AMPERSAND;
    behind = end + 1;
    return asPoint(point);
  };
  const sequence = (chunk: Uint8Array, at: number): number => {
    let end = at + 1;
    if (chunk[end] !== BRACKET) return end < chunk.length ? NOTHING : UNCLEAR;
    end++;
    const last = Math.min(at + LONGEST_ESCAPE, chunk.length);
    while (end < last && chunk[end]! >= 0x20 && chunk[end]! < 0x40) end++;
    behind = end + 1;
    return end < last && chunk[end]! >= 0x40 && chunk[end]! < 0x7f ? NOTHING : UNCLEAR;
  };
  const percent = (chunk: Uint8Array, at: number): number => {
    if (at + 2 >= chunk.length) return UNCLEAR;
    const value = digits(chunk, at + 1, 2);
    return value === UNCLEAR ? PERCENT : asByte(value);
  };
  /** The character that stands there, or `NOTHING`. */
  const meaning = (chunk: Uint8Array, at: number): number => {
    const first = chunk[at]!;
    behind = at + 1;
    if (first === BACKSLASH) return backslash(chunk, at);
    if (first === PERCENT) return percent(chunk, at);
    if (first === AMPERSAND) return reference(chunk, at);
    return first === ESC ? sequence(chunk, at) : first;
  };
  /** Whether the bytes as they stand lead to nothing. */
  const isQuiet = (chunk: Uint8Array, at: number, state: number): boolean => {
    let stood = state;
    for (let index = at; index < behind; index++) {
      stood = step(stood, chunk[index]!);
      if (secret[stood] !== 0 || mark[stood] !== 0) return false;
    }
    return true;
  };
  /** The state behind a character or a byte; negative where something has ended with it. */
  const stateBehind = (state: number, code: number): number => {
    let to = state;
    const take = (byte: number): void => {
      if (to >= 0) to = step(to, byte);
      if (secret[to] !== 0 || mark[to] !== 0) to = -1;
    };
    if (code < 0x80 || code >= BYTE) take(code & 255);
    else eachByte(code, take);
    return to;
  };
  /** Whether a byte as it stands may go on with what has begun before it. */
  const goesOn = (state: number, byte: number | undefined): boolean =>
    state !== 0 &&
    (byte === undefined || ESCAPES[byte] === 1 || JOINTS[byte] === 1 || depth[step(state, byte)]! > 1);

  return {
    past(chunk, at, state) {
      const point = meaning(chunk, at);
      if (point === UNCLEAR) return at;
      const isJoining = point === NOTHING || isBreak(point);
      if (isBreak(point) && open[state] !== 0) {
        const last = Math.min(behind + LONGEST_GAP, chunk.length);
        while (behind < last && (chunk[behind] === SPACE || chunk[behind] === TAB || isBreak(chunk[behind]!)))
          behind++;
      }
      const next = chunk[behind];
      if (point >= 0 && behind > at + 1 && (next === undefined || beginsAnother(point, next))) return at;
      // A quote behind its like says nothing.
      if (isQuote(point) && state !== 0 && (at === 0 || chunk[at - 1] === point)) return at;
      // An equals sign before a break may say that the line goes on.
      const isSoft = point === EQUALS && open[state] !== 0;
      if (isSoft && (next === undefined || isBreak(next) || ESCAPES[next] === 1)) return at;
      const from = isJoining ? state : stateBehind(state, point);
      if (from < 0 || goesOn(from, next) || !isQuiet(chunk, at, state)) return at;
      return isBreak(point) && goesOn(step(state, SPACE), next) ? at : behind;
    },
  };
}
