import { frontier, hull, type Point, upgrades } from "./hull.ts";
import type { Packing } from "./packing.ts";

/** States kept at once; a problem that needs more keeps the best found so far. */
const MOST_STATES = 20_000;

interface State {
  readonly tokens: number;
  readonly value: number;
  readonly point: Point | undefined;
  readonly before: State | undefined;
}

/**
 * What items can be worth at most in a given room: the relaxed problem, in which a step may be taken in part. -Infinity
 * where their cheapest forms do not fit.
 */
export function relaxation(hulls: readonly (readonly Point[])[]): (room: number) => number {
  const tokens = [hulls.reduce((sum, [first]) => sum + first!.tokens, 0)];
  const values = [hulls.reduce((sum, [first]) => sum + first!.value, 0)];
  for (const step of upgrades(hulls)) {
    tokens.push(tokens.at(-1)! + step.tokens);
    values.push(values.at(-1)! + step.value);
  }
  return room => {
    if (room < tokens[0]!) return -Infinity;
    let low = 0;
    let high = tokens.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (tokens[middle]! <= room) low = middle;
      else high = middle - 1;
    }
    const next = tokens[low + 1];
    if (next === undefined) return values[low]!;
    const part = (room - tokens[low]!) / (next - tokens[low]!);
    return values[low]! + part * (values[low + 1]! - values[low]!);
  };
}

/**
 * The exact best choice by dynamic programming over undominated states, cut by the relaxed problem's bound and the choice
 * already known.
 */
export function improve(fronts: readonly (readonly Point[])[], budget: number, known: Packing): Packing {
  const hulls = fronts.map(hull);
  const rests = fronts.map((_, at) => relaxation(hulls.slice(at + 1)));
  let states: State[] = [{ tokens: 0, value: 0, point: undefined, before: undefined }];
  for (const [at, points] of fronts.entries()) {
    const most = rests[at]!;
    const next: State[] = [];
    for (const state of states) {
      for (const point of points) {
        const tokens = state.tokens + point.tokens;
        const value = state.value + point.value;
        if (value + most(budget - tokens) > known.value) next.push({ tokens, value, point, before: state });
      }
    }
    states = frontier(next);
    if (states.length > MOST_STATES) return known;
  }
  const best = states.at(-1);
  if (best === undefined) return { ...known, bound: known.value };
  const chosen: Point[] = [];
  for (let state = best; state.point !== undefined; state = state.before!) chosen.push(state.point);
  return { chosen: chosen.reverse(), tokens: best.tokens, value: best.value, bound: best.value };
}
