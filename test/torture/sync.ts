import { createCodec } from "../../src/sync/index.ts";
import { SyncViolation } from "./sync-rules.ts";
import { World } from "./sync-world.ts";

/** What sequences were made of, and what they came to. */
export interface SyncTally {
  readonly sequences: number;
  readonly steps: number;
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly string[];
}

/** Four characters to a token: what costs a step does not matter here. */
const CHEAP = createCodec(text => Math.ceil(text.length / 4));

/** Lives one random sequence of a lead and its team; throws when a rule does not hold. */
function simulate(seed: number, counts: Map<string, number>): number {
  const world = new World(seed, CHEAP, counts);
  world.join();
  world.join();
  for (let left = world.random.between(10, 50); left > 0; left--) world.act();
  world.finish();
  return world.steps;
}

/** Many sequences from a first seed on; stops at the first that breaks a rule. */
export function simulateSync(first: number, sequences: number): SyncTally {
  const counts = new Map<string, number>();
  let steps = 0;
  for (let seed = first; seed < first + sequences; seed++) {
    try {
      steps += simulate(seed, counts);
    } catch (cause) {
      if (!(cause instanceof SyncViolation)) throw new Error(`seed ${seed}`, { cause });
      return { sequences: seed - first + 1, steps, counts, violations: [`seed ${seed}: ${cause.message}`] };
    }
  }
  return { sequences, steps, counts, violations: [] };
}

/** `npx node test/torture/sync.ts [sequences] [first seed]`. */
if (import.meta.main) {
  const began = performance.now();
  const { sequences, steps, counts, violations } = simulateSync(
    Number(process.argv[3] ?? 1),
    Number(process.argv[2] ?? 50_000),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${sequences} sequences, ${steps} steps, ${seconds} s: ${violations[0] ?? "no rule broken"}`);
  console.log(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([what, n]) => `${what} ${n}`)
      .join(", "),
  );
  if (violations.length > 0) process.exitCode = 1;
}
