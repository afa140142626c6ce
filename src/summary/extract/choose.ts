import { createHeap, type Heap } from "./heap.ts";
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
 * tables and labels come with what stands under them. `covered` names features that are told elsewhere. What a choice within another
 * number of tokens begins with is worked out once.
 */
export function createChooser(
  pieces: readonly Piece[],
  weights: Weights,
  costs: readonly number[],
  covered: ReadonlySet<number>,
): (budget: number) => Choice {
  const { features, worth } = weights;
  const fixed: Fixed = {
    pieces,
    weights,
    costs,
    children: childrenOf(pieces),
    opens: pieces.map(opensOnly),
    whole: features.map(own => own.reduce((sum, feature) => sum + worth[feature]!, 0)),
    keys: [],
  };
  return budget => choose(fixed, budget, covered);
}

/** What all choices from the same pieces have in common. */
interface Fixed {
  readonly pieces: readonly Piece[];
  readonly weights: Weights;
  readonly costs: readonly number[];
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly opens: readonly boolean[];
  /** What all terms of each piece count. */
  readonly whole: readonly number[];
  /** What each piece with what it needs is worth per cost while none is chosen: of the first choice on. */
  readonly keys: number[];
}

function choose(
  { pieces, weights: { features, worth, value }, costs, children, opens, whole, keys }: Fixed,
  budget: number,
  covered: ReadonlySet<number>,
): Choice {
  const told = new Set(covered);
  const chosen = new Set<number>();
  /** By heading: how many pieces under it are chosen. */
  const inSection = new Map<number, number>();
  const sections = new Map<number, Heap>();
  /** Sections by what their best piece is worth now; of each the entry that `listed` names counts. */
  const open = createHeap();
  const listed = new Map<number, number>();

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
    const all = whole[at]!;
    const { kind, heading } = pieces[at]!;
    if (all === 0 || kind === "table" || kind === "stand-in") return 0;
    // A heading that states nothing says what its section is about; what is told of it does that, too.
    if (kind === "heading" && opens[at]! && !isTitle(pieces[at]!)) return 0;
    let fresh = 0;
    for (const feature of features[at]!) if (!told.has(feature)) fresh += worth[feature]!;
    return ((value[at]! * fresh) / all) * shareOf(heading);
  };
  const shareOf = (heading: number): number => (1 + (inSection.get(heading) ?? 0)) ** -SECTION_EXPONENT;
  /** What a piece with what it needs is worth per cost, but for what its section has told: that changes for all of it at once. */
  const keyOf = (list: readonly number[], heading: number): number =>
    list.reduce((sum, at) => sum + gainOf(at), 0) /
    Math.max(1, costOf(list)) ** COST_EXPONENT /
    shareOf(heading);
  const offer = (piece: number): void => {
    if (chosen.has(piece) || opens[piece]!) return;
    const { heading } = pieces[piece]!;
    const key = keyOf(needed(piece), heading);
    if (key > 0) sectionOf(heading).push(piece, key);
  };
  const sectionOf = (heading: number): Heap => {
    const known = sections.get(heading);
    if (known !== undefined) return known;
    const made = createHeap();
    sections.set(heading, made);
    return made;
  };
  /** Puts a section where its best piece belongs; one that stands higher is found too low when it comes to the top. */
  const enter = (heading: number): void => {
    const key = sectionOf(heading).peek() * shareOf(heading);
    if (key <= (listed.get(heading) ?? 0)) return;
    listed.set(heading, key);
    open.push(heading, key);
  };
  /** The best piece of a section with what it needs, as far as it still fits; whatever is out of date is put right on the way. */
  const bestOf = (
    section: Heap,
  ):
    | { readonly piece: number; readonly key: number; readonly needs: number[]; readonly cost: number }
    | undefined => {
    for (let top = section.pop(); top !== undefined; top = section.pop()) {
      if (chosen.has(top.piece)) continue;
      const needs = needed(top.piece);
      const cost = costOf(needs);
      const key = cost > left ? 0 : keyOf(needs, pieces[top.piece]!.heading);
      if (key <= 0) continue;
      if (key >= section.peek()) return { piece: top.piece, key, needs, cost };
      section.push(top.piece, key);
    }
    return undefined;
  };

  let left = budget;
  for (let piece = 0; piece < pieces.length; piece++) {
    const { heading } = pieces[piece]!;
    const key = keys[piece] ?? (opens[piece]! ? 0 : keyOf(needed(piece), heading));
    keys[piece] = key;
    if (key > 0) sectionOf(heading).push(piece, key);
  }
  for (const heading of sections.keys()) enter(heading);
  for (let next = open.pop(); next !== undefined && left > 0; next = open.pop()) {
    const heading = next.piece;
    if (next.key !== listed.get(heading)) continue;
    listed.delete(heading);
    const section = sectionOf(heading);
    const best = bestOf(section);
    if (best === undefined) continue;
    const { piece, needs, cost } = best;
    if (best.key * shareOf(heading) < open.peek()) {
      section.push(piece, best.key);
      enter(heading);
      continue;
    }
    left -= cost;
    for (const at of needs) {
      chosen.add(at);
      inSection.set(pieces[at]!.heading, 1 + (inSection.get(pieces[at]!.heading) ?? 0));
      for (const feature of features[at]!) told.add(feature);
    }
    // What stands under a chosen heading has become cheaper.
    const cheaper = needs.flatMap(at => children.get(at) ?? []);
    for (const child of cheaper) offer(child);
    for (const changed of new Set([heading, ...cheaper.map(child => pieces[child]!.heading)])) enter(changed);
  }
  return { pieces: [...chosen].sort((a, b) => a - b), tokens: budget - left };
}

/** What says something only above what follows. */
function opensOnly({ kind, text, opens }: Piece): boolean {
  if (kind === "block") return false;
  if (kind === "heading") return !headingStates(text);
  return opens === true || kind === "table" || text.endsWith(":") || text.endsWith("：");
}

/** The title of the whole. */
function isTitle({ text }: Piece): boolean {
  return text.startsWith("# ");
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
