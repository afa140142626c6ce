import { LF } from "./chars.ts";
import {
  type Container,
  continues,
  markerEnd,
  measure,
  type Position,
  takeItemMark,
  takeQuoteMark,
} from "./containers.ts";
import { closesFence, type Fence, isExample, opensFence, opensInside } from "./fence.ts";
import { headingLevel, isRule, underlineLevel } from "./heading.ts";
import { endsHtml, type HtmlKind, opensHtml } from "./html-block.ts";
import { isOnlyDefinitions } from "./link-definition.ts";
import { cellCount, delimiterCount } from "./table-lines.ts";

/**
 * What CommonMark (tables: GFM) takes a line for. `underline` makes the paragraph above it a heading; `code` is indented
 * code; `open`, `fenced` and `close` are the lines of a fence.
 */
export type LineKind =
  | "blank"
  | "heading"
  | "underline"
  | "rule"
  | "open"
  | "fenced"
  | "close"
  | "code"
  | "html"
  | "table-row"
  | "paragraph";

/** The line a walk stands on. One object for all lines: copy what is kept. */
export interface WalkLine {
  readonly kind: LineKind;
  /** It goes on the block of the line above it. */
  readonly continues: boolean;
  /** Of a heading or an underline; else 0. */
  readonly level: number;
  /** Where the content begins, behind indentation, quote marks and list markers; and the column there. */
  readonly body: number;
  readonly column: number;
  /** How many block quotes and list items it stands in. */
  readonly quotes: number;
  readonly items: number;
  /** List items that begin on this line. */
  readonly opened: readonly Container[];
  /** Of a line in a fence, also of one that opens or closes it. */
  readonly fence: Fence | undefined;
  /** Of a line in an HTML block, and whether the block ends on it; one of kind 6 or 7 ends above a blank line. */
  readonly html: HtmlKind | undefined;
  readonly ends: boolean;
  /** A fence ended above this line without a closing mark, because what it stood in ended. */
  readonly cut: boolean;
}

/** Bounds of a line: from its first character to behind its last, line ending left off. */
export interface Bounds {
  readonly start: number;
  readonly end: number;
}

/** Takes the lines of a text one after another, from the first to the last, and says what each is. */
export interface LineWalk {
  readonly line: WalkLine;
  /** Takes the line at these bounds; `next` are those of the line below it. */
  take(start: number, end: number, next: Bounds | undefined): void;
}

type Leaf = "none" | "paragraph" | "fence" | "html" | "code" | "table";

export interface WalkOptions {
  /** In a fenced Markdown example, fences are shown with their ends: one with an info opens another one there. */
  readonly examples?: boolean;
}

/** Lists and quotes that are open inside of each other; deeper, their marks are text. Each is looked at for every line. */
const MOST_OPEN = 100;

/** Begins a walk over the lines of a text. Linear; no step depends on how much came before but the containers that are open. */
export function walkLines(text: string, { examples = false }: WalkOptions = {}): LineWalk {
  const open: Container[] = [];
  const opened: Container[] = [];
  const position: Position = { at: 0, column: 0, body: 0, indent: 0, blank: false };
  const line: { -readonly [K in keyof WalkLine]: WalkLine[K] } = {
    kind: "blank",
    continues: false,
    level: 0,
    body: 0,
    column: 0,
    quotes: 0,
    items: 0,
    opened,
    fence: undefined,
    html: undefined,
    ends: false,
    cut: false,
  };
  let leaf: Leaf = "none";
  let fence: Fence | undefined;
  /** How many fences are open inside of each other; more than one only in an example. */
  let depth = 0;
  let html: HtmlKind | undefined;
  /** Lines of the open paragraph, where its first character lets it be a link definition. */
  let definition: string[] | undefined;
  let quotes = 0;

  function is(kind: LineKind, goesOn: boolean): void {
    line.kind = kind;
    line.continues = goesOn;
    line.body = position.body;
    line.column = position.column + position.indent;
    line.quotes = quotes;
    line.items = open.length - quotes;
  }

  /** Ends the containers from `count` on, with the block in them. */
  function close(count: number): void {
    if (count === open.length) return;
    line.cut = leaf === "fence";
    leaf = "none";
    while (open.length > count) if (open.pop()!.kind === "quote") quotes--;
  }

  function enter(container: Container): void {
    const outer = open.at(-1);
    if (outer !== undefined) outer.empty = false;
    open.push(container);
    if (container.kind === "quote") quotes++;
    else opened.push(container);
    leaf = "none";
  }

  /** Goes on a block whose lines hold no other blocks; false where it ended above the line. */
  function goOn(end: number): boolean {
    if (leaf === "fence") {
      const isEnd = position.indent < 4 && !position.blank && closesFence(text, position.body, end, fence!);
      if (isEnd) depth--;
      else if (examples && isExample(fence!) && opensInside(text, position.body, end, fence!)) depth++;
      is(depth === 0 ? "close" : "fenced", true);
      line.fence = fence;
      if (depth === 0) leaf = "none";
      return true;
    }
    if (leaf === "html") {
      if (html! >= 6 && position.blank) return false;
      is("html", true);
      line.html = html;
      line.ends = endsHtml(text, position.body, end, html!);
      if (line.ends) leaf = "none";
      return true;
    }
    if (leaf !== "code" || (!position.blank && position.indent < 4)) return false;
    is(position.blank ? "blank" : "code", true);
    return true;
  }

  /** Begins the blocks that stand at the position; `matched` is whether all open containers go on. */
  function begin(end: number, count: number, next: Bounds | undefined): void {
    let matched = count === open.length;
    for (;;) {
      const inParagraph = leaf === "paragraph" && matched;
      const { body, indent, blank } = position;
      if (blank) break;
      if (indent > 3) {
        if (leaf === "paragraph") break;
        close(count);
        leafIs("code", "code");
        return;
      }
      const isDeepest = count === MOST_OPEN;
      if (text[body] === ">" && !isDeepest) {
        close(count);
        takeQuoteMark(text, end, position);
        enter({ kind: "quote", padding: 0, column: 0, marker: "", empty: false });
      } else {
        if (beginLeaf(end, count, inParagraph)) return;
        if (inParagraph && isUnderline(end)) return;
        if (isRule(text, body, end)) {
          close(count);
          leafIs("rule", "none");
          return;
        }
        const isTail = leaf === "paragraph" || leaf === "table";
        const item = isDeepest ? undefined : takeItemMark(text, end, position, isTail && matched);
        if (item === undefined) break;
        close(count);
        enter(item);
      }
      count = open.length;
      matched = true;
    }
    rest(end, count, next);
  }

  /** A heading, fence or HTML block at the position. */
  function beginLeaf(end: number, count: number, inParagraph: boolean): boolean {
    const { body } = position;
    const level = headingLevel(text, body, end);
    if (level > 0) {
      close(count);
      leafIs("heading", "none");
      line.level = level;
      return true;
    }
    const started = opensFence(text, body, end);
    if (started !== undefined) {
      close(count);
      leafIs("open", "fence");
      depth = 1;
      line.fence = fence = started;
      return true;
    }
    const block = opensHtml(text, body, end);
    if (block === undefined || (block === 7 && (inParagraph || leaf === "paragraph"))) return false;
    close(count);
    line.ends = endsHtml(text, body, end, block);
    leafIs("html", line.ends ? "none" : "html");
    line.html = html = block;
    return true;
  }

  function isUnderline(end: number): boolean {
    const level = underlineLevel(text, position.body, end);
    if (level === 0 || (definition !== undefined && isOnlyDefinitions(definition.join("\n")))) return false;
    is("underline", true);
    line.level = level;
    leaf = "none";
    return true;
  }

  function leafIs(kind: LineKind, next: Leaf): void {
    const inner = open.at(-1);
    if (inner !== undefined) inner.empty = false;
    is(kind, false);
    leaf = next;
  }

  /** What begins no other block: a blank line, a row, or text. */
  function rest(end: number, count: number, next: Bounds | undefined): void {
    const { body, blank } = position;
    if (blank) {
      close(count);
      leaf = "none";
      is("blank", false);
    } else if (leaf === "table") is("table-row", true);
    else if (isTableHead(end, next)) leafIs("table-row", "table");
    else if (leaf === "paragraph") {
      // A lazy line goes on its paragraph too, and leaves the containers open.
      definition?.push(text.slice(body, end));
      is("paragraph", true);
    } else {
      definition = text[body] === "[" ? [text.slice(body, end)] : undefined;
      leafIs("paragraph", "paragraph");
    }
  }

  /** Whether the line below is a delimiter row with as many columns, in the same containers. */
  function isTableHead(end: number, next: Bounds | undefined): boolean {
    if (next === undefined || position.indent > 3) return false;
    const below: Position = { at: next.start, column: 0, body: 0, indent: 0, blank: false };
    measure(text, next.end, below);
    for (const container of open) if (!continues(container, text, next.end, below)) return false;
    if (below.blank || below.indent > 3 || markerEnd(text, below.body, next.end) >= 0) return false;
    const columns = delimiterCount(text, below.body, next.end);
    return columns > 0 && columns === cellCount(text, position.body, end);
  }

  return {
    line,
    take(start, end, next) {
      const stop = text.charCodeAt(end - 1) === LF ? end - 1 : end;
      opened.length = 0;
      line.level = 0;
      line.fence = undefined;
      line.html = undefined;
      line.ends = false;
      line.cut = false;
      position.at = start;
      position.column = 0;
      measure(text, stop, position);
      let count = 0;
      while (count < open.length && continues(open[count]!, text, stop, position)) count++;
      if (count < open.length && leaf !== "paragraph") close(count);
      if (count === open.length && goOn(stop)) return;
      begin(stop, count, next);
    },
  };
}
