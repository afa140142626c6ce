import type { Automaton } from "./automaton.ts";
import type { Cover } from "./cover.ts";
import { ESC } from "./escapes.ts";
import type { Mark } from "./finders.ts";
import { ESCAPES } from "./lookahead.ts";
import { createOrigins } from "./origins.ts";
import { createShapes } from "./shapes.ts";
import { createUnescape } from "./unescape.ts";

/** Bytes of line breaks that wrapping makes at most, and blanks before the line that follows. */
const LONGEST_BREAK = 4;
const LONGEST_INDENT = 32;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const TAB = 0x09;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;

const isBreak = (byte: number): boolean => byte === NEWLINE || byte === RETURN;
const isQuote = (byte: number): boolean => byte === QUOTE || byte === APOSTROPHE;

/**
 * The stream as it is meant: escapes resolved, wrapped lines joined, doubled quotes single. It says something else than the
 * bytes only behind one of these, and is read only there.
 */
export interface View {
  readonly isOpen: boolean;
  /** Reads from `at` on; the bytes before it have led to this state, and `before` is the last of them. */
  enter(state: number, at: number, before: number): void;
  feed(byte: number, at: number): void;
  /** A mark stands in the bytes as they are: something of its shape may begin there. */
  begin(mark: Mark, start: number, next: number, state: number): void;
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
  stands: (mark: Mark, start: number) => boolean,
  cover: Cover,
): View {
  const { step, child, depth, open, secret, mark, longest } = automaton;
  const shapes = createShapes(automaton, cover);
  const origins = createOrigins(longest);
  let isOpen = false;
  let state = 0;
  let now = 0;
  let last = 0;
  /** Bytes since one that stands for something else, and since a break. */
  let clean = 0;
  let joined = Infinity;
  let breaks = 0;
  let indent = 0;
  /** The state before an equals sign: before a break it is no part of the text. */
  let beforeEquals = 0;

  const advance = (byte: number, at: number, end: number): void => {
    if (byte === EQUALS) beforeEquals = state;
    origins.add(at);
    state = step(state, byte);
    last = byte;
    clean = at === now && end === now + 1 ? clean + 1 : 0;
    joined += 1;
    const length = secret[state]!;
    if (length > 0) cover(origins.of(origins.count - length), end);
    const index = mark[state]!;
    if (index > 0) found(marks[index - 1]!, end);
  };
  const found = (one: Mark, next: number): void => {
    const { length } = one.text;
    const start = origins.of(origins.count - length);
    // Wrapped lines are read over by secrets, and not by marks.
    if (one.behind !== "no number" && joined >= length && stands(one, start)) shapes.begin(one, start, next);
  };
  /** Whether the sign at the end of a line may say that it goes on. */
  const isSoft = (): boolean => last === EQUALS && open[state] === 0 && open[beforeEquals]! > 0;
  const join = (byte: number, at: number, end: number): void => {
    if (isSoft()) {
      state = beforeEquals;
      origins.drop(1);
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
    joined = 0;
    clean = 0;
  };
  const resolve = createUnescape((byte, at, end) => {
    if (shapes.isBusy) shapes.take(byte, at, end);
    if (isBreak(byte)) {
      join(byte, at, end);
      return;
    }
    const isIndent = breaks > 0 && (byte === SPACE || byte === TAB) && indent < LONGEST_INDENT;
    if (isIndent) indent += 1;
    if (isIndent || byte === ESC || (isQuote(byte) && byte === last)) {
      clean = 0;
      return;
    }
    // The sign before the break may say that the line goes on, although one could stand there.
    if (breaks > 0 && last === EQUALS && child(state, byte) === 0 && child(beforeEquals, byte) !== 0) {
      state = beforeEquals;
      origins.drop(1);
    }
    // The break may stand for a blank.
    if (breaks > 0 && child(state, byte) === 0 && child(state, SPACE) !== 0) advance(SPACE, at, at);
    breaks = 0;
    advance(byte, at, end);
  });
  const enter = (from: number, at: number, before: number): void => {
    isOpen = true;
    state = from;
    last = before;
    clean = 0;
    joined = Infinity;
    breaks = 0;
    beforeEquals = 0;
    for (let distance = depth[from]!; distance > 0; distance--) origins.add(at - distance);
  };
  return {
    get isOpen() {
      return isOpen;
    },
    enter,
    feed(byte, at) {
      now = at;
      resolve.feed(byte, at);
      // What of it may still become something consists of bytes as they are.
      const isRead = clean >= depth[state]! && breaks === 0 && resolve.begun === undefined;
      if (isRead && !shapes.isBusy && !isSoft()) isOpen = false;
    },
    begin(one, start, next, from) {
      if (!isOpen) enter(from, next, one.text.charCodeAt(one.text.length - 1));
      if (resolve.begun === undefined) shapes.begin(one, start, next);
    },
    begun() {
      if (!isOpen) return Infinity;
      const length = isSoft() ? open[beforeEquals]! + 1 : open[state]!;
      const first = length === 0 ? Infinity : origins.of(origins.count - length);
      return Math.min(first, resolve.begun ?? Infinity, shapes.begun());
    },
    reset() {
      isOpen = false;
      resolve.reset();
      shapes.reset();
    },
  };
}
