/** Reproducible numbers for tests: the same seed gives the same sequence everywhere (mulberry32). */
export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, limit). */
  below(limit: number): number;
  /** One of the items. */
  pick<T>(items: readonly T[]): T;
  /** True with this probability. */
  chance(probability: number): boolean;
}

/** A generator for one seed. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: items => items[below(items.length)]!,
    chance: probability => next() < probability,
  };
}
