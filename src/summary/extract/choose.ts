import { createHeap } from "./heap.ts";
import type { Piece } from "./types.ts";
import type { Weights } from "./weigh.ts";

/** How strongly cost counts: 1 is worth per token, 0 worth alone. */
const COST_EXPONENT = 0.8;

export interface Choice {
  /** Indices of the chosen pieces, ascending; what they stand under is among them. */
  readonly pieces: readonly number[];
  /** Sum of the costs. */
  readonly tokens: number;
}

/**
 * Chooses pieces whose covered facts are worth most within a number of tokens: greedily by worth per cost, where a fact
 * counts once. Worth of coverage only shrinks as more is covered, so a piece is weighed again only when it comes to the top.
 * `covered` names features that are told elsewhere already.
 */
export function choose(
  pieces: readonly Piece[],
  { features, worth, factor }: Weights,
  costs: readonly number[],
  budget: number,
  covered: ReadonlySet<number>,
): Choice {
  const told = new Set(covered);
  const chosen = new Set<number>();
  const children = childrenOf(pieces);
  const heap = createHeap();

  /** The piece and what must stand above it, as far as not chosen. */
  const needed = (piece: number): number[] => {
    const list: number[] = [];
    for (let at = piece; at >= 0 && !chosen.has(at); at = pieces[at]!.under) list.push(at);
    return list;
  };
  const costOf = (list: readonly number[]) => list.reduce((sum, at) => sum + costs[at]!, 0);
  const keyOf = (list: readonly number[]): number => {
    let gain = 0;
    for (const at of list) {
      let own = 0;
      for (const feature of features[at]!) if (!told.has(feature)) own += worth[feature]!;
      gain += own * factor[at]!;
    }
    return gain / Math.max(1, costOf(list)) ** COST_EXPONENT;
  };
  const offer = (piece: number): void => {
    const key = keyOf(needed(piece));
    if (key > 0) heap.push(piece, key);
  };

  for (let piece = 0; piece < pieces.length; piece++) offer(piece);
  let left = budget;
  for (let top = heap.pop(); top !== undefined && left > 0; top = heap.pop()) {
    if (chosen.has(top.piece)) continue;
    const list = needed(top.piece);
    const cost = costOf(list);
    if (cost > left) continue;
    const key = keyOf(list);
    if (key <= 0) continue;
    if (key < heap.peek()) {
      heap.push(top.piece, key);
      continue;
    }
    left -= cost;
    for (const at of list) {
      chosen.add(at);
      for (const feature of features[at]!) told.add(feature);
    }
    // What stands under a chosen heading has become cheaper.
    for (const at of list) for (const child of children.get(at) ?? []) if (!chosen.has(child)) offer(child);
  }
  return { pieces: [...chosen].sort((a, b) => a - b), tokens: budget - left };
}

function childrenOf(pieces: readonly Piece[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [index, { under }] of pieces.entries()) {
    if (under < 0) continue;
    const list = children.get(under);
    if (list === undefined) children.set(under, [index]);
    else list.push(index);
  }
  return children;
}
