import { diff, type Hunk } from "../delta/index.ts";
import type { Item } from "../markdown/index.ts";
import { STATUSES } from "./check.ts";
import { type Entry, entries } from "./entries.ts";
import { closed, excerpt, shorten, valueAfter } from "./excerpt.ts";
import {
  areOthers,
  beginning,
  identity,
  keyIn,
  marked,
  nameOf,
  plain,
  prose,
  type Side,
  sideOf,
  titleAbove,
  titleAt,
  titlesOf,
  touched,
} from "./side.ts";
import { isDelimiterRow, oneLine } from "./table.ts";
import { transitionOf } from "./transition.ts";

/** Something that stands in both, differently. */
export interface Changed {
  /** Title of the section it stands in now; empty before the first heading. */
  readonly section: string;
  readonly place: string;
  /** What it is called within its section. */
  readonly name: string;
  /** `moved` to another section: `before` and `after` name both; `renamed`, a heading: they are its titles. */
  readonly kind: "changed" | "moved" | "renamed";
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
  /** Titles of the sections in which they are. */
  readonly arranged: readonly string[];
  /** Sections that stand elsewhere now, with the section that was before them and the one that is; empty at the beginning. */
  readonly moved: readonly { readonly section: string; readonly before: string; readonly after: string }[];
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

/** Pairs what is gone with what has come, and keeps the rest. */
class Tally {
  readonly #before: Side;
  readonly #after: Side;
  readonly #seenOld = new Set<number>();
  readonly #seenNew = new Set<number>();
  readonly #gone = new Set<number>();
  readonly #come = new Set<number>();
  readonly #pairs: [number, number][] = [];
  /** What each place leaves, by hunk. */
  readonly #places: { readonly old: readonly number[]; readonly fresh: readonly number[] }[] = [];
  readonly #arranged: string[] = [];

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
    const titleOf = (side: Side) => (index: number) => {
      const item = side.document.items[index]!;
      return item.kind === "front-matter" ? [] : [titleAt(side, item)];
    };
    const around = silent
      ? [...come.flatMap(titleOf(this.#after)), ...gone.flatMap(titleOf(this.#before))]
      : [];
    if (around.length > 0) this.#arranged.push(around[0]!);
    const rest = this.#pairBy(old, fresh, identity);
    const begun = this.#pairBy(rest.old, rest.fresh, beginning);
    for (const index of begun.old) this.#gone.add(index);
    for (const index of begun.fresh) this.#come.add(index);
    this.#places.push(begun);
  }

  #telling({ document }: Side, index: number): boolean {
    const item = document.items[index]!;
    if (item.kind === "blank" || item.kind === "rule") return false;
    if (item.kind === "table-row") return !isDelimiterRow(item.text);
    if (item.kind !== "front-matter") return true;
    // Other documents than checkpoints have a status of their own.
    const isOwn = item.key === "status" && !STATUSES.includes(valueAfter(item.text, "status").trim());
    return item.key !== undefined && (!TOLD.has(item.key) || isOwn);
  }

  /** Pairs items of the same name, where each side has equally many of that name, but for those that are known to be others. */
  #pairBy(
    old: readonly number[],
    fresh: readonly number[],
    nameOf: (item: Item) => string | undefined,
    areApart: (old: Item, fresh: Item) => boolean = () => false,
  ): { old: number[]; fresh: number[] } {
    const group = (side: Side, indexes: readonly number[]) =>
      Map.groupBy(indexes, index => nameOf(side.document.items[index]!));
    const [left, right] = [group(this.#before, old), group(this.#after, fresh)];
    const paired = new Set<string | undefined>();
    for (const [name, indexes] of left) {
      const others = right.get(name);
      if (name === undefined || others?.length !== indexes.length) continue;
      paired.add(name);
      for (const [at, index] of indexes.entries()) {
        const other = others[at]!;
        if (!areApart(this.#before.document.items[index]!, this.#after.document.items[other]!))
          this.#pairs.push([index, other]);
      }
    }
    const unpaired = (groups: Map<string | undefined, number[]>) =>
      [...groups].flatMap(([name, indexes]) => (paired.has(name) ? [] : indexes));
    return { old: unpaired(left), fresh: unpaired(right) };
  }

  /** What moved to another place is neither gone nor come. */
  #settle(nameOf: (side: Side, index: number) => string | undefined): void {
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

  /** First the same text, wherever it is; then what stands in the same place; then the same name in the same section. */
  #settleRest(): void {
    this.#settle(
      (side, index) => `=${side.document.items[index]!.kind}${plain(side.document.items[index]!)}`,
    );
    for (const { old, fresh } of this.#places) {
      const open = [old.filter(at => this.#gone.has(at)), fresh.filter(at => this.#come.has(at))] as const;
      const rest = this.#pairBy(...open, ({ kind }) => kind, areOthers);
      this.#pairBy(rest.old, rest.fresh, prose);
    }
    for (const [old, fresh] of this.#pairs) {
      this.#gone.delete(old);
      this.#come.delete(fresh);
    }
    this.#settle((side, index) => {
      const item = side.document.items[index]!;
      const name = identity(item);
      return name === undefined ? undefined : `${titleAt(side, item)}\0${name}`;
    });
  }

  finish(): Omit<Differences, "hunks"> {
    this.#settleRest();
    const modified: Changed[] = [];
    const transitions: Changed[] = [];
    const moved: { section: string; before: string; after: string }[] = [];
    for (const [old, fresh] of this.#pairs.sort((a, b) => a[1] - b[1])) {
      const [a, b] = [this.#before.document.items[old]!, this.#after.document.items[fresh]!];
      const section = titleAt(this.#after, b);
      const transition = transitionOf(a, b, () => [
        titlesOf(this.#before, old),
        titlesOf(this.#after, fresh),
      ]);
      if (transition !== undefined)
        transitions.push({ section, name: transition.moved.place, kind: "changed", ...transition.moved });
      if (transition?.whole === true) continue;
      const change = this.#changeOf(a, b);
      const [was, is] = [titleAbove(this.#before, a), titleAbove(this.#after, b)];
      if (change !== undefined) modified.push(change);
      else if (b.kind === "heading" && section !== "" && was !== is)
        moved.push({ section, before: was, after: is });
      else this.#arranged.push(section);
    }
    return {
      added: entries(this.#after, this.#come),
      removed: entries(this.#before, this.#gone),
      modified,
      transitions,
      layout: this.#arranged.length,
      arranged: [...new Set(this.#arranged)],
      moved,
    };
  }

  #changeOf(a: Item, b: Item): Changed | undefined {
    const [left, right] = [titleAt(this.#before, a), titleAt(this.#after, b)];
    const [before, after] = [marked(a), marked(b)];
    if (plain(a) === plain(b) && b.kind === "heading") {
      const [was, is] = [oneLine(a.text, 400), oneLine(b.text, 400)];
      if (was === is) return undefined;
      return { section: right, place: "Heading", name: right, kind: "renamed", before: was, after: is };
    }
    if (plain(a) === plain(b)) {
      if (left === right) return undefined;
      const name = nameOf(b);
      const place = shorten(before, 80);
      return { section: right, place, name, kind: "moved", before: `§${left}`, after: `§${right}` };
    }
    if (b.kind === "heading")
      return { section: right, place: "Heading", name: right, kind: "renamed", before, after };
    const key = a.key !== undefined && a.key === b.key ? a.key : undefined;
    if (a.kind === "fence" && b.kind === "fence") {
      const { name, ...change } = inFence(a.text, b.text);
      return {
        section: right,
        place: right,
        name: name === "" ? nameOf(b) : name,
        kind: "changed",
        ...change,
      };
    }
    const called = key === undefined ? beginningOf(before, after) : keyIn(b.text, key);
    const value = (text: string) => (key === undefined ? text : valueAfter(text, key));
    const place = [right, called].filter(text => text !== "").join(": ");
    const name = called === "" ? nameOf(b) : called;
    return { section: right, place, name, kind: "changed", ...focus(value(before), value(after)) };
  }
}

/** The lines of two fences that differ, and the first of them that says something. */
function inFence(before: string, after: string): { name: string; before: string; after: string } {
  const [old, next] = [before.split("\n"), after.split("\n")];
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  const most = Math.min(old.length, next.length) - head;
  while (tail < most && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  const cut = (lines: readonly string[]) => oneLine(lines.slice(head, lines.length - tail).join("\n"), 2_000);
  const named = [...next.slice(head, next.length - tail), ...old.slice(head, old.length - tail)];
  const name = oneLine(named.find(line => /[\p{L}\p{N}]/u.test(line)) ?? "", 60);
  return { name, ...focus(cut(old), cut(next)) };
}

/** Words with which both begin; one short word says nothing. */
function beginningOf(before: string, after: string): string {
  const common = shorten(closed(commonStart(before, after)), 40);
  return /^[\x21-\x2f\x3a-\x7e]{1,7}$/.test(common) ? "" : common;
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
