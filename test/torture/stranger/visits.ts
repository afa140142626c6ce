import fc from "fast-check";
import type { Findings } from "../proof.ts";
import { describeVisit, Ground, visits } from "./visit.ts";

/** Starts the program in planted repositories, and compares all that lies around them. */
export async function visitStrangers(count: number, seed: number): Promise<Findings> {
  const ground = new Ground();
  const broken: string[] = [];
  let planted = 0;
  try {
    await ground.prepare();
    for (let at = 0; at < count; at++) {
      const [visit] = fc.sample(visits, { seed: seed + at, numRuns: 1 });
      if (visit === undefined) continue;
      planted += visit.plantings.length;
      for (const line of await ground.visit(visit))
        broken.push(`${describeVisit(visit)}: ${line} (seed ${seed + at})`);
    }
  } finally {
    ground.remove();
  }
  return { counts: { visits: count, planted }, broken };
}
