import { type Edit, type Match, myers } from "./myers.ts";

/** How often gaps between anchors are searched for anchors of their own. */
const DEPTH = 12;
/** Gaps smaller than this go to Myers at once: they are cheap and he is shorter. */
const SMALL = 64;

/**
 * The difference of two sequences as edits in order: common ends are cut off, then items that stand once in both
 * anchor the rest (patience), and Myers fills the gaps. Time and memory are linear in the input.
 */
export function diffSequences(old: Uint32Array, next: Uint32Array): Edit[] {
  const pairs = new Int32Array(old.length).fill(-1);
  const match: Match = (a, b) => {
    pairs[a] = b;
  };
  const stack: { gap: Edit; depth: number }[] = [
    { gap: { a: 0, aEnd: old.length, b: 0, bEnd: next.length }, depth: 0 },
  ];
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const gap = trim(old, next, top.gap, match);
    if (gap.a === gap.aEnd || gap.b === gap.bEnd) continue;
    const small = gap.aEnd - gap.a + gap.bEnd - gap.b <= SMALL;
    const anchors = small || top.depth >= DEPTH ? [] : uniqueAnchors(old, next, gap);
    if (anchors.length === 0) {
      myers(old, next, gap, match);
      continue;
    }
    let { a, b } = gap;
    for (const [anchorA, anchorB] of anchors) {
      stack.push({ gap: { a, aEnd: anchorA, b, bEnd: anchorB }, depth: top.depth + 1 });
      match(anchorA, anchorB);
      a = anchorA + 1;
      b = anchorB + 1;
    }
    stack.push({ gap: { a, aEnd: gap.aEnd, b, bEnd: gap.bEnd }, depth: top.depth + 1 });
  }
  return editsBetween(pairs, next.length);
}

/** What two lists have in common at their ends is matched; the gap between is left. */
export function trim(
  old: ArrayLike<unknown>,
  next: ArrayLike<unknown>,
  gap: Edit,
  match: Match = () => {},
): Edit {
  let { a, aEnd, b, bEnd } = gap;
  while (a < aEnd && b < bEnd && old[a] === next[b]) match(a++, b++);
  while (a < aEnd && b < bEnd && old[aEnd - 1] === next[bEnd - 1]) match(--aEnd, --bEnd);
  return { a, aEnd, b, bEnd };
}

/** Pairs of items that stand exactly once on both sides of a gap, as long a rising chain of them as there is. */
function uniqueAnchors(old: Uint32Array, next: Uint32Array, gap: Edit): [number, number][] {
  const inOld = places(old, gap.a, gap.aEnd);
  const inNext = places(next, gap.b, gap.bEnd);
  const candidates: [number, number][] = [];
  // In the order of their first places, so that those of the old side rise.
  for (const [item, a] of inOld) {
    const b = inNext.get(item);
    if (a >= 0 && b !== undefined && b >= 0) candidates.push([a, b]);
  }
  return longestRise(candidates);
}

/** Where each item stands; -1 for one that stands more than once. */
function places(items: Uint32Array, from: number, to: number): Map<number, number> {
  const seen = new Map<number, number>();
  for (let at = from; at < to; at++) seen.set(items[at]!, seen.has(items[at]!) ? -1 : at);
  return seen;
}

/** The longest subsequence whose second parts rise. */
function longestRise(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (let at = 0; at < pairs.length; at++) {
    const value = pairs[at]![1];
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[tails[middle]!]![1] < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[at] = tails[low - 1]!;
    tails[low] = at;
  }
  const chain: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) chain.push(pairs[at]!);
  return chain.reverse();
}

function editsBetween(pairs: Int32Array, nextLength: number): Edit[] {
  const edits: Edit[] = [];
  let a = 0;
  let b = 0;
  for (let at = 0; at <= pairs.length; at++) {
    const partner = at === pairs.length ? nextLength : pairs[at]!;
    if (partner < 0) continue;
    if (at > a || partner > b) edits.push({ a, aEnd: at, b, bEnd: partner });
    a = at + 1;
    b = partner + 1;
  }
  return edits;
}
