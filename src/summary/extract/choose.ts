import { createHeap } from "./heap.ts";
import { headingStates } from "./signs.ts";
import type { Piece } from "./types.ts";
import type { Weights } from "./weigh.ts";

/** How strongly cost counts: 1 is worth per token. */
const COST_EXPONENT = 1.15;

/** How fast a section's further statements lose worth: the number of those told, and one, to the power of minus this. */
const SECTION_EXPONENT = 0.1;

/** Pieces that may come with one: deeper than lists, headings and turns of an argument go. */
const MOST_NEEDED = 96;

export interface Choice {
  /** Indices of the chosen pieces, ascending; what they stand under is among them. */
  readonly pieces: readonly number[];
  /** Sum of the costs. */
  readonly tokens: number;
}

/**
 * Chooses pieces that are likely to tell most within a number of tokens: greedily by worth per cost, where worth shrinks with the
 * share of a piece's terms that is told already, so a piece is weighed again only when it comes to the top. Headings, heads of
 * tables and labels come with what stands under them. `covered` names features that are told elsewhere.
 */
export function choose(
  pieces: readonly Piece[],
  { features, worth, value }: Weights,
  costs: readonly number[],
  budget: number,
  covered: ReadonlySet<number>,
): Choice {
  const told = new Set(covered);
  const chosen = new Set<number>();
  /** By heading: how many pieces under it are chosen. */
  const inSection = new Map<number, number>();
  const children = childrenOf(pieces);
  const heap = createHeap();

  /** The piece, what must stand above it and what takes it back, as far as not chosen; nothing where that is too much. */
  const needed = (piece: number): number[] => {
    const list = new Set<number>();
    const open = [piece];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at < 0 || chosen.has(at) || list.has(at)) continue;
      if (list.size === MOST_NEEDED) return [];
      list.add(at);
      open.push(pieces[at]!.under, pieces[at]!.with ?? -1);
    }
    return [...list];
  };
  const costOf = (list: readonly number[]) => list.reduce((sum, at) => sum + costs[at]!, 0);
  const gainOf = (at: number): number => {
    let all = 0;
    let fresh = 0;
    for (const feature of features[at]!) {
      all += worth[feature]!;
      if (!told.has(feature)) fresh += worth[feature]!;
    }
    const { kind, heading } = pieces[at]!;
    if (all === 0 || kind === "table" || kind === "stand-in") return 0;
    return ((value[at]! * fresh) / all) * (1 + (inSection.get(heading) ?? 0)) ** -SECTION_EXPONENT;
  };
  const keyOf = (list: readonly number[]): number =>
    list.reduce((sum, at) => sum + gainOf(at), 0) / Math.max(1, costOf(list)) ** COST_EXPONENT;
  const offer = (piece: number): void => {
    if (chosen.has(piece) || opensOnly(pieces[piece]!)) return;
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
      inSection.set(pieces[at]!.heading, 1 + (inSection.get(pieces[at]!.heading) ?? 0));
      for (const feature of features[at]!) told.add(feature);
    }
    // What stands under a chosen heading has become cheaper.
    for (const at of list) for (const child of children.get(at) ?? []) offer(child);
  }
  return { pieces: [...chosen].sort((a, b) => a - b), tokens: budget - left };
}

/** What says something only above what follows. */
function opensOnly({ kind, text, opens }: Piece): boolean {
  if (kind === "block") return false;
  if (kind === "heading") return !headingStates(text);
  return opens === true || kind === "table" || text.endsWith(":") || text.endsWith("：");
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
