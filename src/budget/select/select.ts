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
      ? [{ tokens: Math.ceil(offer.tokens), value: sane(worth * offer.retention, 1e-9), offer: at }]
      : [],
  );
}

/** A worth that arithmetic can bear, whatever the caller computed. */
function sane(worth: number, least: number): number {
  return Number.isFinite(worth) ? Math.min(1e9, Math.max(least, worth)) : least;
}

/** An item whose numbers can be compared: one that is none makes it neither nearer nor worthier, nor its floor lower. */
function sound(item: BudgetItem): BudgetItem {
  const { priority, distance = 0, floor } = item;
  return {
    ...item,
    priority: sane(priority, 1e-6),
    distance: distance > 0 ? distance : 0,
    ...(floor === undefined ? {} : { floor: Number.isNaN(floor) ? Infinity : floor }),
  };
}

/** Pinned items, then critical ones, then the rest from near to far. */
function rankOf({ pinned, critical, distance = 0 }: BudgetItem): number {
  return pinned === true ? 0 : critical === true ? 1 : 2 + distance;
}

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

const least = ({ points }: Candidate): number => Math.min(...points.map(({ tokens }) => tokens));

/** Whose cheapest form is set aside: one after the other, as long as there is room. */
function seat(candidates: readonly Candidate[], room: number): ReadonlySet<Candidate> {
  let rest = room;
  return new Set(
    candidates.filter(candidate => {
      const fits = least(candidate) <= rest;
      if (fits) rest -= least(candidate);
      return fits;
    }),
  );
}

const sumOf = (candidates: Iterable<Candidate>): number =>
  [...candidates].reduce((sum, candidate) => sum + least(candidate), 0);

const byPriority = (a: Candidate, b: Candidate): number => b.item.priority - a.item.priority;

/**
 * Places every item at one of its levels or leaves it out, so that what is in is worth the most and never costs more than
 * the budget. First the floors are set aside; then pinned items choose, critical ones, and the rest from near to far. The
 * answer keeps the order of the items.
 */
export function selectLevels(given: readonly BudgetItem[], budget: number): Selection {
  const items = given.map(sound);
  const { worths, standsIn } = withoutRepeats(items);
  const choices: Choice[] = items.map(({ id }, at) => {
    const other = standsIn.get(at);
    const base = { id, level: undefined, tokens: 0 };
    return other === undefined
      ? { ...base, reason: "no-offer" }
      : { ...base, reason: "duplicate", standsIn: items[other]!.id };
  });
  const candidates = items.flatMap((item, at): Candidate[] => {
    const points = standsIn.has(at) ? [] : pointsOf(item, item.priority * worths[at]!);
    return points.length === 0 ? [] : [{ at, item, points }];
  });
  const whole = wholeTokens(budget);
  const floors = seat(
    candidates
      .filter(({ item }) => item.floor !== undefined)
      .sort((a, b) => a.item.floor! - b.item.floor! || rankOf(a.item) - rankOf(b.item) || byPriority(a, b)),
    whole,
  );
  let room = whole - sumOf(floors);
  let value = 0;
  let bound = 0;
  const ranks = Map.groupBy(candidates, ({ item }) => rankOf(item));
  for (const [rank, group] of [...ranks].sort(([a], [b]) => a - b)) {
    const sure = group.filter(candidate => floors.has(candidate));
    room += sumOf(sure);
    // Of pinned and critical items everyone is to get in.
    const rest = group.filter(candidate => rank < 2 && !floors.has(candidate)).sort(byPriority);
    const seated = seat(rest, room - sumOf(sure));
    const forms = group.map(candidate =>
      floors.has(candidate) || seated.has(candidate)
        ? [...candidate.points]
        : [OUT, ...(rank < 2 ? [] : candidate.points)],
    );
    const packing = pack(forms, room);
    for (const [position, { at, item }] of group.entries()) {
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
