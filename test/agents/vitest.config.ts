import { defineConfig } from "vitest/config";

// Real programs of hundreds of megabytes: one after the other, with time.
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.real.ts"],
    exclude: ["node_modules/**", "tier2/node_modules/**"],
    testTimeout: 240_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    sequence: { concurrent: false },
  },
});
