import { defineConfig } from "vitest/config";

// Real programs of hundreds of megabytes, which wait for each answer of the model: two files at a time, each with its tests one after the other.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.real.ts"],
    exclude: ["node_modules/**", "tier2/node_modules/**"],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    sequence: { concurrent: false },
  },
});
