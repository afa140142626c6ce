import { ROOMS } from "./rooms.ts";

const room = process.env.ESPALIER_MUTATION_ROOM;
const stretches = process.env.ESPALIER_MUTATION_STRETCHES?.split("\n");

export default {
  testRunner: "in-process",
  plugins: ["runner.ts", "as-found.ts"].map(name => new URL(name, import.meta.url).pathname),
  coverageAnalysis: "perTest",
  mutate: stretches ?? [ROOMS[room].mutate],
  // What is left out of the copy has no part in these tests.
  ignorePatterns: [
    "bench",
    "dist",
    "docs",
    "web",
    "coverage",
    "examples",
    "test/agents",
    "test/mutation/node_modules",
  ],
  // TypeScript 7 has no compiler API to rewrite a configuration with, and the tests need none.
  tsconfigFile: "none.json",
  // What acts while a file is loaded needs a process of its own for each mutant.
  ignoreStatic: process.env.ESPALIER_STATIC !== "1",
  concurrency: 1,
  // On a busy machine seconds say little; nearly all that never ends is told by how often its place is reached.
  timeoutMS: 120_000,
  timeoutFactor: 3,
  // What was asked about a part is not known of the whole.
  incremental: stretches === undefined,
  incrementalFile: `test/mutation/reports/${room}.incremental.json`,
  reporters: ["json", "progress-append-only", "as-found"],
  jsonReporter: { fileName: `test/mutation/reports/${room}.json` },
  tempDirName: ".stryker-tmp",
  allowConsoleColors: false,
};
