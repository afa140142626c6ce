import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    // The programs that tests start wait more than they compute: every core takes a file.
    maxWorkers: "100%",
    testTimeout: 30_000,
    hookTimeout: 30_000,
    coverage: { include: ["src/**"] },
  },
});
