import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { takenBy } from "../../src/host/run/aftermath.ts";
import { runReport } from "../../src/host/run/report.ts";
import { readPlan } from "../../src/plan/index.ts";

const TASKS = `# Shop
## Phase 0: Base
### [ ] T0.1: base
## Phase 1: Pay
### [ ] T1.1: plain
### [ ] T1.2: tests of its own
- test: npm test -- pay
### [ ] T1.3: none
- tdd: off
`;

/** What a report says of each task, all of them proved. */
function bodyOf(configuration: string, status: "completed" | "paused"): string {
  const { plan } = readPlan(Buffer.from(TASKS), { path: "TASKS.md", allowMissing: false });
  const config = readConfig(configuration);
  if (!config.ok) throw new Error(JSON.stringify(config.failure));
  const tasks = plan.tasks.map(({ id }) => ({
    id,
    status,
    verified: true,
    reason: undefined,
  }));
  return runReport({ plan, tasks, usage: [], reviews: new Map() }, config.value).body;
}

function proofs(configuration: string): readonly string[] {
  const lines = bodyOf(configuration, "completed").split("\n");
  return lines.flatMap(line => /^- \[x\] .(T\d\.\d).* – (.*)$/.exec(line)?.slice(1).join(" ") ?? []);
}

describe("what a report says was taken", () => {
  it("[VR26] is what the last block and the page say, to the token", () => {
    const { plan } = readPlan(Buffer.from(TASKS), { path: "TASKS.md", allowMissing: false });
    const config = readConfig("budget: { prices: { a: { input: 1, output: 2 } } }\n");
    if (!config.ok) throw new Error(JSON.stringify(config.failure));
    const used = { inputTokens: 12_300, outputTokens: 45, cachedTokens: 300, estimatedTokens: 900 };
    const usage = [
      { task: "T0.1", number: 1, agent: "shell", usage: {}, estimate: 90_000 },
      { task: "T1.1", number: 1, agent: "a", usage: { ...used, models: { tokens: 2_000 } } },
      { task: "T1.2", number: 1, agent: "b", usage: {}, estimate: 700 },
    ];
    const row = { status: "completed", reason: undefined } as const;
    const { tokens } = takenBy({ usage }, config.value.budget.prices);
    expect(tokens).toBe(12_345 + 2_000 + 700);
    const standing = plan.tasks.map(({ id }) => ({ ...row, id, verified: true }));
    const { body } = runReport({ plan, tasks: standing, usage, reviews: new Map() }, config.value);
    expect(body).toContain(`≈ ${tokens.toLocaleString("en-US")} tokens`);
    const fewer = { ...plan, tasks: plan.tasks.filter(({ id }) => id !== "T1.2") };
    const later = runReport({ plan: fewer, tasks: standing, usage, reviews: new Map() }, config.value);
    expect(later.body.split("\n").at(-2)).toBe(body.split("\n").at(-2));
  });
});

describe("what a report says proved a task", () => {
  it("[HO24] is what was run for it: no tests in phase 0, nor where they are off", () => {
    expect(proofs("test: npm test\nverify: npm run lint\n")).toEqual([
      "T0.1 proved by `npm run lint`",
      "T1.1 proved by `npm test`, `npm run lint`",
      "T1.2 proved by `npm test -- pay`, `npm run lint`",
      "T1.3 proved by `npm run lint`",
    ]);
    expect(proofs("tdd: off\ntest: npm test\nverify: npm run lint\n")).toEqual(
      ["T0.1", "T1.1", "T1.2", "T1.3"].map(id => `${id} proved by \`npm run lint\``),
    );
  });

  it("[HO22] names how a task stands in the language of the project", () => {
    expect(bodyOf("", "paused")).toContain("- [ ] `T0.1: base` – `paused`");
    expect(bodyOf("locale: ko\n", "paused")).toContain("- [ ] `T0.1: base` – `일시 중지`");
  });
});
