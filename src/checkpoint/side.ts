import {
  contentStart,
  type Item,
  keyOf,
  lineShape,
  type MarkdownDocument,
  scanMarkdown,
} from "../markdown/index.ts";
import { closed, markedStart, shorten } from "./excerpt.ts";
import { isDelimiterRow, oneLine, splitRow } from "./table.ts";

/** Characters by which two forms of an item are known as the same. */
const BEGINNING = 24;

/** One document as it is compared: items, and which one a line belongs to. */
export interface Side {
  readonly document: MarkdownDocument;
  /** By line. */
  readonly itemAt: readonly number[];
  /** By item: the row of titles above a table's row; -1 for what stands in no table. */
  readonly titlesAt: readonly number[];
}

export function sideOf(text: string): Side {
  const scanned = scanMarkdown(text);
  const document = { ...scanned, items: scanned.items.flatMap(statementsOf) };
  const itemAt: number[] = [];
  const titlesAt: number[] = [];
  for (const [index, { kind, line, text }] of document.items.entries()) {
    while (itemAt.length < line) itemAt.push(index - 1);
    itemAt.push(index);
    const above = titlesAt[index - 1] ?? -1;
    const inTable = kind === "table-row" && document.items[index - 1]?.kind === "table-row";
    titlesAt.push(inTable ? (isDelimiterRow(text) && above < 0 ? index - 1 : above) : -1);
  }
  return { document, itemAt, titlesAt };
}

/**
 * What an item states line by line: a paragraph in which every line has a key, and lines with keys at the left margin that are
 * written right behind a list item, which Markdown takes for a part of it.
 */
function statementsOf(item: Item): Item[] {
  if (item.kind !== "key-value" && item.kind !== "list-item") return [item];
  if (lineShape(item.text).marker === "") return linesOfKeys(item);
  const lines = item.text.split(/(?<=\n)/);
  const margin = lines.findIndex(
    (line, at) => at > 0 && /^[^\s>]/.test(line) && keyOf(line.trimEnd()) !== undefined,
  );
  if (margin < 0) return [item];
  const text = lines.slice(margin).join("");
  const behind: Item = {
    ...item,
    kind: "key-value",
    text,
    line: item.line + margin,
    depth: 0,
    key: keyOf(lines[margin]!.trimEnd())!,
  };
  return [{ ...item, text: lines.slice(0, margin).join("") }, ...linesOfKeys(behind)];
}

function linesOfKeys(item: Item): Item[] {
  const lines = item.text.split(/(?<=\n)/).map((text, at) => {
    const key = keyOf(text.trimEnd());
    return key === undefined ? undefined : { ...item, text, line: item.line + at, key };
  });
  return lines.every(line => line !== undefined) ? lines : [item];
}

/** The items that `count` lines from `line` on touch; without lines, the one whose inside the place is. */
export function touched({ document: { items }, itemAt }: Side, line: number, count: number): number[] {
  const last = items.length - 1;
  const at = (number: number) => itemAt[number] ?? last;
  if (count === 0) {
    const index = at(line);
    const item = items[index];
    return item !== undefined && item.kind !== "blank" && item.line < line ? [index] : [];
  }
  const found: number[] = [];
  for (let index = at(line); index <= Math.min(at(line + count - 1), last); index++) found.push(index);
  return found;
}

/** The title of the section before an item's own. */
export function titleAbove({ document }: Side, item: Item): string {
  return document.sections[item.section - 1]?.title ?? "";
}

/** What an item is called: its key, the id it begins with, the first cell of a row, or its first words. */
export function nameOf(item: Item): string {
  if (item.kind === "heading") return plain(item);
  if (item.kind === "fence") return oneLine(item.text.split("\n")[1] ?? "", 60);
  if (item.kind === "table-row") return splitRow(item.text).find(cell => cell !== "") ?? "";
  if (item.key !== undefined) return keyIn(item.text, item.key);
  const named = identity(item);
  return named === undefined ? shorten(marked(item), 60) : named.slice(item.kind.length + 1);
}

/** A key with the mark before it, where that is closed within: `**Order** (from above)`. */
export function keyIn(text: string, key: string): string {
  const before = text.slice(0, Math.max(0, text.indexOf(key)));
  const mark = /[*_~]{1,3}$/.exec(before.slice(-3))?.[0] ?? "";
  return closed(mark !== "" && key.includes(mark) ? `${mark}${key}` : key);
}

export function titleAt({ document }: Side, item: Item): string {
  return document.sections[item.section]!.title;
}

/** The titles of the table a row belongs to. */
export function titlesOf({ document: { items }, titlesAt }: Side, index: number): string[] {
  const titles = items[titlesAt[index] ?? -1];
  return titles === undefined ? [] : splitRow(titles.text);
}

/** What an item is called wherever it stands: its key, or the first word of one that begins with an id. */
export function identity(item: Item): string | undefined {
  if (item.kind === "heading" || item.kind === "front-matter" || item.kind === "fence") return undefined;
  if (item.key !== undefined) return `${item.kind}:${item.key}`;
  const text = item.text.slice(contentStart(item.text));
  // A point ends it, unless more of an id follows: `T2.1`.
  const end = text.search(/[\s:)*]|\.(?!\d)/);
  const word = end < 0 ? "" : text.slice(0, end);
  return word.length > 1 && word.length < 20 && /\d/.test(word) ? `${item.kind}:${word}` : undefined;
}

/** What a task, a decision or an issue is called by: `T2.14`, `D-5`. */
const ID = /(?<![\w.-])[A-Z]{1,4}-?\d{1,6}(?:\.\d{1,6}){0,4}\b/;

/** The same for every sentence or paragraph, and undefined for all else. */
export function prose(item: Item): string | undefined {
  return formOf(item) === "paragraph" ? "prose" : undefined;
}

/** Whether two items of lists or tables begin alike and tell of things with different ids: one has not become the other. */
export function areOthers(old: Item, fresh: Item): boolean {
  if (!isListed(old) || !isListed(fresh)) return false;
  const [before, after] = [subjectOf(old), subjectOf(fresh)];
  return before !== undefined && after !== undefined && before.lead === after.lead && before.id !== after.id;
}

/** The first id that an item names, and its words before that, without numbers. */
function subjectOf(item: Item): { readonly lead: string; readonly id: string } | undefined {
  const text = plain(item);
  const found = ID.exec(text);
  return found === null
    ? undefined
    : { id: found[0], lead: text.slice(0, found.index).replaceAll(/\d/g, "") };
}

function isListed({ kind }: Item): boolean {
  return kind === "list-item" || kind === "key-value" || kind === "table-row";
}

/** The first words of a longer item. */
export function beginning(item: Item): string | undefined {
  const words = plain(item).slice(0, BEGINNING);
  return words.length < BEGINNING ? undefined : `${formOf(item)}:${words}`;
}

/** A sentence stays one, and an item of a list, where a colon in it makes it look like `key: value`. */
function formOf({ kind, text }: Item): string {
  if (kind !== "key-value") return kind;
  return lineShape(text).marker === "" ? "paragraph" : "list-item";
}

/** An item's words with the marks they have, on one line. */
export function marked(item: Item): string {
  const bare = item.kind === "front-matter" || item.kind === "table-row";
  return bare ? plain(item) : shorten(item.text.slice(markedStart(item.text)), 2_000);
}

/** An item's words without the marks before them, on one line. */
export function plain(item: Item): string {
  if (item.kind === "front-matter") return oneLine(item.text, 2_000);
  if (item.kind === "table-row")
    return splitRow(item.text)
      .filter(cell => cell !== "")
      .join(" | ");
  return oneLine(item.text.slice(contentStart(item.text)), 2_000);
}
