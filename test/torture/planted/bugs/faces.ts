import type { NamedBug } from "../bug.ts";

/** What people, models and programs see and say. */
export const FACE_BUGS: readonly NamedBug[] = [
  {
    name: "a secret of eight characters is shown",
    file: "src/text/redact/forms.ts",
    symbol: "maskable",
    swap: ["value.length >= SHORTEST", "value.length > SHORTEST"],
    by: { test: "test/text/redact.test.ts" },
  },
  {
    name: "a shorter fence closes a longer one",
    file: "src/markdown/fence.ts",
    symbol: "closesFence",
    swap: ["behind - at >= fence.length", "behind - at >= 3"],
    by: { test: "test/markdown/structure.test.ts" },
  },
  {
    name: "a page of another site may ask",
    file: "src/server/guard.ts",
    symbol: "judge",
    swap: ["origin !== undefined && origin", 'origin === "null" && origin'],
    by: { test: "test/server/guard.test.ts" },
  },
  {
    name: "the start of a token is taken for the token",
    file: "src/server/guard.ts",
    symbol: "sameToken",
    swap: ["a.length === b.length && timingSafeEqual(a, b)", "b.includes(a)"],
    by: { test: "test/server/guard.test.ts" },
  },
  {
    name: "a worker may call the tools of the lead",
    file: "src/mcp/duties.ts",
    symbol: "call",
    swap: ["!allowed.includes(name)", "!Object.hasOwn(TOOLS, name)"],
    by: { test: "test/mcp/tools.test.ts" },
  },
  {
    name: "a run with failed tasks ends like a good one",
    file: "src/run/outcome.ts",
    symbol: "settledOutcome",
    swap: ['idsWith(run, "failed", "cancelled")', 'idsWith(run, "cancelled")'],
    by: { test: "test/run/simulation.test.ts" },
  },
  {
    name: "a program that failed is taken for one that did not",
    file: "src/adapters/agent/process-session.ts",
    symbol: "runTurn",
    swap: ["exitCode: end.exitCode ?? 0", "exitCode: 0"],
    by: { test: "test/adapters/agent-shell.test.ts" },
    suite: "agent",
  },
  {
    name: "a model that nobody serves is taken for one that refuses",
    file: "src/adapters/model/ai-sdk.ts",
    symbol: "ofStatus",
    swap: ["status === 403", "status !== 403"],
    by: { test: "test/adapters/model-ai-sdk.test.ts" },
    suite: "model",
  },
  {
    name: "the suite of stores does not look at what a failure says",
    file: "src/testing/store-rule.ts",
    symbol: "failureOf",
    swap: ["if (result.ok)", "if (!result.ok)"],
    by: { test: "test/adapters/store-conformance.test.ts" },
  },
];
