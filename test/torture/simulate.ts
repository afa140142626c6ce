import { type FaultKind, type Report, Violation, World } from "./world.ts";

/** Lives one random run to its end; throws a `Violation` when a rule does not hold. Same seed, same report. */
export function simulate(seed: number): Report {
  return new World(seed).live();
}

export interface Tally {
  readonly runs: number;
  readonly steps: number;
  readonly outcomes: ReadonlyMap<string, number>;
  readonly faults: ReadonlyMap<FaultKind, number>;
  /** One line per broken rule; at most ten. */
  readonly violations: readonly string[];
}

/** Lives `count` runs from `firstSeed` on. */
export function simulateMany(firstSeed: number, count: number): Tally {
  const outcomes = new Map<string, number>();
  const faults = new Map<FaultKind, number>();
  const violations: string[] = [];
  let steps = 0;
  for (let seed = firstSeed; seed < firstSeed + count && violations.length < 10; seed++) {
    try {
      const report = simulate(seed);
      steps += report.steps;
      const outcome = report.outcome.split(":")[0] ?? "";
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      for (const [kind, n] of report.faults) faults.set(kind, (faults.get(kind) ?? 0) + n);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      violations.push(
        error instanceof Violation ? error.message : `seed ${seed}: ${error.stack ?? error.message}`,
      );
    }
  }
  return { runs: count, steps, outcomes, faults, violations };
}
