import { keyOf } from "../../markdown/index.ts";
import { diffStrings } from "../intern.ts";
import { words } from "./words.ts";

/** A stretch of a hunk: `removed` and `added` of one line each change into one another; otherwise they stand alone. */
export interface Stretch {
  readonly kind: "change" | "block";
  /** Ranges into the hunk's removed and added lines. */
  readonly from: number;
  readonly to: number;
  readonly nextFrom: number;
  readonly nextTo: number;
}

/** Pairs of lines compared word by word; beyond that lines are paired by their keys. */
const COMPARED = 4_000;
/** What a change costs less when both lines have the same key: they are one item. */
const SAME_KEY = 3;
const REMOVE_COST = 0.4;

/**
 * Which removed lines live on as which added ones, at the least estimated cost. `changeCost` is what a change costs in
 * words beside its changed ones: the less, the more lines are paired. Stretches tile the hunk.
 */
export function align(removed: readonly string[], added: readonly string[], changeCost: number): Stretch[] {
  const pairs =
    removed.length * added.length <= COMPARED
      ? pairedByWords(removed, added, changeCost)
      : pairedByKeys(removed, added);
  const stretches: Stretch[] = [];
  let from = 0;
  let nextFrom = 0;
  for (const [a, b] of [...pairs, [removed.length, added.length] as const]) {
    if (a > from || b > nextFrom) stretches.push({ kind: "block", from, to: a, nextFrom, nextTo: b });
    if (a < removed.length && b < added.length) {
      stretches.push({ kind: "change", from: a, to: a + 1, nextFrom: b, nextTo: b + 1 });
    }
    from = a + 1;
    nextFrom = b + 1;
  }
  return stretches;
}

function pairedByKeys(removed: readonly string[], added: readonly string[]): [number, number][] {
  const keys = (lines: readonly string[], side: string): string[] =>
    lines.map((line, at) => keyOf(line) ?? `${side}${at}`);
  const pairs: [number, number][] = [];
  let a = 0;
  let b = 0;
  const edits = diffStrings(keys(removed, "\n-"), keys(added, "\n+"));
  for (const edit of [...edits, { a: removed.length, aEnd: 0, b: added.length, bEnd: 0 }]) {
    while (a < edit.a) pairs.push([a++, b++]);
    a = edit.aEnd;
    b = edit.bEnd;
  }
  return pairs;
}

function pairedByWords(
  removed: readonly string[],
  added: readonly string[],
  fixed: number,
): [number, number][] {
  const oldBags = removed.map(bagOf);
  const newBags = added.map(bagOf);
  const width = added.length + 1;
  const cost = new Float64Array((removed.length + 1) * width);
  const paired = new Uint8Array(cost.length);
  for (let a = removed.length; a >= 0; a--) {
    for (let b = added.length; b >= 0; b--) {
      if (a === removed.length && b === added.length) continue;
      const at = a * width + b;
      const drop = a < removed.length ? cost[at + width]! + REMOVE_COST : Infinity;
      const add = b < added.length ? cost[at + 1]! + newBags[b]!.size + 1 : Infinity;
      cost[at] = Math.min(drop, add);
      if (a === removed.length || b === added.length) continue;
      const change = cost[at + width + 1]! + fixed + changeCost(oldBags[a]!, newBags[b]!);
      if (change > cost[at]!) continue;
      cost[at] = change;
      paired[at] = 1;
    }
  }
  const pairs: [number, number][] = [];
  for (let a = 0, b = 0; a < removed.length && b < added.length; ) {
    const at = a * width + b;
    if (paired[at] === 1) pairs.push([a++, b++]);
    else if (cost[at]! === cost[at + width]! + REMOVE_COST) a++;
    else b++;
  }
  return pairs;
}

interface Bag {
  readonly counts: ReadonlyMap<string, number>;
  readonly size: number;
  readonly key: string | undefined;
}

function bagOf(line: string): Bag {
  const counts = new Map<string, number>();
  let size = 0;
  for (const word of words(line.slice(0, 2_000))) {
    if (word.trim() === "") continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    size++;
  }
  return { counts, size, key: keyOf(line) ?? /^#{1,6} /.exec(line)?.[0] };
}

/** Estimated words of a change: what is new, and some of what goes. Blank lines never change into others. */
function changeCost(old: Bag, next: Bag): number {
  if (old.size === 0 || next.size === 0) return Infinity;
  let common = 0;
  for (const [word, count] of next.counts) common += Math.min(count, old.counts.get(word) ?? 0);
  const same = old.key !== undefined && old.key === next.key ? SAME_KEY : 0;
  return next.size - common + Math.min(4, 0.3 * (old.size - common)) - same;
}
