/** Someone who shares a budget: a run of an agent in a workflow. */
export interface Claim {
  /** Unique among the claims; an agent that comes twice has two. */
  readonly id: string;
  /** Positive; shares are in proportion to it. */
  readonly weight: number;
  /** The most it may have; unlimited when absent. */
  readonly cap?: number;
  /** The least it needs. */
  readonly floor?: number;
}

export interface Allocation {
  /** Whole tokens by claim, in the order of the claims. */
  readonly shares: ReadonlyMap<string, number>;
  /** What no cap lets anyone have. */
  readonly left: number;
  /** True when the floors alone need more than there is; they were lowered in proportion. */
  readonly short: boolean;
}

interface Bounded {
  readonly id: string;
  readonly weight: number;
  readonly low: number;
  readonly high: number;
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

/** How much all take together when one unit of weight is worth `rate`. */
function taken(claims: readonly Bounded[], rate: number): number {
  return sum(claims.map(({ weight, low, high }) => Math.min(high, Math.max(low, weight * rate))));
}

/** The rate at which the claims take `total` together: found among the rates at which one reaches its floor or cap. */
function rateFor(claims: readonly Bounded[], total: number): number {
  const turns = claims
    .flatMap(({ weight, low, high }) => [low / weight, high / weight])
    .filter(rate => Number.isFinite(rate))
    .sort((a, b) => a - b);
  let from = 0;
  let to = turns.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (taken(claims, turns[middle]!) < total) from = middle + 1;
    else to = middle;
  }
  const below = from === 0 ? 0 : turns[from - 1]!;
  const base = taken(claims, below);
  const moving = sum(
    claims
      .filter(({ weight, low, high }) => low / weight <= below && below < high / weight)
      .map(({ weight }) => weight),
  );
  return moving === 0 ? below : below + (total - base) / moving;
}

/** Whole numbers near the exact shares whose sum is exactly `total`: what is lost by cutting goes to the largest fractions. */
function roundTo(total: number, exact: readonly number[], claims: readonly Bounded[]): number[] {
  const whole = exact.map(share => Math.floor(share + 1e-9));
  let missing = total - sum(whole);
  const byFraction = exact
    .map((share, at) => ({ at, fraction: share - whole[at]! }))
    .sort((a, b) => b.fraction - a.fraction || a.at - b.at);
  // A second round is for what arithmetic on fractions has lost.
  for (let round = 0; round < 2 && missing > 0; round++) {
    for (const { at } of byFraction) {
      if (missing <= 0) break;
      if (whole[at]! >= claims[at]!.high) continue;
      whole[at]!++;
      missing--;
    }
  }
  // A share of a very large amount may have been rounded up to what no one has.
  for (const { at } of byFraction.toReversed()) {
    if (missing >= 0) break;
    if (whole[at]! <= claims[at]!.low) continue;
    whole[at]!--;
    missing++;
  }
  return whole;
}

/** More than anybody has, and little enough that sums of it are exact. */
const MOST_TOKENS = 2 ** 50;

/** Whole tokens; nothing for what is no amount. */
export function wholeTokens(amount: number): number {
  return amount > 0 ? Math.min(Math.floor(amount), MOST_TOKENS) : 0;
}

/** Weights that arithmetic can bear: what is no weight has the least. */
function soundWeight(weight: number): number {
  return weight > 1e-9 ? Math.min(weight, 1e12) : 1e-9;
}

/**
 * Shares a budget by weight. Nobody gets more than its cap or, while there is enough, less than its floor; the shares are
 * whole tokens and their sum is exactly the smaller of `total` and the sum of the caps.
 */
export function allocate(claims: readonly Claim[], total: number): Allocation {
  const budget = wholeTokens(total);
  const bounded = claims.map(({ id, weight, cap, floor }): Bounded => {
    const high = cap === undefined ? Infinity : wholeTokens(cap);
    return { id, weight: soundWeight(weight), low: Math.min(high, wholeTokens(floor ?? 0)), high };
  });
  const needed = sum(bounded.map(({ low }) => low));
  const short = needed > budget;
  const target = claims.length === 0 ? 0 : Math.min(budget, sum(bounded.map(({ high }) => high)));
  const exact = short
    ? bounded.map(({ low }) => (low * budget) / needed)
    : withRate(bounded, rateFor(bounded, target));
  const whole = roundTo(target, exact, bounded);
  return {
    shares: new Map(bounded.map(({ id }, at) => [id, whole[at]!])),
    left: budget - target,
    short,
  };
}

function withRate(claims: readonly Bounded[], rate: number): number[] {
  return claims.map(({ weight, low, high }) => Math.min(high, Math.max(low, weight * rate)));
}
