import { describe, expect, it } from "vitest";
import { simulate, simulateMany } from "../torture/simulate.ts";

const SEEDS = 1500;

/** Seeds that show a mistake this room has had, should it come back. */
const REGRESSIONS: readonly (readonly [seed: number, what: string])[] = [
  [1, "a task that comes back from waiting is not judged by its neighbours"],
  [2, "what an earlier step of a transaction touched is lost by a changed plan"],
  [4, "a task in file order waits only for the one right before it"],
  [6, "an edit while a task runs does not reach its completion"],
  [7, "a pause for an edit between two processes is not written"],
  [9, "a stop does not keep tasks from starting"],
  [11, "a blocked task names a blocker that has been repaired"],
  [28, "a forced phase opens beside what still moves"],
  [32, "a task gets a second agent while the first one dies"],
  [35, "a completed task that left the plan and came back runs again"],
  [45, "a lead never hears that a quota is back"],
  [127, "an attempt that still dies frees its slot"],
  [172, "a run ends while an agent still dies"],
  [254, "a lead may run something beside a task that must run alone"],
  [538, "a clock jump makes a retry wait for days"],
  [1358, "a waiter that cannot go does not wake the next one"],
  [1506, "a task the file takes in again keeps its old failures"],
  [2018, "a container behind a closed gate counts as stuck"],
];

describe("simulated runs", () => {
  const tally = simulateMany(1, SEEDS);

  it("[RZ2] break no rule", () => {
    expect(tally.violations).toEqual([]);
    expect(tally.steps).toBeGreaterThan(20 * SEEDS);
  });

  it.each(REGRESSIONS)("[RZ2] seed %i: %s", seed => {
    expect(() => simulate(seed)).not.toThrow();
  });

  it("[RU1] end in every way a run can end", () => {
    const ends = [...tally.outcomes.keys()].sort();
    expect(ends).toEqual(expect.arrayContaining(["completed", "failed", "waiting"]));
    expect([...tally.outcomes.values()].reduce((sum, n) => sum + n, 0)).toBe(SEEDS);
  });

  it("[RZ2] have met every kind of fault often", () => {
    expect(tally.faults.size).toBe(13);
    const rare = [...tally.faults].filter(([, count]) => count < 50);
    expect(rare).toEqual([]);
  });

  it("[RZ1] give the same trace for the same seed", () => {
    for (let seed = 1; seed <= 150; seed++) {
      const [first, second] = [simulate(seed), simulate(seed)];
      expect(second).toEqual(first);
    }
    const hashes = new Set(Array.from({ length: 50 }, (_, n) => simulate(n + 1).hash));
    expect(hashes.size).toBe(50);
  });
});
