import { wholeTokens } from "../allocate.ts";
import type { Point } from "./hull.ts";
import type { BudgetItem, Choice, ChoiceReason, Offer, Selection } from "./item.ts";
import { pack } from "./knapsack.ts";
import { withoutRepeats } from "./redundancy.ts";

const OUT: Point = { tokens: 0, value: 0, offer: -1 };

function isUsable(item: BudgetItem, offer: Offer): boolean {
  return (
    offer.level >= (item.finest ?? 0) &&
    offer.level <= (item.coarsest ?? 3) &&
    Number.isFinite(offer.tokens) &&
    offer.tokens >= 0
  );
}

/** Forms of an item as points; 0 and worse worths would make being left out as good as being in. */
function pointsOf(item: BudgetItem, worth: number): Point[] {
  return item.offers.flatMap((offer, at) =>
    isUsable(item, offer)
      ? [{ tokens: Math.ceil(offer.tokens), value: Math.max(worth * offer.retention, 1e-9), offer: at }]
      : [],
  );
}

/** A worth that arithmetic can bear, whatever the caller computed. */
function sane(priority: number): number {
  return Number.isFinite(priority) ? Math.min(1e9, Math.max(1e-6, priority)) : 1e-6;
}

type Rank = 0 | 1 | 2;
const rankOf = (item: BudgetItem): Rank => (item.pinned === true ? 0 : item.critical === true ? 1 : 2);

function reasonOf(item: BudgetItem, offer: Offer | undefined): ChoiceReason {
  if (offer === undefined) return "no-room";
  if (item.pinned === true) return "pinned";
  if (item.critical === true) return "critical";
  if (offer.level === 0) return "fits";
  return offer.level === item.finest ? "restricted" : "compressed";
}

interface Candidate {
  readonly at: number;
  readonly item: BudgetItem;
  readonly points: readonly Point[];
}

/** Those of whom everyone is to get in: each one's cheapest form is set aside first, the worthiest items before others. */
function seated(candidates: readonly Candidate[], budget: number): Point[][] {
  let room = budget;
  const seats = new Map<Candidate, Point[]>();
  for (const candidate of candidates.toSorted((a, b) => b.item.priority - a.item.priority)) {
    const least = Math.min(...candidate.points.map(({ tokens }) => tokens));
    const fits = least <= room;
    seats.set(candidate, fits ? [...candidate.points] : [OUT]);
    if (fits) room -= least;
  }
  return candidates.map(candidate => seats.get(candidate)!);
}

/**
 * Places every item at one of its levels or leaves it out, so that what is in is worth the most and never costs more than
 * the budget. Pinned items come first, then critical ones, then the rest; the answer keeps the order of the items.
 */
export function selectLevels(items: readonly BudgetItem[], budget: number): Selection {
  const { worths, standsIn } = withoutRepeats(items);
  const choices: Choice[] = items.map(({ id }, at) => {
    const other = standsIn.get(at);
    const base = { id, level: undefined, tokens: 0 };
    return other === undefined
      ? { ...base, reason: "no-offer" }
      : { ...base, reason: "duplicate", standsIn: items[other]!.id };
  });
  const whole = wholeTokens(budget);
  let room = whole;
  let value = 0;
  let bound = 0;
  for (const rank of [0, 1, 2] as const) {
    const candidates = items.flatMap((item, at): Candidate[] => {
      if (rankOf(item) !== rank || standsIn.has(at)) return [];
      const points = pointsOf(item, sane(item.priority) * worths[at]!);
      return points.length === 0 ? [] : [{ at, item, points }];
    });
    const forms = rank === 2 ? candidates.map(({ points }) => [OUT, ...points]) : seated(candidates, room);
    const packing = pack(forms, room);
    for (const [position, { at, item }] of candidates.entries()) {
      const point = packing.chosen[position]!;
      const offer = item.offers[point.offer];
      choices[at] = {
        id: item.id,
        level: offer?.level,
        tokens: point.tokens,
        reason: reasonOf(item, offer),
      };
    }
    room -= packing.tokens;
    value += packing.value;
    bound += packing.bound;
  }
  return { choices, tokens: whole - room, value, bound };
}
