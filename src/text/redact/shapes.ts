import { WORD } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";
import { BACKSLASH, BRACKET, EQUALS, ESC, PERCENT } from "./bytes.ts";
import type { Cover } from "./cover.ts";
import { hexValue, LETTERS } from "./escapes.ts";
import type { Finder, Mark } from "./finders.ts";

/** What is known by its shape, in one view of a stream. */
export interface Shapes {
  /** Takes a byte of the view, and where in the stream it began and ended. */
  take(byte: number, at: number, end: number): void;
  /** Something may begin with this mark, behind the byte `before`. */
  begin(mark: Mark, start: number, next: number, before?: number): void;
  /** Whether something has begun that has not ended. */
  readonly isBusy: boolean;
  /** Where what is not clear yet began; infinite for nowhere. */
  begun(): number;
  reset(): void;
}

export function createShapes(automaton: Automaton, cover: Cover): Shapes {
  const finders = new Map<string, Finder>();
  const busy: Finder[] = [];
  return {
    take(byte, at, end) {
      for (let index = busy.length - 1; index >= 0; index--)
        if (!busy[index]!.take(byte, at, end)) busy.splice(index, 1);
    },
    begin(mark, start, next, before = 0) {
      let finder = finders.get(mark.shape);
      if (finder === undefined) {
        finder = mark.finder(cover, automaton);
        finders.set(mark.shape, finder);
      }
      if (busy.includes(finder)) finder.beginWithin?.(start, mark.text, before);
      else {
        finder.begin(start, next, mark.text, before);
        busy.push(finder);
      }
    },
    get isBusy() {
      return busy.length > 0;
    },
    begun() {
      let first = Infinity;
      for (const { begun } of busy) if (begun !== undefined && begun < first) first = begun;
      return first;
    },
    reset() {
      busy.length = 0;
    },
  };
}

/** How many digits stand behind the letter of an escape. */
const DIGITS: readonly (readonly [letter: number, digits: number])[] = [
  [0x78, 2],
  [0x75, 4],
  [0x55, 8],
];

/** The longest sequence of a terminal, as an escape of its first byte has it. */
const LONGEST_SEQUENCE = 24;

/** Bytes that stand before a position, the nearest first. */
type Before = (distance: number) => number;

/** The value of some digits; negative where not all of them are. */
function hexBefore(before: Before, digits: number): number {
  let value = 0;
  for (let at = digits; at > 0; at--) {
    const digit = hexValue(before(at));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** What an escape stands for that ends here: a letter, a digit or something else; undefined for no escape. */
function escaped(before: Before): number | undefined {
  const last = before(1);
  if (before(2) === BACKSLASH && LETTERS[last] !== 0) return LETTERS[last];
  if (hexValue(last) < 0) return undefined;
  let sign = 3;
  // `%250A`: a percent sign that was escaped itself.
  while (sign < LONGEST_SEQUENCE && before(sign) === 0x35 && before(sign + 1) === 0x32) sign += 2;
  if (before(sign) === PERCENT || before(3) === EQUALS) {
    const value = hexBefore(before, 2);
    if (value >= 0) return value;
  }
  for (const [letter, digits] of DIGITS) {
    if (before(digits + 2) !== BACKSLASH || before(digits + 1) !== letter) continue;
    const value = hexBefore(before, digits);
    if (value >= 0) return value;
  }
  let value = 0;
  for (let length = 1; length <= 3; length++) {
    const digit = before(length) - 0x30;
    if (digit < 0 || digit > 7) return undefined;
    value += digit * 8 ** (length - 1);
    if (before(length + 1) === BACKSLASH) return value;
  }
  return undefined;
}

/** Whether a sequence of a terminal ends here, as it is or with its first byte escaped. */
function isSequence(before: Before): boolean {
  let at = 2;
  while (at < LONGEST_SEQUENCE && before(at) >= 0x30 && before(at) < 0x40) at++;
  if (before(at) !== BRACKET) return false;
  const first = before(at + 1);
  // ESC, `\e`, `^[`, `\x1b`, `\u001b`, `\033`
  const isWritten = /(?:\\e|\^\[|\\x1[bB]|\\u001[bB]|\\0?33)$/;
  const text = Array.from({ length: 6 }, (_, index) => String.fromCharCode(before(at + 6 - index))).join("");
  return first === ESC || isWritten.test(text);
}

/** Whether a mark may begin where these bytes stand before it. */
export function mayBegin({ behind }: Mark, before: Before): boolean {
  const last = before(1);
  if (behind === "anything" || WORD[last] === 0) return true;
  const meant = escaped(before);
  return meant === undefined ? isSequence(before) : meant > 0x7f || WORD[meant] === 0;
}
