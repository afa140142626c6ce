export interface Room {
  readonly mutate: string;
  readonly tests: readonly string[];
  /** Tests that are not asked: they measure size and time, or count cases. That can only let mutants live. */
  readonly without?: RegExp;
}

/** What is mutated, and the tests that have to notice: those of the room, nothing behind it. */
export const ROOMS: Readonly<Record<string, Room>> = {
  lock: {
    mutate: "src/adapters/lock/*.ts",
    tests: ["test/adapters/lock*.test.ts"],
    // Starts a process without rights, which cannot read the copy that is tested here.
    without: /may only be read/,
  },
  guard: { mutate: "src/server/guard.ts", tests: ["test/server/guard.test.ts"] },
  select: {
    mutate: "src/budget/select/*.ts",
    tests: ["test/budget/select.test.ts", "test/budget/knapsack.test.ts"],
  },
  delta: {
    mutate: "src/delta/**/*.ts",
    tests: ["test/delta/*.test.ts"],
    without: /linear|gives up looking|large document|any size/,
  },
  sync: {
    mutate: "src/sync/**/*.ts",
    tests: ["test/sync/!(torture).test.ts"],
    without: /linear|is kept at any size|any document, or not made|a thousand|carries any text/,
  },
  run: {
    mutate: "src/run/**/*.ts",
    tests: ["test/run/!(speed).test.ts", "test/cli/views/facts.test.ts"],
    without: /linear|same trace|chain of 100,000|of 20,000|by text that lacks|at most 60 tokens/,
  },
};
