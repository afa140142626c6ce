import { type HtmlKind, underlineLevel, type WalkLine, walkLines } from "../../markdown/index.ts";
import { countMarks, isColon, isDigit, isSpace, SPACE, skipSpaces, TAB } from "./chars.ts";

/** `open`, `code` and `close` are the lines of a code fence, `html` those of `<pre>` and the like. */
export type LineKind = "heading" | "item" | "row" | "text" | "open" | "code" | "close" | "comment" | "html";

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
  /** Of a line `close`: a closing mark stands there; else the fence ended with the list item or quote it stood in. */
  marked: boolean;
  /** Code by its indentation. */
  indented: boolean;
  /** Of the single line of a paragraph that the next line underlines: the level of the heading. */
  underline: number;
}

/** Where scanning begins: after front matter, if any. */
export interface Cursor {
  readonly offset: number;
  readonly line: number;
}

/** What stood open when the text ended. */
export interface Unclosed {
  readonly what: "fence" | "comment";
  /** The line that opened it. */
  readonly line: number;
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

/** What a line outside of code is; more generous than CommonMark, because people and models are. */
function classify(text: string, line: Line, said: WalkLine): void {
  line.level = 0;
  line.kind = "text";
  if (said.kind === "rule") return;
  const code = text.charCodeAt(line.body);
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
  if (code === 124 || (said.kind === "table-row" && hasBar(text, line.body, line.end))) {
    line.kind = "row";
    return;
  }
  const behind = afterBullet(text, line.body, line.end);
  if (behind < 0) return;
  line.kind = "item";
  line.body = said.opened.length > 1 && said.kind === "paragraph" ? said.body : behind;
}

/** A row shows its cells; words right below a table are text to their author. */
function hasBar(text: string, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (text.charCodeAt(i) === 124) return true;
  return false;
}

/** HTML that only wraps Markdown (`<details>`) hides nothing, also where the blank line behind it is missing. */
function hides(html: HtmlKind | undefined): boolean {
  return html !== undefined && html < 6;
}

/** The level at which the next line underlines this one as a heading of its own; 0 where it does not. */
function underlineOf(text: string, said: WalkLine, next: { start: number; end: number } | undefined): number {
  if (next === undefined || said.kind !== "paragraph" || said.continues || said.items + said.quotes > 0)
    return 0;
  const at = skipSpaces(text, next.start, next.end);
  return at - next.start > 3 ? 0 : underlineLevel(text, at, next.end);
}

/** Walks the line endings of a text: LF, CRLF and lone CR, mixed as they come. Linear in all cases. */
export function lineWalker(text: string): (from: number) => { end: number; next: number } {
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
 * Calls `visit` for every line that is not blank, and for blank ones in code; `visit` returns false to stop. `tooLong` is
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
  const blocks = walkLines(text, { examples: true });
  const said = blocks.line;
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
    marked: false,
    indented: false,
    underline: 0,
  };
  let open: Unclosed | undefined;
  let info = "";
  let blank = true;
  let start = from.offset;
  let bounds = walk(start);
  while (start <= text.length) {
    const { end, next } = bounds;
    line.number++;
    if (end - start > maxLength) {
      tooLong(line.number, end - start);
      return undefined;
    }
    bounds = walk(next);
    const below = next <= text.length ? { start: next, end: bounds.end } : undefined;
    blocks.take(start, end, below);
    if (said.cut && !cutFence()) return undefined;
    line.start = start;
    line.end = end;
    start = next;
    measure(text, line);
    if (!visitLine(below)) return undefined;
  }
  return open;

  /** A fence that ends with what it stands in ends behind the line above. */
  function cutFence(): boolean {
    open = undefined;
    line.kind = "close";
    line.marked = false;
    line.info = info;
    line.number--;
    line.start = line.body = line.end;
    const goesOn = visit(line);
    line.number++;
    return goesOn;
  }

  function visitLine(below: { start: number; end: number } | undefined): boolean {
    line.underline = 0;
    line.indented = said.kind === "code" && said.opened.length === 0;
    line.info = info = said.fence?.info ?? "";
    if (said.fence !== undefined) {
      line.kind = said.kind === "fenced" ? "code" : (said.kind as "open" | "close");
      line.marked = true;
      if (said.kind === "open") {
        open = { what: "fence", line: line.number };
        line.body = said.body;
        if (said.opened.length > 0) line.indent = said.column;
      } else if (said.kind === "close") open = undefined;
      blank = false;
      return visit(line);
    }
    if (line.body >= line.end) {
      if (said.kind === "blank") open = undefined;
      blank = true;
      return true;
    }
    line.afterBlank = blank;
    blank = false;
    if (said.kind === "html" && hides(said.html)) {
      if (!said.continues && said.html === 2) open = { what: "comment", line: line.number };
      if (said.ends) open = undefined;
      line.kind = said.html === 2 ? "comment" : "html";
      return visit(line);
    }
    open = undefined;
    classify(text, line, said);
    if (line.kind === "text") line.underline = underlineOf(text, said, below);
    return visit(line);
  }
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
