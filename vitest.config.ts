import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    setupFiles: ["test/seed.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // Much of the time goes by in programs that tests wait for: every core takes a file.
    maxWorkers: "100%",
    // What runs concurrently in one file starts whole programs: more at once would only wait for each other.
    maxConcurrency: 2,
    coverage: { include: ["src/**"] },
  },
});
