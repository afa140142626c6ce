import { type Item, scanMarkdown } from "../../src/markdown/index.ts";

/** Words whose loss inside a sentence would turn what it says. */
const TURNS =
  /^(?:not|no|none|never|must|only|without|except|unless|until|but|cannot|neither|nor|excluding|exclude|always|forbidden)$|않|없|아니|제외|금지|반드시|절대|다만|하지만/u;

interface Place {
  readonly text: string;
  readonly chain: string;
  /** Words of what it stands under inside its section: items around it, its table's head, the keys above it. */
  readonly parents: readonly string[];
}

/**
 * The lines of an extraction that its source does not say under the same parents, written apart from what makes extractions:
 * a line's words stand in one block of the source, in order; nothing that turns a sentence is left out of it; the headings, list
 * items, keys and table heads above it are told, too; code stands whole; rows that are not told are counted.
 */
export function untraced(source: string, extraction: string): string[] {
  const { places, fences, tables } = placesOf(source);
  const bad: string[] = [];
  const chain: string[] = [];
  const told: string[] = [];
  const lines = extraction.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    const fence = fences.find(({ text }) => extraction.startsWith(text, offsetOf(lines, at)));
    if (fence !== undefined) {
      at += fence.text.split("\n").length - 1;
      continue;
    }
    const more = /^\((\d+)(?: more rows?|개 행 더)\)$/.exec(line);
    if (more !== null) {
      if (!tables.some(rows => rows > Number(more[1]))) bad.push(line);
      continue;
    }
    const level = /^#+(?= )/.exec(line)?.[0].length ?? 0;
    if (level > 0) {
      while (chain.length > 0 && /^#+/.exec(chain.at(-1)!)![0].length >= level) chain.pop();
      chain.push(line);
      told.length = 0;
      if (!places.some(({ chain: own }) => startsWithChain(own, chain))) bad.push(line);
      continue;
    }
    const words = wordsOf(line);
    const own = places.filter(place => place.chain === keyOf(chain) && holds(place.text, line));
    if (!own.some(({ parents }) => parents.every(parent => told.includes(parent)))) bad.push(line);
    told.push(...own.map(({ text }) => firstOf(wordsOf(text))), firstOf(words));
  }
  return bad;
}

function placesOf(source: string): {
  readonly places: readonly Place[];
  readonly fences: readonly { readonly text: string }[];
  readonly tables: readonly number[];
} {
  const { items, sections } = scanMarkdown(source);
  const places: Place[] = [];
  const open: { depth: number; words: string }[] = [];
  const tables: number[] = [];
  let head = "";
  let rows = 0;
  let section = -1;
  const flush = (): void => {
    if (rows > 0) tables.push(rows);
    [rows, head] = [0, ""];
  };
  for (const [at, item] of items.entries()) {
    if (item.section !== section) open.length = 0;
    section = item.section;
    if (item.kind !== "table-row") flush();
    if (["blank", "rule", "heading", "fence"].includes(item.kind)) {
      if (item.kind === "heading") places.push({ text: "", chain: chainOf(sections, section), parents: [] });
      continue;
    }
    const words = wordsOf(item.text);
    const chain = item.kind === "front-matter" ? "" : chainOf(sections, section);
    if (item.kind === "table-row") {
      if (words.length === 0) continue;
      const isHead = head === "" && wordsOf(items[at + 1]?.text ?? "x").length === 0;
      if (isHead) head = firstOf(words);
      else rows++;
      places.push({ text: item.text, chain, parents: isHead || head === "" ? [] : [head] });
      continue;
    }
    const depth = depthOf(item);
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop();
    places.push({ text: item.text, chain, parents: open.map(({ words: own }) => own) });
    // Labels in a row are statements of their own; a line without one belongs to the label above it.
    if (item.kind === "key-value")
      for (const text of item.text.split(/\n(?=[ >*_`~\p{L}\p{N}][^:\n]{0,44}:[*_`~]*(?: |\r?$))/mu))
        places.push({ text, chain, parents: open.map(({ words: own }) => own) });
    if (item.kind === "front-matter" || item.kind !== "paragraph")
      open.push({ depth, words: firstOf(words) });
  }
  flush();
  const fences = items.filter(({ kind }) => kind === "fence").map(({ text }) => ({ text: text.trimEnd() }));
  return { places, fences, tables };
}

/** Indentation of a key, in lists of front matter a little more than of the key that holds it. */
function depthOf({ kind, depth, text }: Item): number {
  if (kind !== "front-matter") return depth;
  const indent = text.length - text.trimStart().length;
  return indent + (text.trimStart().startsWith("- ") ? 0.5 : 0);
}

function chainOf(sections: ReturnType<typeof scanMarkdown>["sections"], section: number): string {
  const chain: string[] = [];
  for (let at = section; at >= 0; at = sections[at]!.parent)
    if (sections[at]!.level > 0) chain.unshift(`${"#".repeat(sections[at]!.level)} ${sections[at]!.title}`);
  return keyOf(chain);
}

function keyOf(chain: readonly string[]): string {
  return chain.map(one => `${/^#+/.exec(one)![0]} ${wordsOf(one).join(" ")}`).join(" > ");
}

function startsWithChain(own: string, chain: readonly string[]): boolean {
  return own === keyOf(chain) || own.startsWith(`${keyOf(chain)} > `);
}

function wordsOf(text: string): string[] {
  return bare(text).match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
}

/** Without marks of code and emphasis, which stand inside of words, too, and without the targets of links. */
function bare(text: string): string {
  return text.replace(/[`*]/g, "").replace(/\]\([^)\s][^)]*\)/g, "] ");
}

function firstOf(words: readonly string[]): string {
  return words.slice(0, 3).join(" ");
}

/**
 * Whether a line stands in a block: its sentences and cells in order, each word for word; only brackets may be left out, and
 * those only where they turn nothing.
 */
function holds(block: string, line: string): boolean {
  const words = bracketed(block);
  let from = 0;
  for (const chunk of line.split(/…|(?<=[.!?。:])\s+|\s\|\s/)) {
    const asked = wordsOf(chunk);
    if (asked.length === 0) continue;
    let end = -1;
    for (let start = from; start < words.length && end < 0; start++) end = endOf(words, start, asked);
    if (end < 0) return false;
    from = end;
  }
  return true;
}

interface Word {
  readonly word: string;
  readonly inBracket: boolean;
}

/** Where a match of words ends that begins at a place, -1 without one; brackets are read or left out whole. */
function endOf(words: readonly Word[], at: number, asked: readonly string[], told = 0): number {
  if (told === asked.length) return at;
  const here = words[at]?.word === asked[told] ? endOf(words, at + 1, asked, told + 1) : -1;
  if (here >= 0 || told === 0 || words[at]?.inBracket !== true) return here;
  let behind = at;
  while (words[behind]?.inBracket === true) behind++;
  const turns = words.slice(at, behind).some(({ word }) => TURNS.test(word.toLowerCase()));
  return turns ? -1 : endOf(words, behind, asked, told);
}

function bracketed(text: string): Word[] {
  let depth = 0;
  return [...bare(text).matchAll(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*|[()]/gu)].flatMap(([word]) => {
    if (word === "(") depth++;
    else if (word === ")") depth = Math.max(0, depth - 1);
    else return [{ word, inBracket: depth > 0 }];
    return [];
  });
}

function offsetOf(lines: readonly string[], at: number): number {
  let offset = 0;
  for (let line = 0; line < at; line++) offset += lines[line]!.length + 1;
  return offset;
}
