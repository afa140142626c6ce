import { type Bounds, walkLines } from "../markdown/index.ts";

/** One line of a message. The object is reused for the next line: copy what is kept. */
export interface MessageLine {
  start: number;
  /** Where its first character stands that is neither space nor tab; `end` for a blank line. */
  body: number;
  /** Code of that character; most lines are told by it. */
  first: number;
  /** Behind its last character that is no white space. */
  end: number;
  /** Where the next line begins. */
  next: number;
  /** In a code fence, the lines that open and close it included. */
  fenced: boolean;
}

const LF = 10;
const TAB = 9;
const SPACE = 32;
const CR = 13;

/** A walk over the lines of a message that knows where code fences are. Linear. */
export interface MessageWalk {
  readonly line: MessageLine;
  /** Goes to the next line; false behind the last. */
  step(): boolean;
}

/** Begins a walk before the first line of a text. */
export function walkMessage(text: string): MessageWalk {
  const line: MessageLine = { start: 0, body: 0, first: 0, end: 0, next: 0, fenced: false };
  const blocks = walkLines(text);
  let bounds = boundsAt(text, 0);
  return {
    line,
    step() {
      if (bounds === undefined) return false;
      const { start } = bounds;
      let { end } = bounds;
      line.start = start;
      line.next = end + 1;
      bounds = boundsAt(text, end + 1);
      blocks.take(start, end, bounds);
      let body = start;
      let first = text.charCodeAt(body);
      while (body < end && isSpace(first)) first = text.charCodeAt(++body);
      while (end > body && isSpace(text.charCodeAt(end - 1))) end--;
      line.body = body;
      line.first = body < end ? first : 0;
      line.end = end;
      line.fenced = blocks.line.fence !== undefined;
      return true;
    },
  };
}

function boundsAt(text: string, start: number): Bounds | undefined {
  if (start >= text.length) return undefined;
  const end = text.indexOf("\n", start);
  return { start, end: end < 0 ? text.length : end };
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === CR || code === LF;
}
