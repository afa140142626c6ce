import { join } from "node:path";
import { openCheckpoints, storeCheckpoint } from "../../src/adapters/checkpoints/index.ts";
import { createCheckpoint } from "../../src/checkpoint/index.ts";

const RULES = Array.from(
  { length: 40 },
  (_, at) => `- R-${at + 1}: every row keeps its number, also when a tree is felled`,
).join("\n");

/** The versions of the orchard's shared context, one after the other. */
export const GC: readonly string[] = [
  `# Orchard planner\n\n## Status\n\n- phase: 0\n- api: drafted\n\n## Decisions\n\n- D-1: trees are addressed by row and place\n\n## Rules\n\n- British spelling\n- no dates without a zone\n${RULES}\n`,
  `# Orchard planner\n\n## Status\n\n- phase: 1\n- api: agreed\n\n## Decisions\n\n- D-1: trees are addressed by row and place\n- D-2: weather comes hourly\n\n## Rules\n\n- British spelling\n- no dates without a zone\n${RULES}\n`,
  `# Orchard planner\n\n## Status\n\n- phase: 2\n- api: agreed\n- storage: done\n\n## Decisions\n\n- D-1: trees are addressed by row and place\n- D-2: weather comes every ten minutes\n- D-3: frost warnings below 1 °C\n\n## Rules\n\n- British spelling\n- no dates without a zone\n${RULES}\n`,
];

/** The work that each of the orchard's checkpoints tells of. */
const WORK: readonly string[] = [
  "## Current State\n\nThe API is agreed.\n\n## Decisions\n\n- D-1: trees are addressed by row and place\n\n## Next Actions\n\n1. Store trees and rows\n",
  "## Current State\n\nStorage and weather are done.\n\n## Decisions\n\n- D-2: weather comes hourly\n\n## Next Actions\n\n1. Endpoints\n2. Frost warnings\n",
  "## Current State\n\nEndpoints and map are under way; frost warnings wait for a key.\n\n## Decisions\n\n- D-3: frost warnings below 1 °C\n\n## Next Actions\n\n1. A key for the weather service\n",
];

/** Three checkpoints, 25 minutes apart, the last of them ten minutes before `now`. */
export function makeCheckpoints(root: string, now: number): void {
  const folder = openCheckpoints(join(root, ".espalier", "checkpoints"));
  for (const [at, work] of WORK.entries()) {
    const { history, texts } = folder.read();
    const created = createCheckpoint(history, texts, {
      work,
      created: new Date(now - (60 - at * 25) * 60_000).toISOString(),
      headline: ["The API is agreed", "Phase 1 is done", "Frost warnings wait"][at]!,
    });
    if (!created.ok) throw new Error(created.failure.message);
    const stored = storeCheckpoint(folder, created.value);
    if (!stored.ok) throw new Error(stored.failure);
  }
}
