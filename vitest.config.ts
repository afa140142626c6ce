import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { matchesGlob } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";

/** Rooms without a process, a file or a clock: nothing that one test file leaves behind can meet the next. */
const PURE = [
  "assembly",
  "budget",
  "checkpoint",
  "delta",
  "markdown",
  "plan",
  "run",
  "summary",
  "sync",
  "text",
  "tokens",
  "tree",
].map(room => `test/${room}/**/*.test.ts`);

/** Files that measure how time grows: what others leave running in the same process would count, too. */
const MEASURING = globSync("test/**/*.test.ts", { cwd: import.meta.dirname }).filter(
  file =>
    !PURE.some(pure => matchesGlob(file, pure)) &&
    readFileSync(new URL(file, import.meta.url), "utf8").includes('/growth.ts"'),
);

/** What looks at the process it runs in: its helpers, its memory, its time. */
const ALONE = ["test/adapters/**/*.test.ts", "test/torture/**/*.test.ts", ...MEASURING];

export default defineConfig({
  test: {
    setupFiles: ["test/seed.ts"],
    // Whole programs start in many tests, which a busy machine may take its time for.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // On a busy machine a page may take seconds to draw.
    expect: { poll: { timeout: 10_000 } },
    // Much of the time goes by in programs that tests wait for: with a file a core a quarter of the processor's time was idle.
    maxWorkers: availableParallelism() + 1,
    // What runs concurrently in one file starts whole programs: more at once would only wait for each other.
    maxConcurrency: 2,
    coverage: { include: ["src/**"] },
    projects: [
      // To load the same modules anew for each file takes longer than its tests.
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: "whole",
          globalSetup: "test/bundle.ts",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...configDefaults.exclude, ...PURE, ...ALONE],
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", globalSetup: "test/bundle.ts", include: ALONE } },
    ],
  },
});
