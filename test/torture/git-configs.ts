import { delimiter } from "node:path";
import fc from "fast-check";
import { openConfigBench } from "../vcs/config-bench.ts";
import { randomConfig } from "../vcs/random-config.ts";
import type { Findings } from "./proof.ts";

/** The installed git, and those whose paths are given. */
export const GITS: readonly string[] = [
  "git",
  ...(process.env["ESPALIER_GITS"] ?? "").split(delimiter).filter(path => path !== ""),
];

/** Writes so many random configurations, and compares what is shown and switched off with what each git starts. */
export async function tryConfigs(count: number, seed: number): Promise<Findings> {
  const broken: string[] = [];
  let [tried, readable, started] = [0, 0, 0];
  for (const program of GITS) {
    using bench = openConfigBench(program);
    const holds = fc.asyncProperty(randomConfig, async config => {
      tried++;
      const wrong = await bench.check(config);
      if (wrong.length > 0) throw new Error(wrong.join("; "));
    });
    const result = await fc.check(holds, { numRuns: count, seed });
    readable += bench.counts.readable;
    started += bench.counts.started;
    if (result.failed) broken.push(`${program}: ${fc.defaultReportMessage(result)}`);
  }
  return { counts: { configurations: tried, readable, "started something": started }, broken };
}
