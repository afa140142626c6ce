/** What a part of a proof came to. */
export interface Findings {
  /** How much was tried and compared, by name; the same names in each part, so that parts add up. */
  readonly counts: Readonly<Record<string, number>>;
  /** What was broken, one sentence each, with the seed to repeat it. */
  readonly broken: readonly string[];
}

/** A promise that is tried again and again. */
export interface Proof {
  readonly name: string;
  readonly promise: string;
  /** How often it is tried as a whole and as a sample; 0: not at all. */
  readonly whole: number;
  readonly sample: number;
  /** How often it is tried between two notes of how far it came. */
  readonly part: number;
  /** Tries it `count` times with the seeds from `seed` up to, not including, `seed + count`. */
  run(count: number, seed: number, say: (line: string) => void): Promise<Findings>;
}

/** Adds up counts of the same names. */
export function addCounts(all: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const counts of all)
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}
