import { type Item, keyOf, lineShape } from "../../markdown/index.ts";
import { cutText } from "../cut-text.ts";
import { plainOf } from "./plain.ts";
import { isTitleLine } from "./references.ts";
import { LONGEST_PIECE } from "./sentences.ts";

/** Characters of a label before its colon. */
export const LONGEST_LABEL = 40;

/** What stands before the colon of `Label: statement`; empty without one. */
export function labelOf(text: string): string {
  const line = text.trimStart();
  const colon = line.indexOf(":");
  return colon > 0 && colon <= LONGEST_LABEL && colon < line.length - 1 ? line.slice(0, colon) : "";
}

/** Cut at a blank where it is longer than a piece may be. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_PIECE) return text;
  const blank = text.lastIndexOf(" ", LONGEST_PIECE);
  return cutText(text, blank > LONGEST_PIECE / 2 ? blank : LONGEST_PIECE);
}

/** Bold at its beginning, and not only a label. */
export function isStrong(text: string): boolean {
  const line = text.trimStart();
  const end = line.startsWith("**") ? line.indexOf("**", 2) : -1;
  return end > 0 && line[end - 1] !== ":" && line[end + 2] !== ":";
}

/** `| --- | :-: |` */
export function isRuler(item: Item | undefined): boolean {
  if (item?.kind !== "table-row" || item.text.length > 2000) return false;
  for (const char of item.text) if (!"|-: \t\r\n".includes(char)) return false;
  return item.text.includes("-");
}

/** Lines of a fenced block between its marks. */
export function linesOfCode(text: string): number {
  return Math.max(0, text.split("\n").length - 2);
}

/** `> quoted`; a line of it may go without the mark. */
export function isQuote(text: string): boolean {
  return text.trimStart().startsWith(">");
}

/** A quote without its marks. */
export function unquoted(text: string): string {
  return text
    .split("\n")
    .map(line => {
      let at = 0;
      while (line[at] === " " || line[at] === "\t" || line[at] === ">") at++;
      return line.slice(at);
    })
    .join("\n");
}

/** Whether an item of a document stands in a list. */
export function isListItem({ kind, text }: Item): boolean {
  return kind === "list-item" || (kind === "key-value" && lineShape(text.slice(0, 200)).marker !== "");
}

/** A tag alone on its line: what stood open above it ends. */
export function isTag(words: string): boolean {
  return /^<\/?[a-z][\w-]{0,40}>$/i.test(words);
}

/** One that opens and is no element of HTML says what stands below it, as models write it. */
export function isTitleTag(tag: string): boolean {
  return tag[1] !== "/" && !ELEMENTS.has(tag.slice(1, -1).toLowerCase());
}

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    "a article aside b blockquote body br caption center code col colgroup dd del details div dl dt em figcaption figure footer " +
    "form h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main mark menu meta nav ol p picture pre " +
    "script section small source span strong style sub summary sup svg table tbody td tfoot th thead tr tt u ul video"
  ).split(" "),
);

/** Longest line that is a title because all of it is bold. */
const LONGEST_BOLD = 120;

/** Whether a paragraph is a title in all but its marks: one line that is bold to its end, or a short one without an end. */
export function titleIn(text: string): boolean {
  const line = text.trim();
  const isBold = line.startsWith("**") && line.indexOf("**", 2) === line.length - 2;
  if (isBold && line.length > 4 && line.length <= LONGEST_BOLD && !line.includes("\n")) return true;
  return !line.includes("\n") && keyOf(line) === undefined && isTitleLine(plainOf(line));
}
