import type { NamedBug } from "../bug.ts";

/** Bugs of the workers that carry attempts out elsewhere. */
export const WORKER_BUGS: readonly NamedBug[] = [
  {
    name: "a worker whose owner says nothing of a jail has none",
    file: "src/worker/rules.ts",
    symbol: "readRules",
    swap: ['saysJail ? jail.use : "on"', 'saysJail ? jail.use : "off"'],
    by: { test: "test/hub/rules.test.ts", rule: "WK7" },
  },
  {
    name: "what was written into an empty submodule is lost without a word",
    file: "src/worker/late-work.ts",
    symbol: "seal",
    swap: ["await filledLinks(git, work, seen)", "[] as string[]"],
    by: { test: "test/hub/travel.test.ts", rule: "TR4" },
  },
  {
    name: "a machine whose disk is full takes one order after the other",
    file: "src/worker/worker.ts",
    symbol: "startWorker",
    swap: ["stopping === undefined && !isFull &&", "stopping === undefined &&"],
    by: { test: "test/hub/failures.test.ts", rule: "WK9" },
  },
  {
    name: "a worker whose environments are not there takes one order after the other",
    file: "src/worker/worker.ts",
    symbol: "startWorker",
    swap: ["options.rests?.() !== true", "true"],
    by: { test: "test/hub/failures.test.ts", rule: "WK11" },
  },
  {
    name: "what a worker starts for an order is given the token of the hub",
    file: "src/worker/spawn-command.ts",
    symbol: "startCommand",
    swap: ["const { ESPALIER_HUB_TOKEN: _, ...own } = env;", "const own = env;"],
    by: { test: "test/hub/spawned.test.ts", rule: "WK11" },
  },
  {
    name: "the folder of a worker that lives is cleared by another one",
    file: "src/worker/late-work.ts",
    symbol: "sweep",
    swap: [' || livenessOf(slip.process) !== "gone"', ""],
    by: { test: "test/hub/travel-kept.test.ts", rule: "WK8" },
  },
  {
    name: "what agents of a killed worker had changed is thrown away",
    file: "src/worker/late-work.ts",
    symbol: "sweep",
    swap: [
      "existsSync(place.index) ? await keepLate(git, folder, place) : undefined",
      "undefined as string | undefined",
    ],
    by: { test: "test/hub/travel-kept.test.ts", rule: "WK8" },
  },
  {
    name: "what is started for an order whose setup does not pass has lost it",
    file: "src/worker/attempt-here.ts",
    symbol: "attemptHere",
    swap: ["return fail(refusedFor(problem))", "throw new Error(problem.said)"],
    by: { test: "test/hub/spawned.test.ts", rule: "WK13" },
  },
  {
    name: "what sets itself up has no longer than what has only to be there",
    file: "src/worker/inside.ts",
    symbol: "whileReadying",
    swap: ["  say();\n", ""],
    by: { test: "test/hub/spawned.test.ts", rule: "WK14" },
  },
  {
    name: "what was told to end has as long as a turn if only it says a word",
    file: "src/worker/spawned.ts",
    symbol: "carryOut",
    swap: ["isEnding = true;", ""],
    by: { test: "test/hub/spawned.test.ts", rule: "WK14" },
  },
  {
    name: "agents of a worker that is shut out work on for nobody",
    file: "src/worker/worker.ts",
    symbol: "startWorker",
    swap: ["await endAll();\n      throw error;", "throw error;"],
    by: { test: "test/hub/shut-out.test.ts", rule: "WK15" },
  },
  {
    name: "a machine offers no agent whose file comes with the repository",
    file: "src/worker/here.ts",
    symbol: "openHere",
    swap: ["isElsewhere: true", "isElsewhere: false"],
    by: { test: "test/hub/rules.test.ts", rule: "WK16" },
  },
];
