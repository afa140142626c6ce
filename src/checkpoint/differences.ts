import { diff, type Hunk } from "../delta/index.ts";
import {
  contentStart,
  type Item,
  lineShape,
  type MarkdownDocument,
  scanMarkdown,
} from "../markdown/index.ts";
import { closed, excerpt, markedStart, shorten, valueAfter } from "./excerpt.ts";
import { partOf } from "./parts.ts";
import { isDelimiterRow, oneLine, splitRow } from "./table.ts";
import { transitionOf } from "./transition.ts";

/** Something that stands in one of two documents only. */
export interface Entry {
  /** Title of the section; empty before the first heading. */
  readonly section: string;
  readonly text: string;
  readonly kind: "item" | "row" | "section";
  /** Titles of the table a row stands in; absent where it has none. */
  readonly titles?: readonly string[];
}

/** Something that stands in both, differently. */
export interface Changed {
  /** Title of the section it stands in now; empty before the first heading. */
  readonly section: string;
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

/** What separates two documents, for people; `diff` has it for machines. */
export interface Differences {
  readonly added: readonly Entry[];
  readonly modified: readonly Changed[];
  readonly removed: readonly Entry[];
  readonly transitions: readonly Changed[];
  /** Lines that changed in ways no entry shows: blank lines, order, marks. */
  readonly layout: number;
  readonly hunks: readonly Hunk[];
}

/** Fields of a front matter that a delta's own header tells already. */
const TOLD: ReadonlySet<string> = new Set([
  "checkpoint",
  "created",
  "parent",
  "last_delta",
  "anchor",
  "status",
  "supersedes",
]);

/** Characters by which two forms of an item are known as the same. */
const BEGINNING = 24;

/** One document as it is compared: items, and which one a line belongs to. */
interface Side {
  readonly document: MarkdownDocument;
  /** By line. */
  readonly itemAt: readonly number[];
  /** By item: the row of titles above a table's row; -1 for what stands in no table. */
  readonly titlesAt: readonly number[];
}

/** Compares two documents item by item, in linear time. */
export function differences(old: string, next: string): Differences {
  const { hunks } = diff(old, next);
  const [before, after] = [sideOf(old), sideOf(next)];
  const tally = new Tally(before, after);
  let shift = 0;
  for (const hunk of hunks) {
    const gone = touched(before, hunk.at, hunk.removed.length);
    const come = touched(after, hunk.at + shift, hunk.added.length);
    tally.pair(gone, come);
    shift += hunk.added.length - hunk.removed.length;
  }
  return { ...tally.finish(), hunks };
}

function sideOf(text: string): Side {
  const document = scanMarkdown(text);
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

/** The items that `count` lines from `line` on touch; without lines, the one whose inside the place is. */
function touched({ document: { items }, itemAt }: Side, line: number, count: number): number[] {
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

/** Pairs what is gone with what has come, and keeps the rest. */
class Tally {
  readonly #before: Side;
  readonly #after: Side;
  readonly #seenOld = new Set<number>();
  readonly #seenNew = new Set<number>();
  readonly #gone = new Set<number>();
  readonly #come = new Set<number>();
  readonly #pairs: [number, number][] = [];
  #layout = 0;

  constructor(before: Side, after: Side) {
    this.#before = before;
    this.#after = after;
  }

  pair(gone: readonly number[], come: readonly number[]): void {
    const old = gone.filter(index => this.#telling(this.#before, index) && !this.#seenOld.has(index));
    const fresh = come.filter(index => this.#telling(this.#after, index) && !this.#seenNew.has(index));
    for (const index of old) this.#seenOld.add(index);
    for (const index of fresh) this.#seenNew.add(index);
    const silent = old.length + fresh.length === 0;
    if (
      silent &&
      [
        ...gone.map(at => this.#before.document.items[at]),
        ...come.map(at => this.#after.document.items[at]),
      ].some(item => item?.kind !== "front-matter")
    )
      this.#layout++;
    const rest = this.#pairBy(old, fresh, identity);
    const begun = this.#pairBy(rest.old, rest.fresh, beginning);
    const alike = this.#pairBy(begun.old, begun.fresh, ({ kind }) => kind);
    for (const index of alike.old) this.#gone.add(index);
    for (const index of alike.fresh) this.#come.add(index);
  }

  #telling({ document }: Side, index: number): boolean {
    const item = document.items[index]!;
    if (item.kind === "blank" || item.kind === "rule") return false;
    if (item.kind === "table-row") return !isDelimiterRow(item.text);
    return item.kind !== "front-matter" || (item.key !== undefined && !TOLD.has(item.key));
  }

  /** Pairs items of the same name, where each side has equally many of that name. */
  #pairBy(
    old: readonly number[],
    fresh: readonly number[],
    nameOf: (item: Item) => string | undefined,
  ): { old: number[]; fresh: number[] } {
    const group = (side: Side, indexes: readonly number[]) =>
      Map.groupBy(indexes, index => nameOf(side.document.items[index]!));
    const [left, right] = [group(this.#before, old), group(this.#after, fresh)];
    const paired = new Set<string | undefined>();
    for (const [name, indexes] of left) {
      const others = right.get(name);
      if (name === undefined || others?.length !== indexes.length) continue;
      paired.add(name);
      for (const [at, index] of indexes.entries()) this.#pairs.push([index, others[at]!]);
    }
    const unpaired = (groups: Map<string | undefined, number[]>) =>
      [...groups].flatMap(([name, indexes]) => (paired.has(name) ? [] : indexes));
    return { old: unpaired(left), fresh: unpaired(right) };
  }

  /** What moved to another place is neither gone nor come: the same text, or the same name in the same section. */
  #settleMoves(): void {
    for (const nameOf of [
      (side: Side, index: number) => `=${plain(side.document.items[index]!)}`,
      (side: Side, index: number) => {
        const item = side.document.items[index]!;
        const name = identity(item);
        return name === undefined ? undefined : `${side.document.sections[item.section]!.title}\0${name}`;
      },
    ]) {
      // Taken from their ends, so the first of several is the last.
      const waiting = Map.groupBy([...this.#gone].reverse(), index => nameOf(this.#before, index));
      for (const index of this.#come) {
        const name = nameOf(this.#after, index);
        const old = name === undefined ? undefined : waiting.get(name)?.pop();
        if (old === undefined) continue;
        this.#gone.delete(old);
        this.#come.delete(index);
        this.#pairs.push([old, index]);
      }
    }
  }

  finish(): Omit<Differences, "hunks"> {
    this.#settleMoves();
    const modified: Changed[] = [];
    const transitions: Changed[] = [];
    for (const [old, fresh] of this.#pairs.sort((a, b) => a[1] - b[1])) {
      const [a, b] = [this.#before.document.items[old]!, this.#after.document.items[fresh]!];
      const transition = transitionOf(a, b, () => titlesOf(this.#after, fresh));
      if (transition !== undefined)
        transitions.push({ section: titleAt(this.#after, b), ...transition.moved });
      if (transition?.whole === true) continue;
      const change = this.#changeOf(a, b);
      if (change === undefined) this.#layout++;
      else modified.push(change);
    }
    return {
      added: entries(this.#after, this.#come),
      removed: entries(this.#before, this.#gone),
      modified,
      transitions,
      layout: this.#layout,
    };
  }

  #changeOf(a: Item, b: Item): Changed | undefined {
    const [left, right] = [titleAt(this.#before, a), titleAt(this.#after, b)];
    const [before, after] = [marked(a), marked(b)];
    if (plain(a) === plain(b)) {
      if (left === right) return undefined;
      return { section: right, place: shorten(before, 80), before: `§${left}`, after: `§${right}` };
    }
    if (b.kind === "heading") return { section: right, place: "Heading", before, after };
    const key = a.key !== undefined && a.key === b.key ? a.key : undefined;
    const name = key === undefined ? shorten(closed(commonStart(before, after)), 40) : closed(key);
    const value = (text: string) => (key === undefined ? text : valueAfter(text, key));
    const place = [right, name].filter(text => text !== "").join(": ");
    return { section: right, place, ...focus(value(before), value(after)) };
  }
}

function titleAt({ document }: Side, item: Item): string {
  return document.sections[item.section]!.title;
}

/** The titles of the table a row belongs to. */
function titlesOf({ document: { items }, titlesAt }: Side, index: number): string[] {
  const titles = items[titlesAt[index] ?? -1];
  return titles === undefined ? [] : splitRow(titles.text);
}

/** What an item is called wherever it stands: its key, or the first word of one that begins with an id. */
function identity(item: Item): string | undefined {
  if (item.kind === "heading" || item.kind === "front-matter" || item.kind === "fence") return undefined;
  if (item.key !== undefined) return `${item.kind}:${item.key}`;
  const text = item.text.slice(contentStart(item.text));
  const end = text.search(/[\s:.)*]/);
  const word = end < 0 ? "" : text.slice(0, end);
  return word.length > 1 && word.length < 20 && /\d/.test(word) ? `${item.kind}:${word}` : undefined;
}

/** The first words of a longer item. */
function beginning(item: Item): string | undefined {
  const words = plain(item).slice(0, BEGINNING);
  return words.length < BEGINNING ? undefined : `${item.kind}:${words}`;
}

/** An item's words with the marks they have, on one line. */
function marked(item: Item): string {
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

function commonStart(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const words = a.slice(0, at).lastIndexOf(" ");
  return at === a.length || at === b.length ? a.slice(0, at) : a.slice(0, Math.max(words, 0));
}

/** Characters left standing beside what differs. */
const AROUND = 24;

/** Both texts without the long beginning and end they share. */
export function focus(before: string, after: string): { before: string; after: string } {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const from = head <= AROUND ? 0 : before.lastIndexOf(" ", head - AROUND) + 1;
  const cut = (text: string) => {
    const end = tail <= AROUND ? text.length : text.indexOf(" ", text.length - tail + AROUND);
    return excerpt(text, from, end < 0 ? text.length : end);
  };
  return { before: cut(before), after: cut(after) };
}

/** Items that stand on one side only; those of a section that is new or gone as a whole are told with it. */
function entries(side: Side, indexes: ReadonlySet<number>): Entry[] {
  const { items, sections } = side.document;
  const whole = new Set<number>();
  const found: Entry[] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const item = items[index]!;
    const { title, endLine, line } = sections[item.section]!;
    if (item.kind === "heading") {
      whole.add(item.section);
      found.push({ section: title, text: String(endLine - line), kind: "section" });
    } else if (!whole.has(item.section) || partOf(title) === "artifacts") {
      if (item.kind !== "table-row") {
        const text = shorten(item.text.slice(lineShape(item.text).content), 200);
        found.push({ section: title, text, kind: "item" });
        continue;
      }
      // Titles are told with the rows below them.
      if (isDelimiterRow(items[index + 1]?.text ?? "") && indexes.has(index + 2)) continue;
      const titles = titlesOf(side, index);
      const text = item.text.trim();
      found.push({ section: title, text, kind: "row", ...(titles.length === 0 ? {} : { titles }) });
    }
  }
  return found;
}
