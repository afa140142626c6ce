/** What a filling budget calls for. */
export type ThresholdName = "warn" | "compress" | "stop";

export interface Threshold {
  readonly name: ThresholdName;
  /** Share of the budget at which it fires. */
  readonly at: number;
}

/** The documents' thresholds. */
export const THRESHOLDS: readonly Threshold[] = [
  { name: "warn", at: 0.7 },
  { name: "compress", at: 0.8 },
  { name: "stop", at: 0.9 },
];

/** By how much usage must fall below a threshold before it may fire again. */
export const HYSTERESIS = 0.05;

/** Which thresholds stand, and which have just been passed. */
export interface ThresholdStep {
  readonly standing: readonly ThresholdName[];
  readonly fired: readonly ThresholdName[];
  readonly cleared: readonly ThresholdName[];
}

/** Moves the standing thresholds to a new share of the budget: each fires once, and is cleared only well below itself. */
export function passThresholds(
  standing: readonly ThresholdName[],
  share: number,
  thresholds: readonly Threshold[] = THRESHOLDS,
): ThresholdStep {
  const stands = new Set(standing);
  const fired: ThresholdName[] = [];
  const cleared: ThresholdName[] = [];
  for (const { name, at } of thresholds) {
    if (!stands.has(name) && share >= at) {
      stands.add(name);
      fired.push(name);
    } else if (stands.has(name) && share < at - HYSTERESIS) {
      stands.delete(name);
      cleared.push(name);
    }
  }
  return { standing: thresholds.flatMap(({ name }) => (stands.has(name) ? [name] : [])), fired, cleared };
}

/** The least share that a compression must free to count as progress. */
export const LEAST_PROGRESS = 0.05;

/** Whether another compression may be tried: one that freed too little would be repeated for ever. */
export function mayCompressAgain(before: number, after: number): boolean {
  return before > 0 && (before - after) / before >= LEAST_PROGRESS;
}
