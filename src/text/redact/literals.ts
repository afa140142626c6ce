import { alphabet } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";
import { BACKSLASH } from "./bytes.ts";
import type { Cover } from "./cover.ts";
import { hexValue } from "./escapes.ts";
import type { Finder, Mark } from "./finders.ts";
import { createOrigins } from "./origins.ts";

/** What may stand between two bytes that are written as numbers; of letters only those of an escaped break. */
const BETWEEN = alphabet(" \t\r\n,:;-|\"'[]\\");
const BREAKS = alphabet("nrt");
const LONGEST_BETWEEN = 24;

/** Reads bytes that are written as numbers, and follows what they lead to. */
interface Reading {
  /** Begins with a number that was read. */
  begin(value: number, at: number): void;
  /** Takes a byte of the text; false when nothing can come of it. */
  take(byte: number, at: number, end: number): boolean;
  /** Whether a number has ended with what was read last: one that ended there then was read as one of the list. */
  readonly isWhole: boolean;
  readonly begun: number | undefined;
}

/** `base` is 16 for pairs of digits, which may stand next to each other, or 10 for numbers below 256. */
function createReading(base: 16 | 10, automaton: Automaton, cover: Cover): Reading {
  const { step, open, secret, longest } = automaton;
  const origins = createOrigins(longest);
  let state = 0;
  let value = 0;
  let digits = 0;
  let from = 0;
  let between = 0;
  let before = 0;

  const finish = (): boolean => {
    origins.add(from);
    state = step(state, value);
    digits = 0;
    value = 0;
    return open[state] !== 0;
  };
  const inNumber = (digit: number, at: number, end: number): boolean => {
    if (digits === 0) from = at;
    between = 0;
    value = value * base + digit;
    digits += 1;
    if (value > 255 || digits > 3) return false;
    if (base === 16 && digits === 1) return true;
    // It may be the last one, and nothing behind it.
    const length = secret[step(state, value)]!;
    if (length > 0) cover(origins.of(origins.count + 1 - length), end);
    return base === 10 || finish();
  };
  return {
    begin(first, at) {
      state = step(0, first);
      origins.add(at);
      digits = 0;
      value = 0;
      between = 0;
      before = 0;
    },
    take(byte, at, end) {
      const digit = hexValue(byte);
      const wasEscaped = before === BACKSLASH;
      before = byte;
      if (digit >= 0 && digit < base) {
        // A digit right behind the mark makes it another number, unless they are pairs.
        const isTouching = base === 10 && between === 0 && digits === 0;
        return !isTouching && inNumber(digit, at, end);
      }
      // `0x41`
      if (base === 16 && byte === 0x78 && digits === 1 && value === 0) {
        digits = 0;
        return true;
      }
      if (digits > 0 && (base === 16 || !finish())) return false;
      between += 1;
      const belongs = BETWEEN[byte] === 1 || (wasEscaped && BREAKS[byte] === 1);
      return belongs && between <= LONGEST_BETWEEN;
    },
    get isWhole() {
      return digits === 0;
    },
    get begun() {
      if (open[state] !== 0) return origins.of(origins.count - open[state]!);
      // What a number begins is known when it is whole.
      return digits > 0 ? from : undefined;
    },
  };
}

/** What a text says as a pair of hexadecimal digits and as a number; negative for nothing. */
const asHex = (text: string): number => (text.length === 2 ? Number.parseInt(text, 16) : -1);
const asDecimal = (text: string): number => {
  const value = /^\d+$/.test(text) ? Number(text) : -1;
  return value > 255 ? -1 : value;
};

/**
 * A secret as a list of its bytes: `<Buffer 73 65>`, `73:65`, `0x73, 0x65`, `[115, 101]`, `0a73 6563`. Pairs of digits are read from
 * either digit of a run on: which of them begin a byte is not known.
 */
function literalFinder(cover: Cover, automaton: Automaton): Finder {
  const pairs = [createReading(16, automaton, cover), createReading(16, automaton, cover)];
  const numbers = createReading(10, automaton, cover);
  const busy = new Set<Reading>();
  const beginWithin = (start: number, text: string, before: number): void => {
    const [pair, number] = [asHex(text), asDecimal(text)];
    if (pair >= 0 && !pairs.some(one => busy.has(one) && one.isWhole)) {
      const free = pairs.find(one => !busy.has(one));
      free?.begin(pair, start);
      if (free !== undefined) busy.add(free);
    }
    // Digits before it would make it another number.
    const digit = hexValue(before);
    if (number < 0 || busy.has(numbers) || (digit >= 0 && digit < 10)) return;
    numbers.begin(number, start);
    busy.add(numbers);
  };
  return {
    begin(start, _next, text, before) {
      busy.clear();
      beginWithin(start, text, before);
    },
    beginWithin,
    take(byte, at, end) {
      for (const reading of busy) if (!reading.take(byte, at, end)) busy.delete(reading);
      return busy.size > 0;
    },
    get begun() {
      let first = Infinity;
      for (const { begun } of busy) if (begun !== undefined && begun < first) first = begun;
      return first === Infinity ? undefined : first;
    },
  };
}

/** The numbers with which lists of these secrets begin. */
export function literalMarks(secrets: Iterable<Uint8Array>): Mark[] {
  const numbers = new Set<string>();
  for (const [first = 0] of secrets) {
    const hex = first.toString(16).padStart(2, "0");
    for (const text of [hex, hex.toUpperCase(), String(first)]) if (text.length > 1) numbers.add(text);
  }
  return Array.from(numbers, text => ({
    text,
    behind: "anything",
    isRaw: "only",
    shape: "literals",
    finder: literalFinder,
  }));
}
