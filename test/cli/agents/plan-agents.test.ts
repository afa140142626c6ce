import { describe, expect, it } from "vitest";
import { type Config, defaultConfig } from "../../../src/config/index.ts";
import { agentProblems, reviewerProblems } from "../../../src/host/project/plan-agents.ts";
import { planWords } from "../../../src/host/project/plan-words.ts";
import { readPlan } from "../../../src/plan/index.ts";

function problemsOf(fields: string, config: Partial<Pick<Config, "agents" | "roles">> = {}) {
  const text = `# P\n## Phase 1: p\n### [ ] T1.1: one\n${fields}\n`;
  const { plan } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false, contextNodes: [] });
  return agentProblems(plan, { ...defaultConfig(), ...config }, planWords("en"));
}

describe("a misspelt agent", () => {
  it.each(["agent: cluade", "agent: codxe", "agent: gemnii", "role: opencod", "agent: claude-apc"])(
    "is an error beside a run: block, which would be executed instead (%s)",
    field => {
      const [problem, ...more] = problemsOf(`- ${field}\n- run: echo x`);
      expect(problem).toMatchObject({ code: "MISSPELT_AGENT", severity: "error", line: 3 });
      expect(problem?.hint).toMatch(/^did you mean (?:claude|codex|gemini|opencode|claude-acp)\?/);
      expect(more).toEqual([]);
    },
  );

  it("is a warning where the default agent would work on the task", () => {
    expect(problemsOf("- agent: cluade")).toMatchObject([{ severity: "warning" }]);
  });

  it("may be meant of an agent of the project's own", () => {
    const agents = { reviewer: { command: "x" } };
    expect(problemsOf("- agent: reveiwer", { agents })[0]?.hint).toContain("did you mean reviewer?");
  });

  it("is a list of the project's own agents without its brackets, which would be one role", () => {
    const agents = { w: { command: "x" }, v: { command: "y" } };
    expect(problemsOf("- agent: w, v", { agents })).toMatchObject([
      { severity: "warning", message: expect.stringContaining("no agent is called w, v") },
    ]);
    expect(problemsOf("- agent: w, v", { agents })[0]?.hint).toContain("did you mean [w, v]?");
    expect(problemsOf("- agent: w, somebody", { agents })).toEqual([]);
  });

  it.each([
    "claude",
    "codex-acp",
    "backend-specialist",
    "code",
    "coder",
    "qa",
    "프론트엔드",
    "test-writer",
    "shell",
  ])("is not %s", name => {
    expect(problemsOf(`- agent: ${name}\n- run: echo x`)).toEqual([]);
  });

  it("is no role that the project knows, and no finished task's", () => {
    expect(problemsOf("- agent: cluade\n- run: x", { roles: { cluade: "claude" } })).toEqual([]);
    const text = "# P\n## Phase 1: p\n### [x] T1.1: one\n- agent: cluade\n- run: x\n";
    const { plan } = readPlan(Buffer.from(text), { path: "T.md", allowMissing: false, contextNodes: [] });
    expect(agentProblems(plan, defaultConfig(), planWords("en"))).toEqual([]);
  });
});

describe("an unknown reviewer", () => {
  const found = (fields: string, config: Partial<Config> = {}) => {
    const text = `# P\n## Phase 1: p\n### [ ] T1.1: one\n${fields}\n### [x] T1.2: two\n- review: gone\n`;
    const { plan } = readPlan(Buffer.from(text), { path: "TASKS.md", allowMissing: false, contextNodes: [] });
    return reviewerProblems(plan, { ...defaultConfig(), ...config }, planWords("en"));
  };

  it("[HO28] is told by the plan, of a task and of the configuration, with the name that was meant", () => {
    const agents = { judge: { command: "x" } } as Config["agents"];
    const review = { ...defaultConfig().review, agent: "jugde" };
    expect(found("- review: nobody", { agents, review })).toMatchObject([
      {
        code: "UNKNOWN_REVIEWER",
        severity: "warning",
        line: 3,
        message: expect.stringContaining("nobody") as string,
        hint: expect.stringContaining("espalier agents") as string,
      },
      { code: "UNKNOWN_REVIEWER", line: 0, hint: "did you mean judge?" },
    ]);
  });

  it.each(["- review: judge", "- review: claude", "- review: no", "- agent: w"])(
    "[HO28] is none in %j",
    fields => {
      expect(found(fields, { agents: { judge: { command: "x" } } as Config["agents"] })).toEqual([]);
    },
  );
});
