import { improve } from "./exact.ts";
import { frontier, hull, type Point, upgrades } from "./hull.ts";
import type { Packing } from "./packing.ts";

/** Up to so many items the best choice is searched for; beyond, the hull's is within one upgrade of it. */
const SMALL = 40;

/**
 * Picks one form of every item so that together they are worth the most and never cost more than the budget: the
 * multiple-choice knapsack. Each item's first form in cost must be affordable together with all others' (usually: being
 * left out, at no cost).
 */
export function pack(items: readonly (readonly Point[])[], budget: number): Packing {
  const fronts = items.map(frontier);
  const hulls = fronts.map(hull);
  const chosen = hulls.map(points => points[0]!);
  let room = budget;
  let value = 0;
  for (const point of chosen) {
    room -= point.tokens;
    value += point.value;
  }
  let bound: number | undefined;
  const stuck = new Set<number>();
  for (const { item, to, tokens, value: gain } of upgrades(hulls)) {
    if (tokens > room) {
      // The first step that does not fit, taken in part, is what no whole choice can beat.
      bound ??= value + (gain * room) / tokens;
      stuck.add(item);
    } else if (!stuck.has(item)) {
      chosen[item] = to;
      room -= tokens;
      value += gain;
    }
  }
  const greedy = fill({ chosen, tokens: budget - room, value, bound: bound ?? value }, fronts, budget);
  return items.length <= SMALL && greedy.value < greedy.bound ? improve(fronts, budget, greedy) : greedy;
}

/** Uses what room is left for the best single steps, off the hull too; one pass, the most gained first. */
function fill(packing: Packing, fronts: readonly (readonly Point[])[], budget: number): Packing {
  const chosen = [...packing.chosen];
  let room = budget - packing.tokens;
  let { value } = packing;
  /** The best form there is room for; at least the one the item has. */
  const fitting = (item: number): Point =>
    fronts[item]!.findLast(({ tokens }) => tokens - chosen[item]!.tokens <= room)!;
  const steps = chosen
    .map((now, item) => ({ item, gain: fitting(item).value - now.value }))
    .sort((a, b) => b.gain - a.gain);
  for (const { item } of steps) {
    const [now, better] = [chosen[item]!, fitting(item)];
    chosen[item] = better;
    room -= better.tokens - now.tokens;
    value += better.value - now.value;
  }
  return { ...packing, chosen, tokens: budget - room, value };
}
