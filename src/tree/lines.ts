/** An open code fence of a message. */
interface Fence {
  readonly mark: number;
  readonly length: number;
}

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
const BACKTICK = 96;
const TILDE = 126;

function countMarks(text: string, at: number, end: number): number {
  const mark = text.charCodeAt(at);
  let to = at;
  while (to < end && text.charCodeAt(to) === mark) to++;
  return to - at;
}

/** The fence a line opens: three or more backticks without another one behind, or tildes. */
function opening(text: string, line: MessageLine): Fence | undefined {
  const { first: mark } = line;
  if (mark !== BACKTICK && mark !== TILDE) return undefined;
  const length = countMarks(text, line.body, line.end);
  if (length < 3) return undefined;
  const another = mark === BACKTICK ? text.indexOf("`", line.body + length) : -1;
  return another >= 0 && another < line.end ? undefined : { mark, length };
}

function closes(text: string, line: MessageLine, fence: Fence): boolean {
  if (line.first !== fence.mark) return false;
  const length = countMarks(text, line.body, line.end);
  return length >= fence.length && line.body + length === line.end;
}

/** A walk over the lines of a message that knows where code fences are. Linear. */
export interface LineWalk {
  readonly line: MessageLine;
  /** Goes to the next line; false behind the last. */
  step(): boolean;
}

/** Begins a walk before the first line of a text. */
export function walkLines(text: string): LineWalk {
  const line: MessageLine = { start: 0, body: 0, first: 0, end: 0, next: 0, fenced: false };
  let fence: Fence | undefined;
  return {
    line,
    step() {
      if (line.next >= text.length) return false;
      const { next: start } = line;
      const lf = text.indexOf("\n", start);
      let end = lf < 0 ? text.length : lf;
      line.start = start;
      line.next = lf < 0 ? text.length + 1 : lf + 1;
      let body = start;
      let first = text.charCodeAt(body);
      while (body < end && isSpace(first)) first = text.charCodeAt(++body);
      while (end > body && isSpace(text.charCodeAt(end - 1))) end--;
      line.body = body;
      line.first = body < end ? first : 0;
      line.end = end;
      if (fence !== undefined) {
        line.fenced = true;
        if (closes(text, line, fence)) fence = undefined;
      } else {
        fence = body - start < 4 ? opening(text, line) : undefined;
        line.fenced = fence !== undefined;
      }
      return true;
    },
  };
}

function isSpace(code: number): boolean {
  return code === SPACE || code === TAB || code === CR || code === LF;
}
