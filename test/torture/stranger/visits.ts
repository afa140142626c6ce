import fc from "fast-check";
import type { Findings } from "../proof.ts";
import { describeVisit, Ground, no, type Visit, visits, yes } from "./visit.ts";

/** Attacks that once worked or hung. They come first in every round, however few visits are drawn. */
const KNOWN: readonly Visit[] = [
  {
    plantings: [{ name: ".espalier/orchestrate.log", kind: "hard link" }],
    seasoned: false,
    call: yes("run"),
  },
  { plantings: [{ name: ".espalier/lock.db", kind: "link to a file" }], seasoned: false, call: no("run") },
  { plantings: [{ name: ".espalier/lock.db", kind: "link to nothing" }], seasoned: false, call: no("next") },
  { plantings: [{ name: ".espalier", kind: "link to a folder" }], seasoned: false, call: yes("run") },
  { plantings: [{ name: ".git/logs", kind: "garbage" }], seasoned: false, call: yes("run") },
];

/** Starts the program in planted repositories, and compares all that lies around them. */
export async function visitStrangers(count: number, seed: number): Promise<Findings> {
  const ground = new Ground();
  const broken: string[] = [];
  let planted = 0;
  try {
    await ground.prepare();
    for (let at = 0; at < count; at++) {
      const visit = KNOWN[at] ?? fc.sample(visits, { seed: seed + at, numRuns: 1 })[0];
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
