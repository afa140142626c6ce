import type { Automaton } from "./automaton.ts";
import { EQUALS, ESC, isBreak, isQuote, SPACE, TAB } from "./bytes.ts";
import type { Cover } from "./cover.ts";
import type { Mark } from "./finders.ts";
import { createOrigins } from "./origins.ts";
import { ESCAPES } from "./quiet.ts";
import { createShapes } from "./shapes.ts";
import { createUnescape } from "./unescape.ts";

/** Bytes of line breaks that wrapping makes at most, and blanks before the line that follows. */
const LONGEST_BREAK = 4;
const LONGEST_INDENT = 32;

/** The stream as it is meant: escapes resolved, wrapped lines joined, doubled quotes single. */
export interface View {
  /**
   * Whether what may still become something consists of the bytes before `end` as they are, which have led to `state`: then
   * it goes on from there.
   */
  follows(state: number, end: number): boolean;
  /** Takes `many` bytes before `end` that mean themselves, and have led to `state`; `byte` is the last of them. */
  skip(state: number, end: number, many: number, byte: number): void;
  feed(byte: number, at: number): void;
  /** A mark stands in the bytes as they are: something of its shape may begin there. */
  begin(mark: Mark, start: number, next: number): void;
  /** Where what is not clear yet began; infinite for nowhere. */
  begun(): number;
  reset(): void;
}

/** Bytes of a pattern as the view has them. */
export function asMeant(pattern: Uint8Array): Uint8Array {
  if (!pattern.some(byte => ESCAPES[byte] === 1 || isBreak(byte) || isQuote(byte))) return pattern;
  const meant: number[] = [];
  let indent = LONGEST_INDENT;
  const resolve = createUnescape(byte => {
    if (isBreak(byte)) indent = 0;
    else if ((byte === SPACE || byte === TAB) && indent < LONGEST_INDENT) indent += 1;
    else if (byte !== ESC && !(isQuote(byte) && byte === meant.at(-1))) {
      indent = LONGEST_INDENT;
      meant.push(byte);
    }
  });
  for (const [at, byte] of pattern.entries()) resolve.feed(byte, at);
  // What is held back is no escape without what would end it.
  if (resolve.begun !== undefined) resolve.feed(0, pattern.length);
  return Uint8Array.from(meant.at(-1) === 0 ? meant.slice(0, -1) : meant);
}

export function createView(
  automaton: Automaton,
  marks: readonly Mark[],
  stands: (mark: Mark, start: number, next: number) => boolean,
  cover: Cover,
): View {
  const { step, child, depth, open, secret, mark, longest } = automaton;
  const shapes = createShapes(automaton, cover);
  const origins = createOrigins(longest);
  let state = 0;
  let last = 0;
  /** How many bytes were read before a break that was read over. */
  let joinedAt = -Infinity;
  let breaks = 0;
  let indent = 0;
  /** The state before an equals sign: before a break it is no part of the text. */
  let beforeEquals = 0;

  const advance = (byte: number, at: number, end: number): void => {
    if (byte === EQUALS) beforeEquals = state;
    origins.add(at);
    state = step(state, byte);
    last = byte;
    const length = secret[state]!;
    if (length > 0) cover(origins.of(origins.count - length), end);
    const index = mark[state]!;
    if (index > 0) found(marks[index - 1]!, end);
  };
  const found = (one: Mark, next: number): void => {
    const { length } = one.text;
    const start = origins.of(origins.count - length);
    // Wrapped lines are read over by secrets, and not by marks; what is read as it stands is found there.
    const isHere = origins.count - joinedAt >= length && (one.isRaw === undefined || next - start > length);
    if (isHere && one.isRaw !== "only" && stands(one, start, next)) shapes.begin(one, start, next);
  };
  /** Forgets the equals sign that was read last. */
  const dropEquals = (): void => {
    state = beforeEquals;
    origins.drop(1);
  };
  /** Whether the sign at the end of a line may say that it goes on. */
  const isSoft = (): boolean => last === EQUALS && open[state] === 0 && open[beforeEquals]! > 0;
  const join = (byte: number, at: number, end: number): void => {
    if (isSoft()) {
      dropEquals();
      last = 0;
    }
    breaks += 1;
    indent = 0;
    if (open[state] === 0 || breaks > LONGEST_BREAK) {
      breaks = 0;
      state = 0;
      advance(byte, at, end);
      return;
    }
    joinedAt = origins.count;
  };
  const read = (byte: number, at: number, end: number): void => {
    if (shapes.isBusy) shapes.take(byte, at, end);
    if (isBreak(byte)) {
      join(byte, at, end);
      return;
    }
    const isIndent = breaks > 0 && (byte === SPACE || byte === TAB) && indent < LONGEST_INDENT;
    if (isIndent) indent += 1;
    if (isIndent || byte === ESC || (isQuote(byte) && byte === last)) return;
    if (breaks > 0) {
      // The sign before the break may say that the line goes on, although one could stand there.
      if (last === EQUALS && child(state, byte) === 0 && child(beforeEquals, byte) !== 0) {
        dropEquals();
        joinedAt -= 1;
      }
      // The break may stand for a blank.
      if (child(state, byte) === 0 && child(state, SPACE) !== 0) advance(SPACE, at, at);
      breaks = 0;
    }
    advance(byte, at, end);
  };
  const resolve = createUnescape(read);
  return {
    follows(stood, end) {
      const isUnclear = last === EQUALS && open[beforeEquals] !== 0;
      if (breaks > 0 || isUnclear || resolve.begun !== undefined || shapes.isBusy) return false;
      const length = depth[state]!;
      if (length > 0 && end - origins.of(origins.count - length) > length) return false;
      if (state !== stood) origins.run(end, 0, depth[stood]!);
      state = stood;
      joinedAt = -Infinity;
      return true;
    },
    feed: resolve.feed,
    skip(to, end, many, byte) {
      state = to;
      last = byte;
      beforeEquals = 0;
      origins.run(end, many, depth[to]!);
    },
    begin(one, start, next) {
      if (resolve.begun === undefined) shapes.begin(one, start, next);
    },
    begun() {
      const soft = last === EQUALS && open[beforeEquals] !== 0 ? open[beforeEquals]! + 1 : 0;
      const length = Math.max(soft, open[state]!);
      const first = length === 0 ? Infinity : origins.of(origins.count - length);
      return Math.min(first, resolve.begun ?? Infinity, shapes.begun());
    },
    reset() {
      state = 0;
      last = 0;
      breaks = 0;
      beforeEquals = 0;
      joinedAt = -Infinity;
      resolve.reset();
      shapes.reset();
    },
  };
}
