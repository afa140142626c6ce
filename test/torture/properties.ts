import { runTestFiles, testFilesWith } from "./run-tests.ts";

/** Runs every property whole with so many other seeds. Returns what failed, one sentence for each seed. */
export async function runProperties(seeds: number, first: number): Promise<readonly string[]> {
  const files = testFilesWith('from "fast-check"');
  const broken: string[] = [];
  for (let seed = first + 1000; seed < first + 1000 + seeds; seed++) {
    const failed = runTestFiles(files, { ESPALIER_SEED: `${seed}`, ESPALIER_WHOLE: "1" });
    if (failed.length > 0) broken.push(`ESPALIER_SEED=${seed} ESPALIER_WHOLE=1: ${failed.join("; ")}`);
  }
  return broken;
}
