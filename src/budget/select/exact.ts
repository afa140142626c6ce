import { hull, type Point, upgrades } from "./hull.ts";
import type { Packing } from "./packing.ts";

/** States kept at once; a problem that needs more keeps the best found so far. */
const MOST_STATES = 20_000;

interface State {
  readonly tokens: number;
  readonly value: number;
  readonly point: Point | undefined;
  readonly before: State | undefined;
}

/** What the remaining items can add at most to a budget: cumulated steps of the relaxed problem. */
interface Tail {
  readonly base: { readonly tokens: number; readonly value: number };
  readonly tokens: readonly number[];
  readonly values: readonly number[];
}

function tailOf(hulls: readonly (readonly Point[])[]): Tail {
  const tokens = [0];
  const values = [0];
  for (const step of upgrades(hulls)) {
    tokens.push(tokens.at(-1)! + step.tokens);
    values.push(values.at(-1)! + step.value);
  }
  const base = { tokens: 0, value: 0 };
  for (const [first] of hulls) {
    base.tokens += first!.tokens;
    base.value += first!.value;
  }
  return { base, tokens, values };
}

/** The most the remaining items can be worth in this room; -Infinity when their cheapest forms do not fit. */
function mostIn(tail: Tail, room: number): number {
  const free = room - tail.base.tokens;
  if (free < 0) return -Infinity;
  let low = 0;
  let high = tail.tokens.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tail.tokens[middle]! <= free) low = middle;
    else high = middle - 1;
  }
  const next = tail.tokens[low + 1];
  const part =
    next === undefined
      ? 0
      : ((free - tail.tokens[low]!) / (next - tail.tokens[low]!)) *
        (tail.values[low + 1]! - tail.values[low]!);
  return tail.base.value + tail.values[low]! + part;
}

/** Both sorted by cost: one list, without those that cost more and are worth less. */
function undominated(states: State[]): State[] {
  states.sort((a, b) => a.tokens - b.tokens || b.value - a.value);
  const kept: State[] = [];
  for (const state of states) if (state.value > (kept.at(-1)?.value ?? -Infinity)) kept.push(state);
  return kept;
}

/**
 * The exact best choice by dynamic programming over undominated states, cut by the relaxed problem's bound and the choice
 * already known.
 */
export function improve(fronts: readonly (readonly Point[])[], budget: number, known: Packing): Packing {
  const hulls = fronts.map(hull);
  const tails = fronts.map((_, at) => tailOf(hulls.slice(at + 1)));
  const least = known.value * (1 + 1e-12);
  let states: State[] = [{ tokens: 0, value: 0, point: undefined, before: undefined }];
  for (const [at, points] of fronts.entries()) {
    const tail = tails[at]!;
    const next: State[] = [];
    for (const state of states) {
      for (const point of points) {
        const tokens = state.tokens + point.tokens;
        const value = state.value + point.value;
        if (value + mostIn(tail, budget - tokens) > least) next.push({ tokens, value, point, before: state });
      }
    }
    states = undominated(next);
    if (states.length > MOST_STATES) return known;
  }
  const best = states.at(-1);
  if (best === undefined) return { ...known, bound: known.value };
  const chosen: Point[] = [];
  for (let state = best; state.point !== undefined; state = state.before!) chosen.push(state.point);
  return { chosen: chosen.reverse(), tokens: best.tokens, value: best.value, bound: best.value };
}
