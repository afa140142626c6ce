import { contentStart, isBlank, keyOf, lineShape } from "../../markdown/index.ts";
import { handoverHints } from "../../text/index.ts";
import { cutText } from "../cut-text.ts";
import { LONGEST_VALUE } from "./values.ts";

/** What an agent hands over to whoever works next, in the order in which it is asked for. */
export type HandoverField = "decisions" | "mustKnow" | "doNot" | "open" | "interfaces";

/** One field as its agent wrote it; a field that says nothing is none. */
export interface HandoverPart {
  readonly field: HandoverField;
  /** Its name in the agent's spelling. */
  readonly label: string;
  /** Statements on the label's own line, and those below it: two blanks before each for every one it stands under. Foreign text, one line each. */
  readonly inline: readonly string[];
  readonly below: readonly string[];
}

/** The short section at the end of an answer that its prompt asks for. */
export type Handover = readonly HandoverPart[];

const TITLES: ReadonlySet<string> = new Set([
  "handover",
  "handoff",
  "hand over",
  "contract",
  "인계",
  "인수인계",
  "계약",
]);

const NAMES: Readonly<Record<HandoverField, readonly string[]>> = {
  decisions: ["decisions", "decision", "결정", "결정 사항"],
  mustKnow: ["must know", "must knows", "필수", "필수 사항", "알아야 할 것"],
  doNot: ["do not", "don't", "금지", "금지 사항", "하지 말 것"],
  open: ["open", "open questions", "미결", "미결 사항", "남은 일"],
  interfaces: ["interfaces", "interface", "인터페이스"],
};

const BY_NAME: ReadonlyMap<string, HandoverField> = new Map(
  Object.entries(NAMES).flatMap(([field, names]) => names.map(name => [name, field as HandoverField])),
);

/** What stands where there is nothing to say, without marks around it. */
const NOTHING: ReadonlySet<string> = new Set([
  "",
  "none",
  "n/a",
  "na",
  "nothing",
  "없음",
  "해당 없음",
  "해당없음",
]);
/** What a prompt asks for, where an agent has copied it in the place of an answer. */
const HINTS: ReadonlySet<string> = new Set(handoverHints());

/** Fields that a section must name to be one: `## Contract` is a heading of other things, too. */
const LEAST_NAMED = 2;
/** Lines of a section and statements of a field that are read. */
const MOST_LINES = 80;
const MOST_STATEMENTS = 20;
const LONGEST_LINE = 4000;
const MOST_DEPTH = 3;

/** Characters that may follow a section at the end: a closing word, a signal. What stands before more is an example of one. */
const MOST_BEHIND = 400;

/** Lines that may stand between the title and the first field. */
const MOST_BEFORE = 3;

/** An answer apart from what it hands over. */
export interface WithHandover {
  /** Undefined where the answer has no such section, or one that only copies what was asked for. */
  readonly handover: Handover | undefined;
  /** The answer without the section; what in there belongs to no field stays, under its title. */
  readonly rest: string;
}

/** Finds the section at the end of an answer that hands over, in English or Korean, whatever marks stand around its names. Linear. */
export function withoutHandover(text: string): WithHandover {
  for (let end = text.length; end > 0; ) {
    const from = text.lastIndexOf("\n", end - 1) + 1;
    if (isTitle(text.slice(from, Math.min(end, from + LONGEST_LINE)))) {
      const found = sectionAt(text, end + 1);
      if (found !== undefined && text.slice(found.end).trim().length > MOST_BEHIND) break;
      if (found !== undefined) {
        const kept = found.kept === "" ? "" : `${text.slice(from, end + 1)}${found.kept}`;
        return { handover: found.parts, rest: `${text.slice(0, from)}${kept}${text.slice(found.end)}` };
      }
    }
    end = from - 1;
  }
  return { handover: undefined, rest: text };
}

function bare(line: string): string {
  return line
    .slice(contentStart(line))
    .replace(/[*_`~:#：\r]/g, " ")
    .replaceAll("-", " ")
    .split(" ")
    .filter(Boolean)
    .join(" ")
    .toLowerCase();
}

function isTitle(line: string): boolean {
  return line.length <= 40 && TITLES.has(bare(line));
}

/** A field as it is read. */
interface OpenField {
  readonly label: string;
  readonly inline: string[];
  readonly below: string[];
  /** The marks before its name, and whether something stood behind it, if only `none`. */
  marker: string;
  indent: number;
  isValued: boolean;
  /** The level of the heading that names it; 0 where none does. */
  level: number;
}

/** Of what a line begins with. */
interface Marks {
  readonly marker: string;
  readonly indent: number;
}

/** The field that a line names: by a label before a colon or a dash, or by nothing but its name. */
function fieldAt(
  line: string,
): { readonly field: HandoverField; readonly label: string; readonly value: string } | undefined {
  const start = contentStart(line);
  const words = line.slice(start);
  const key = keyOf(line) ?? (line.length <= 40 ? words.trim() : undefined);
  const field = key === undefined ? undefined : BY_NAME.get(bare(key));
  if (key !== undefined && field !== undefined) {
    return { field, label: bareEnd(key), value: isRow(line) ? cellsOf(line) : behindColon(line, start) };
  }
  for (const dash of [" — ", " – ", " - "]) {
    const at = words.slice(0, 40).indexOf(dash);
    const label = at < 0 ? "" : bareEnd(words.slice(0, at));
    const named = BY_NAME.get(bare(label));
    if (named !== undefined) return { field: named, label, value: words.slice(at + dash.length).trim() };
  }
  return undefined;
}

const isRow = (line: string) => line[lineShape(line).content] === "|";

/** What a table's row holds behind its first cell. */
function cellsOf(line: string): string {
  const from = line.indexOf("|", line.indexOf("|") + 1) + 1;
  const row = line.slice(from === 0 ? line.length : from).trimEnd();
  return (row.endsWith("|") ? row.slice(0, -1) : row).trim();
}

function behindColon(line: string, start: number): string {
  let from = line.indexOf(":", start) + 1;
  while (from > 0 && "*_`".includes(line[from] ?? "x")) from++;
  return from === 0 ? "" : line.slice(from).trim();
}

/** A name without the marks behind it. */
function bareEnd(name: string): string {
  let end = name.length;
  while (end > 0 && "*_` ".includes(name[end - 1]!)) end--;
  return name.slice(0, end);
}

/** A section while it is read, line by line. */
class Section {
  readonly parts = new Map<HandoverField, OpenField>();
  /** Lines that belong to no field, as they stand. */
  readonly kept: string[] = [];
  #open: OpenField | undefined;
  /** Where the line before it went, when an unmarked line goes on with it. */
  #goesOn: string[] | undefined;
  /** Where the first statement below a field stands: what stands further in stands under another one. */
  #firstIndent = 0;
  #isCode = false;
  #isForeign = false;
  #isAfterBlank = false;

  /** Takes the next line in; false where the section has ended before it. `whole` is the line with its end. */
  take(line: string, whole: string): boolean {
    const shape = lineShape(line);
    const isAfterBlank = this.#isAfterBlank;
    this.#isAfterBlank = isBlank(line);
    if (this.#isAfterBlank) {
      this.#goesOn = undefined;
      return true;
    }
    const isFence = line.startsWith("```", shape.content);
    if (this.#isCode || (isFence && shape.indent > 0 && this.parts.size > 0)) {
      if (isFence) this.#isCode = !this.#isCode;
      if (this.#isForeign) this.kept.push(whole);
      else if (!isFence) push(this.#open!.below, line.trim());
      this.#goesOn = undefined;
      return true;
    }
    const named = this.#isNested(shape) ? undefined : fieldAt(line);
    if (named !== undefined) {
      this.#begin(named, shape, levelOf(line));
      return true;
    }
    if (isFence && shape.indent === 0) return false;
    const level = levelOf(line);
    if (this.#open === undefined) {
      if (level > 0 || this.kept.length >= MOST_BEFORE) return false;
      this.kept.push(whole);
      return true;
    }
    // Another heading, or prose behind a blank line, is no part of it any more.
    const isProse = shape.marker === "" && shape.indent === 0 && isAfterBlank && this.#open.level === 0;
    if (level > 0 ? level !== this.#open.level : isProse) return false;
    this.#isForeign ||= level > 0 || this.#isSibling(line, shape);
    if (this.#isForeign) this.kept.push(whole);
    else this.#add(line.slice(shape.content), shape);
    return true;
  }

  #begin(
    { field, label, value }: { field: HandoverField; label: string; value: string },
    { marker, indent }: Marks,
    level: number,
  ): void {
    const marks = { marker, indent, isValued: value !== "", level };
    const open = Object.assign(this.parts.get(field) ?? { label, inline: [], below: [] }, marks);
    this.parts.set(field, open);
    this.#open = open;
    this.#isForeign = false;
    this.#goesOn = undefined;
    if (value === "") return;
    for (const one of value.split("; "))
      this.#goesOn = push(open.inline, one.trim()) ? open.inline : undefined;
  }

  /** Whether a line stands in a list that a field begins: what it names there is no field. */
  #isNested({ indent }: Marks): boolean {
    const open = this.#open;
    return open !== undefined && open.marker !== "" && !open.isValued && indent > open.indent;
  }

  /** Whether a line stands beside a field that has its value: it has a name of its own, or none. */
  #isSibling(line: string, { marker, indent }: Marks): boolean {
    const open = this.#open!;
    if (!open.isValued || indent > open.indent) return false;
    if (marker === "") return keyOf(line) !== undefined;
    return open.marker !== "" || open.inline.every(isNothing);
  }

  #add(words: string, { marker, indent }: Marks): void {
    const open = this.#open!;
    const before = this.#goesOn;
    if (marker === "" && before !== undefined && before.length > 0) before.push(`${before.pop()!} ${words}`);
    else {
      if (open.below.length === 0) this.#firstIndent = indent;
      const depth = Math.min(MOST_DEPTH, Math.max(0, (indent - this.#firstIndent) >> 1));
      const isTaken = push(open.below, "  ".repeat(depth) + words);
      this.#goesOn = isTaken && marker !== "" ? open.below : undefined;
    }
  }
}

/** The section below a title; undefined where it names too little to be one. */
function sectionAt(
  text: string,
  start: number,
): { readonly parts: Handover | undefined; readonly kept: string; readonly end: number } | undefined {
  const section = new Section();
  let at = start;
  for (let lines = 0; at < text.length && lines < MOST_LINES; lines++) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, Math.min(end, at + LONGEST_LINE)).trimEnd();
    if (!section.take(line, text.slice(at, end + 1))) break;
    at = end + 1;
  }
  if (section.parts.size < LEAST_NAMED) return undefined;
  const all = [...section.parts.values()].flatMap(({ inline, below }) => [...inline, ...below]);
  const parts = [...section.parts].flatMap(([field, { label, inline, below }]) => {
    const part = { field, label, inline: said(inline), below: said(below) };
    return part.inline.length + part.below.length === 0 ? [] : [part];
  });
  const isCopied = parts.length === 0 && all.some(isPlaceholder);
  return {
    parts: isCopied ? undefined : parts,
    kept: section.kept.join(""),
    end: Math.min(at, text.length),
  };
}

/** False where there are as many as are read. */
function push(list: string[], words: string): boolean {
  return list.length < MOST_STATEMENTS && list.push(words.trimEnd()) > 0;
}

function levelOf(line: string): number {
  let level = 0;
  while (line[level] === "#") level++;
  return level;
}

/** The statements among what stood there, none longer than is read. */
function said(list: readonly string[]): string[] {
  return list.filter(words => !isNothing(words)).map(words => cutText(words, LONGEST_VALUE));
}

/** Whether words stand where there is nothing to say: `-`, `None.`, `(없음)`, `…`, or what was asked for. */
function isNothing(words: string): boolean {
  if (words.length > 60) return false;
  const plain = words
    .replace(/[()[\]*_`.…–—-]/g, " ")
    .trim()
    .toLowerCase();
  return NOTHING.has(plain) || HINTS.has(words.toLowerCase());
}

/** Whether they were left as they were shown, not answered. */
function isPlaceholder(words: string): boolean {
  return HINTS.has(words.toLowerCase()) || /^[\s*_`]*(?:…|\.{3})[\s*_`]*$/.test(words);
}

/** A handover as it was written, in the order of its fields. */
export function handoverText(handover: Handover): string {
  return handover
    .map(({ label, inline, below }) =>
      [`- ${label}: ${inline.join("; ")}`.trimEnd(), ...below.map(bullet)].join("\n"),
    )
    .join("\n");
}

function bullet(one: string): string {
  const words = one.trimStart();
  return `  ${" ".repeat(one.length - words.length)}- ${words}`;
}

/** As much of a handover as fits, each field's first statement before any field's second one; the longest that `fits`. */
export function handoverWithin(handover: Handover, fits: (text: string) => boolean): string {
  const whole = handoverText(handover);
  if (fits(whole)) return whole;
  const sizes = handover.map(({ inline, below }) => inline.length + below.length);
  const order = Array.from({ length: Math.max(0, ...sizes) }, (_, round) =>
    sizes.flatMap((size, at) => (round < size ? [at] : [])),
  ).flat();
  const cut = (statements: number): string => {
    const taken = sizes.map(() => 0);
    for (const at of order.slice(0, statements)) taken[at]!++;
    return handoverText(
      handover.flatMap((part, at) => {
        const inline = part.inline.slice(0, taken[at]);
        const below = part.below.slice(0, Math.max(0, taken[at]! - part.inline.length));
        return taken[at] === 0 ? [] : [{ ...part, inline, below }];
      }),
    );
  };
  let [least, most] = [0, order.length - 1];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(cut(middle))) least = middle;
    else most = middle - 1;
  }
  return least === 0 ? "" : cut(least);
}
