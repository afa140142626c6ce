import type { Findings } from "./proof.ts";
import { runTestFiles, testFilesWith } from "./run-tests.ts";

/** Quick, and with rows that the sample of each day leaves out. */
const FIRST = "test/engine/review-command.test.ts";

/** Test files of whose tables, cases and further tests `npm test` tries a sample. */
export const SAMPLED: readonly string[] = [
  FIRST,
  ...testFilesWith('/sample.ts"').filter(file => file !== FIRST),
];

/** Runs so many of the sampled files whole, from the one whose number is the seed. */
export async function tryTables(count: number, seed: number): Promise<Findings> {
  const files = Array.from({ length: count }, (_, at) => SAMPLED[(seed - 1 + at) % SAMPLED.length] ?? FIRST);
  const failed = runTestFiles(files, { ESPALIER_WHOLE: "1" });
  return { counts: { files: files.length }, broken: failed.map(name => `ESPALIER_WHOLE=1: ${name}`) };
}
