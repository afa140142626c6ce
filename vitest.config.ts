import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // What runs concurrently here starts whole programs: more at once would only wait for each other.
    maxConcurrency: 2,
    coverage: { include: ["src/**"] },
  },
});
