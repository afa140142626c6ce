import { isColon, isDigit, isSpace, SPACE, skipSpaces, TAB } from "./chars.ts";

/** `open`, `code` and `close` are the lines of a code fence; everything else stands outside of one. */
export type LineKind = "heading" | "item" | "row" | "text" | "open" | "code" | "close";

/** One line that says something. The object is reused for the next line: copy what is kept. */
export interface Line {
  kind: LineKind;
  /** 1-based. */
  number: number;
  start: number;
  /** Offset after the last character, line ending left off. */
  end: number;
  /** Columns before the first character that is no space. */
  indent: number;
  /** Of a heading: how many `#`. */
  level: number;
  /** Where the content begins, after `#`, bullet or quote mark. */
  body: number;
  /** Inside a block quote. */
  quoted: boolean;
  afterBlank: boolean;
  /** Of a fence line: the words after the opening mark. */
  info: string;
}

/** Where scanning begins: after front matter, if any. */
export interface Cursor {
  readonly offset: number;
  readonly line: number;
}

/** What stood open when the text ended. */
export interface Unclosed {
  readonly what: "fence" | "comment";
  readonly line: number;
  /** Offset after the line that opened it. */
  readonly after: number;
}

interface Fence {
  /** How many fences are open inside of each other; more than one only in a Markdown example. */
  depth: number;
  readonly mark: number;
  readonly length: number;
  readonly quoted: boolean;
  readonly info: string;
  readonly line: number;
  /** Offset after the line that opens it. */
  readonly after: number;
}

function countMarks(text: string, at: number, end: number): number {
  const mark = text.charCodeAt(at);
  let to = at;
  while (to < end && text.charCodeAt(to) === mark) to++;
  return to - at;
}

/** The fence a line opens, if it opens one: three or more backticks (no further ones behind) or tildes. */
function openFence(text: string, line: Line): Fence | undefined {
  const mark = text.charCodeAt(line.body);
  if (mark !== 96 && mark !== 126) return undefined;
  const length = countMarks(text, line.body, line.end);
  if (length < 3) return undefined;
  const info = text.slice(line.body + length, line.end).trim();
  if (mark === 96 && info.includes("`")) return undefined;
  return { depth: 1, mark, length, quoted: line.quoted, info, line: line.number, after: line.end };
}

function closesFence(text: string, line: Line, fence: Fence): boolean {
  if (text.charCodeAt(line.body) !== fence.mark) return false;
  const length = countMarks(text, line.body, line.end);
  return length >= fence.length && skipSpaces(text, line.body + length, line.end) === line.end;
}

/** In a Markdown example fences are shown with their ends: ```` ```bash ```` opens another one there. */
function opensInside(text: string, line: Line, fence: Fence): boolean {
  if (!/^(?:markdown|md)\b/i.test(fence.info)) return false;
  const inner = openFence(text, line);
  // Shorter fences neither open nor end anything in it.
  return (
    inner !== undefined && inner.info !== "" && inner.mark === fence.mark && inner.length >= fence.length
  );
}

/** Measures indentation and strips quote marks. */
function measure(text: string, line: Line): void {
  let at = line.start;
  let indent = 0;
  line.quoted = false;
  for (; at < line.end; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE || code === 0xa0) indent++;
    else if (code === TAB) indent += 4 - (indent % 4);
    else if (code === 0x3000) indent += 2;
    else if (code === 62) {
      line.quoted = true;
      indent = 0;
    } else break;
  }
  line.indent = indent;
  line.body = at;
}

/** Offset after a list marker and its spaces, or -1. A box directly behind the bullet counts too. */
function afterBullet(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let next = at;
  if (code === 45 || code === 42 || code === 43 || code === 0x2022) next++;
  else if (isDigit(code)) {
    while (next < end && next - at < 9 && isDigit(text.charCodeAt(next))) next++;
    const stop = text.charCodeAt(next);
    if (next >= end || (stop !== 46 && stop !== 41)) return -1;
    next++;
  } else return -1;
  if (next >= end) return end;
  const behind = text.charCodeAt(next);
  if (isSpace(behind)) return skipSpaces(text, next, end);
  return behind === 91 && next === at + 1 && code !== 42 ? next : -1;
}

function classify(text: string, line: Line): void {
  const code = text.charCodeAt(line.body);
  line.level = 0;
  if (code === 35) {
    const level = countMarks(text, line.body, line.end);
    const next = line.body + level;
    if (level <= 9 && (next >= line.end || isSpace(text.charCodeAt(next)) || text.charCodeAt(next) === 91)) {
      line.kind = "heading";
      line.level = level;
      line.body = skipSpaces(text, next, line.end);
      return;
    }
  }
  if (code === 124) {
    line.kind = "row";
    return;
  }
  const behind = afterBullet(text, line.body, line.end);
  line.kind = behind < 0 ? "text" : "item";
  if (behind >= 0) line.body = behind;
}

/** Walks the line endings of a text: LF, CRLF and lone CR, mixed as they come. Linear in all cases. */
function lineWalker(text: string): (from: number) => { end: number; next: number } {
  let cr = text.indexOf("\r");
  let lf = text.indexOf("\n");
  return from => {
    if (cr >= 0 && cr < from) cr = text.indexOf("\r", from);
    if (lf >= 0 && lf < from) lf = text.indexOf("\n", from);
    if (cr >= 0 && (lf < 0 || cr < lf)) return { end: cr, next: cr + 1 === lf ? cr + 2 : cr + 1 };
    return lf >= 0 ? { end: lf, next: lf + 1 } : { end: text.length, next: text.length + 1 };
  };
}

/**
 * Calls `visit` for every line that is neither blank nor inside an HTML comment; `visit` returns false to stop. `tooLong` is
 * called instead for a line beyond `maxLength`, and ends the scan. Returns what was still open at the end.
 */
export function scanLines(
  text: string,
  from: Cursor,
  maxLength: number,
  visit: (line: Line) => boolean,
  tooLong: (line: number, length: number) => void,
): Unclosed | undefined {
  const walk = lineWalker(text);
  const line: Line = {
    kind: "text",
    number: from.line - 1,
    start: 0,
    end: 0,
    indent: 0,
    level: 0,
    body: 0,
    quoted: false,
    afterBlank: true,
    info: "",
  };
  let fence: Fence | undefined;
  let commentEnd = -1;
  let blank = true;

  for (let at = from.offset; at <= text.length; ) {
    const { end, next } = walk(at);
    line.number++;
    line.start = at;
    line.end = end;
    at = next;
    if (end - line.start > maxLength) {
      tooLong(line.number, end - line.start);
      return undefined;
    }
    if (line.start < commentEnd) continue;
    measure(text, line);
    if (fence?.quoted === true && !line.quoted) fence = undefined;
    if (fence !== undefined) {
      const closes = line.quoted === fence.quoted && line.body < end && closesFence(text, line, fence);
      if (closes) fence.depth--;
      else if (line.body < end && opensInside(text, line, fence)) fence.depth++;
      line.kind = fence.depth === 0 ? "close" : "code";
      line.info = fence.info;
      if (fence.depth === 0) fence = undefined;
      if (!visit(line)) return undefined;
      blank = false;
      continue;
    }
    if (line.body >= end) {
      blank = true;
      continue;
    }
    line.afterBlank = blank;
    blank = false;
    if (text.startsWith("<!--", line.body)) {
      const close = text.indexOf("-->", line.body + 4);
      if (close < 0) return { what: "comment", line: line.number, after: end };
      commentEnd = close + 3;
      continue;
    }
    fence = openFence(text, line);
    line.info = fence?.info ?? "";
    if (fence !== undefined) line.kind = "open";
    else classify(text, line);
    if (!visit(line)) return undefined;
  }
  return fence === undefined
    ? undefined
    : { what: "fence", line: fence.line, after: afterBreak(text, fence.after) };
}

function afterBreak(text: string, at: number): number {
  return at + (text.startsWith("\r\n", at) ? 2 : 1);
}

/** Front matter of the few keys a plan may carry there. */
export interface FrontMatter {
  readonly values: ReadonlyMap<string, string>;
  /** Where the document begins behind it. */
  readonly after: Cursor;
}

/** Reads `---` front matter as plain `key: value` lines; nothing in it is executed or expanded. */
export function readFrontMatter(text: string): FrontMatter {
  const values = new Map<string, string>();
  const begin = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  const none: FrontMatter = { values: new Map(), after: { offset: begin, line: 1 } };
  if (!text.startsWith("---", begin)) return none;
  const walk = lineWalker(text);
  let line = 1;
  for (let at = begin; at <= text.length && line <= 200; line++) {
    const { end, next } = walk(at);
    const content = text.slice(at, Math.min(end, at + 1000)).trimEnd();
    if (line === 1 && content !== "---") return none;
    if (line > 1 && (content === "---" || content === "..."))
      return { values, after: { offset: next, line: line + 1 } };
    let colon = 0;
    while (colon < content.length && !isColon(content.charCodeAt(colon))) colon++;
    if (line > 1 && colon > 0 && colon < content.length && !isSpace(content.charCodeAt(0))) {
      values.set(content.slice(0, colon).trim().toLowerCase(), unquote(content.slice(colon + 1).trim()));
    }
    at = next;
  }
  return none;
}

function unquote(value: string): string {
  const quote = value[0];
  return value.length >= 2 && (quote === '"' || quote === "'") && value.endsWith(quote)
    ? value.slice(1, -1)
    : value;
}
