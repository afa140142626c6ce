import { simulateMany } from "./simulate.ts";

/** `npx node test/torture/main.ts [runs] [first seed]`: many simulated runs, with progress. */
const runs = Number(process.argv[2] ?? 100_000);
const first = Number(process.argv[3] ?? 1);
const CHUNK = 1000;
const faults = new Map<string, number>();
let steps = 0;
const began = performance.now();
for (let seed = first; seed < first + runs; seed += CHUNK) {
  const tally = simulateMany(seed, Math.min(CHUNK, first + runs - seed));
  steps += tally.steps;
  for (const [kind, n] of tally.faults) faults.set(kind, (faults.get(kind) ?? 0) + n);
  if (tally.violations.length > 0) {
    console.error(tally.violations.join("\n"));
    process.exit(1);
  }
  if (seed % (10 * CHUNK) === first) {
    const seconds = ((performance.now() - began) / 1000).toFixed(0);
    console.log(`${seed - first + CHUNK} runs, ${steps} steps, ${seconds} s`);
  }
}
console.log(`${runs} runs, ${steps} steps, no rule broken`);
console.log([...faults].map(([kind, n]) => `${kind} ${n}`).join(", "));
