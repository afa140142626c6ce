import { describe, expect, it } from "vitest";
import { simulate, simulateMany } from "../torture/simulate.ts";

const SEEDS = 1500;

describe("simulated runs", () => {
  const tally = simulateMany(1, SEEDS);

  it("[Z2] break no rule", () => {
    expect(tally.violations).toEqual([]);
    expect(tally.steps).toBeGreaterThan(20 * SEEDS);
  });

  it("[U1] end in every way a run can end", () => {
    const ends = [...tally.outcomes.keys()].sort();
    expect(ends).toEqual(expect.arrayContaining(["completed", "failed", "waiting"]));
    expect([...tally.outcomes.values()].reduce((sum, n) => sum + n, 0)).toBe(SEEDS);
  });

  it("[Z2] have met every kind of fault often", () => {
    expect(tally.faults.size).toBe(13);
    for (const [kind, count] of tally.faults) expect(count, kind).toBeGreaterThan(50);
  });

  it("[Z1] give the same trace for the same seed", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const [first, second] = [simulate(seed), simulate(seed)];
      expect(second).toEqual(first);
    }
    const hashes = new Set(Array.from({ length: 50 }, (_, n) => simulate(n + 1).hash));
    expect(hashes.size).toBe(50);
  });
});
