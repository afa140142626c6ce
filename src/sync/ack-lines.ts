import { stringEnd } from "./ack-values.ts";
import { FIELD_OF, type Field, keyOf, LONG_KEYS, misspelt } from "./ack-words.ts";

/** A line of an answer without what Markdown dresses it in. */
export interface Line {
  readonly kind: "blank" | "fence" | "rule" | "item" | "row" | "heading" | "text";
  /** Behind quote marks, list mark, checkbox and `#`. */
  readonly text: string;
  /** Columns before its mark. */
  readonly indent: number;
}

const BLANKS = " \t\r";
const BULLETS = "-*+•◦▪‣·–—";
const NUMBERED = /^\(?\d{1,3}[.)] +/;
const CHECKBOX = /^\[[ xX✓✔]\] +/;
const HEADING = /^#{1,6} +/;
const ONLY_RULE = /^[-=_*]{3,}$/;

/** Takes a line out of its Markdown. */
export function readLine(raw: string): Line {
  let at = 0;
  let edge = 0;
  while (at < raw.length && (BLANKS.includes(raw[at]!) || raw[at] === ">")) {
    if (raw[at] === ">") edge = raw[at + 1] === " " ? at + 2 : at + 1;
    at++;
  }
  const indent = Math.max(0, at - edge);
  const text = raw.slice(at).trimEnd();
  const line = (kind: Line["kind"], skip = 0): Line => ({ kind, text: text.slice(skip).trimStart(), indent });
  if (text === "") return line("blank");
  if (text.startsWith("```") || text.startsWith("~~~")) return line("fence");
  if (ONLY_RULE.test(text) || isTableRule(text)) return line("rule");
  if (text.startsWith("|")) return line("row");
  const heading = HEADING.exec(text);
  if (heading !== null) return line("heading", heading[0].length);
  const mark = BULLETS.includes(text[0]!) && text[1] === " " ? 2 : (NUMBERED.exec(text)?.[0].length ?? 0);
  if (mark === 0) return line("text");
  const box = CHECKBOX.exec(text.slice(mark))?.[0].length ?? 0;
  return line("item", mark + box);
}

function isTableRule(text: string): boolean {
  if (!text.includes("|") || !text.includes("-")) return false;
  for (const char of text) if (!"|-: ".includes(char)) return false;
  return true;
}

/** The cells of a table's row. */
export function cellsOf(text: string): string[] {
  const cells = text.split("|").map(cell => cell.trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

/** A field that a text names at a place. */
export interface Mark {
  readonly field: Field;
  readonly from: number;
  /** Behind its name and separator. */
  readonly to: number;
  /** Its name is nearly that of the field. */
  readonly guessed?: boolean;
}

/** Characters in which the name of a field at the beginning of a line ends. */
const LONGEST_NAME = 64;

/** How a line begins: with a field, with something in the form of one that is not known, or with neither. */
export function nameAt({ text, kind }: Line): Mark | { readonly unknown: string } | undefined {
  const head = text.slice(0, LONGEST_NAME);
  for (let at = 1; at < head.length; at++) {
    const length = separatorAt(head, at);
    if (length === 0) continue;
    const name = head.slice(0, at);
    const key = keyOf(name);
    const field = FIELD_OF.get(key);
    if (field !== undefined) return { field, from: 0, to: at + length };
    const meant = misspelt(key);
    if (meant !== undefined) return { field: meant, from: 0, to: at + length, guessed: true };
    if (head[at] === ":" || head[at] === "：") return { unknown: name };
  }
  const alone = FIELD_OF.get(keyOf(text.slice(0, LONGEST_NAME + 1)));
  const titled = kind === "heading" || text.startsWith("**") || LONG_KEYS.has(keyOf(head));
  if (alone !== undefined && titled && keyOf(text) !== "delta")
    return { field: alone, from: 0, to: text.length };
  return unseparated(head);
}

/** `Action taken PAUSE`: a name of several words, and no separator. */
function unseparated(head: string): Mark | undefined {
  for (let at = head.length - 1; at > 0; at--) {
    if (head[at] !== " ") continue;
    const key = keyOf(head.slice(0, at));
    if (LONG_KEYS.has(key)) return { field: FIELD_OF.get(key)!, from: 0, to: at + 1 };
  }
  return undefined;
}

/** The length of what parts a name from its value at a place; 0 where nothing does. */
function separatorAt(text: string, at: number): number {
  const char = text[at]!;
  if (":：=→|".includes(char)) return text[at + 1] === ">" ? 2 : 1;
  if (char === "-" && text[at + 1] === ">") return 2;
  return "-–—".includes(char) && text[at - 1] === " " && text[at + 1] === " " ? 1 : 0;
}

/** Characters that a name inside of a line may take. */
const INLINE_NAME = 48;
const EDGES = ".;,|([{}])!。、/–—-*_`\"'>";

/**
 * The fields that a text names, by their colons. Those that hold free text and counts stand behind a mark of punctuation,
 * but for the first one of a head: `of two items: none` is a sentence.
 */
export function marksIn(text: string, first?: Mark, isHead = false): Mark[] {
  const marks: Mark[] = first === undefined ? [] : [first];
  for (let at = first?.to ?? 0; at < text.length; at++) {
    const quote = quoteAt(text, at, marks.at(-1));
    if (quote !== undefined) at = quote - 1;
    else if (text[at] === ":" || text[at] === "：" || text[at] === "=") {
      const mark = markBefore(text, at, marks, isHead);
      if (mark !== undefined) marks.push(mark);
    }
  }
  return marks;
}

/** The end of the JSON string that a field's value is, or a reference behind its `§`. */
function quoteAt(text: string, at: number, last: Mark | undefined): number | undefined {
  if (text[at] !== '"') return undefined;
  if (text[at - 1] === "§") return stringEnd(text, at);
  const opens = last !== undefined && at - last.to <= 2 && text.slice(last.to, at).trim() === "";
  return opens ? stringEnd(text, at) : undefined;
}

function markBefore(text: string, colon: number, marks: readonly Mark[], isHead: boolean): Mark | undefined {
  const floor = Math.max(marks.at(-1)?.to ?? 0, colon - INLINE_NAME);
  const starts: number[] = [];
  for (let at = colon - 1; at >= floor && !":：".includes(text[at]!); at--) {
    if (isLetter(text[at]) && (at === floor || !isLetter(text[at - 1]))) starts.push(at);
  }
  const free = (field: Field) => field === "items" || field === "impact" || field === "seen";
  for (const from of starts.reverse()) {
    const field = isLetter(text[from - 1]) ? undefined : FIELD_OF.get(keyOf(text.slice(from, colon)));
    if (field === undefined) continue;
    const isBound = free(field) && (marks.length > 0 || !isHead);
    if (!isBound || isEdge(text, from)) return { field, from, to: colon + 1 };
  }
  for (const from of starts) {
    const field = isEdge(text, from) ? misspelt(keyOf(text.slice(from, colon))) : undefined;
    if (field !== undefined) return { field, from, to: colon + 1, guessed: true };
  }
  return undefined;
}

function isEdge(text: string, from: number): boolean {
  let at = from - 1;
  while (at >= 0 && text[at] === " ") at--;
  return at < 0 || EDGES.includes(text[at]!);
}

const LETTER = /[\p{L}\p{N}]/u;

function isLetter(char: string | undefined): boolean {
  return char !== undefined && LETTER.test(char);
}
