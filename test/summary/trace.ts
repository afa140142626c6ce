import { type Item, scanMarkdown } from "../../src/markdown/index.ts";

/** Words whose loss inside a sentence would turn what it says. */
const TURNS =
  /^(?:not|no|none|never|must|only|without|except|unless|until|but|cannot|neither|nor|excluding|exclude|always|forbidden)$|않|없|아니|제외|금지|반드시|절대|다만|하지만/u;

/** Words that make a block say something else without the one above it; a block that takes it back. */
const BACK = /^(?:> )?(?:This|These|It|Such|Otherwise|Doing so|But|이는|이것은|위|해당|단)(?=[ ,])/u;
const UNDOES = /^(?:This|These|It|이는|이것은)(?= ).{0,40}(?:rejected|must not|기각)/u;

interface Place {
  readonly text: string;
  readonly chain: string;
  /** Of what its first sentence is about, one is told above it. */
  readonly about: readonly string[];
  /** First words of the block that takes it back. */
  undone?: string;
  /** Words of what it stands under inside its section: items around it, its table's head, the keys above it. */
  readonly parents: readonly string[];
}

/**
 * The lines of an extraction that its source does not say under the same parents, written apart from what makes extractions:
 * a line's words stand in one block of the source, in order; nothing that turns a sentence is left out of it; the headings, list
 * items, keys and table heads above it are told, too; code stands whole; rows that are not told are counted.
 * So are the line that opens a block, what a block points back at or what stands for it, and what takes a block back.
 */
export function untraced(source: string, extraction: string): string[] {
  const { places, fences, tables, lists } = placesOf(source.replace(/<!--[\s\S]*?-->/g, ""));
  const bad: string[] = [];
  const owed: { readonly line: string; readonly undone: string }[] = [];
  const chain: string[] = [];
  const told: string[] = [];
  const lines = extraction.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    const fence = fences.find(({ text }) => extraction.startsWith(text, offsetOf(lines, at)));
    if (fence !== undefined) {
      told.push("(code)");
      at += fence.text.split("\n").length - 1;
      continue;
    }
    const more = /^\((\d+)(?: more rows?|개 행 더)\)$/.exec(line);
    if (more !== null) {
      if (!tables.some(rows => rows >= Number(more[1]))) bad.push(line);
      continue;
    }
    const stands = /^\((?:(code|list), (\d+) (?:lines?|items)|(코드|목록), (\d+)(?:줄|개 항목))\)$/.exec(
      line,
    );
    if (stands !== null) {
      const isCode = stands[1] === "code" || stands[3] === "코드";
      const count = Number(stands[2] ?? stands[4]);
      const has = isCode
        ? fences.some(({ text }) => text.split("\n").length - 2 === count)
        : lists.includes(count);
      if (!has) bad.push(line);
      told.push(isCode ? "(code)" : "(list)");
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
    const isTrue = ({ text, parents, about }: Place): boolean =>
      parents.every(parent => told.includes(parent)) &&
      (about.length === 0 ||
        firstOf(wordsOf(text)) !== firstOf(words) ||
        about.some(one => told.includes(one)));
    if (!own.some(isTrue)) bad.push(line);
    else if (own.every(({ undone }) => undone !== undefined)) owed.push({ line, undone: own[0]!.undone! });
    told.push(...own.map(({ text }) => firstOf(wordsOf(text))), firstOf(words));
  }
  const all = ` ${wordsOf(extraction).join(" ")} `;
  return [...bad, ...owed.filter(({ undone }) => !all.includes(undone)).map(({ line }) => line)];
}

function placesOf(source: string): {
  readonly places: readonly Place[];
  readonly fences: readonly { readonly text: string }[];
  readonly tables: readonly number[];
  readonly lists: readonly number[];
} {
  const { items, sections } = scanMarkdown(source);
  const places: Place[] = [];
  const open: { depth: number; words: string }[] = [];
  const tables: number[] = [];
  let head = "";
  let rows = 0;
  let section = -1;
  /** How many items each list has had so far, and the lists that are open, by depth. */
  const lists: number[] = [];
  const counts: number[] = [];
  /** The block above: what tells that it is told, and what its line opens. */
  let above:
    | { readonly what: readonly string[]; readonly places: readonly Place[]; readonly opens: boolean }
    | undefined;
  const flush = (): void => {
    if (rows > 0) tables.push(rows);
    [rows, head] = [0, ""];
  };
  for (const [at, item] of items.entries()) {
    if (item.section !== section) open.length = counts.length = 0;
    if (item.section !== section || item.kind === "rule") above = undefined;
    const isItem = item.kind === "list-item" || /^ {0,12}(?:[-*+]|\d+[.)]) /.test(item.text);
    if (isItem) {
      counts.length = item.depth + 1;
      const count = (counts[item.depth] ?? 0) + 1;
      counts[item.depth] = count;
      lists.push(count);
    } else if (item.kind !== "blank") counts.length = Math.min(counts.length, item.depth);
    section = item.section;
    if (item.kind !== "table-row") flush();
    if (["blank", "rule", "heading", "fence"].includes(item.kind)) {
      if (item.kind === "heading")
        places.push({ text: "", chain: chainOf(sections, section), parents: [], about: [] });
      if (item.kind === "fence") above = { what: ["(code)"], places: [], opens: false };
      continue;
    }
    const words = wordsOf(item.text);
    const chain = item.kind === "front-matter" ? "" : chainOf(sections, section);
    if (item.kind === "table-row") {
      if (words.length === 0) continue;
      const isHead = head === "" && wordsOf(items[at + 1]?.text ?? "x").length === 0;
      if (isHead) head = firstOf(words);
      else rows++;
      places.push({ text: item.text, chain, parents: isHead || head === "" ? [] : [head], about: [] });
      above = { what: [head === "" ? firstOf(words) : head], places: [], opens: false };
      continue;
    }
    const depth = depthOf(item);
    while (open.length > 0 && open.at(-1)!.depth >= depth) open.pop();
    const isProse = !isItem && item.kind !== "front-matter" && item.depth === 0;
    const text = bare(item.text.trim());
    const opened = isProse && above?.opens === true ? above.what : [];
    const about = isProse && above !== undefined && opened.length === 0 && BACK.test(text) ? above.what : [];
    const parents = [...open.map(({ words: own }) => own), ...opened];
    const place: Place = { text: item.text, chain, parents, about };
    places.push(place);
    if (about.length > 0 && UNDOES.test(text))
      for (const one of above!.places) one.undone = ` ${firstOf(words)} `;
    // Labels in a row are statements of their own; a line without one belongs to the label above it.
    if (item.kind === "key-value")
      for (const label of item.text.split(/\n(?=[ >*_`~\p{L}\p{N}][^:\n]{0,44}:[*_`~]*(?: |\r?$))/mu))
        places.push({ text: label, chain, parents: open.map(({ words: own }) => own), about: [] });
    above = isItem
      ? {
          what: ["(list)", firstOf(words)],
          places: [...(above?.what[0] === "(list)" ? above.places : []), place],
          opens: false,
        }
      : { what: [firstOf(words)], places: [place], opens: isProse && /[:：]$/.test(text) };
    if (item.kind === "front-matter" || item.kind !== "paragraph")
      open.push({ depth, words: firstOf(words) });
  }
  flush();
  const fences = items.filter(({ kind }) => kind === "fence").map(({ text }) => ({ text: text.trimEnd() }));
  return { places, fences, tables, lists };
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
