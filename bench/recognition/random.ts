/** Seeded choices: the same seed gives the same file on every machine. */
export interface Random {
  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  /** Like `chance`, but never in four files of five: for spellings that no measured file showed. */
  dare(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Up to `count` different items, in their order. */
  some<T>(items: readonly T[], count: number): T[];
}

/** Mulberry32: 32 bits of state are enough for choosing spellings. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const daring = next() < 0.2;
  return {
    int,
    dare: probability => daring && next() < probability,
    chance: probability => next() < probability,
    pick: items => items[int(0, items.length - 1)]!,
    some: (items, count) => {
      const left = [...items.keys()];
      const chosen: number[] = [];
      while (chosen.length < count && left.length > 0)
        chosen.push(...left.splice(int(0, left.length - 1), 1));
      return chosen.sort((a, b) => a - b).map(index => items[index]!);
    },
  };
}
