import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { agentProblems } from "../../src/host/project/plan-agents.ts";
import { resourceProblems } from "../../src/host/project/plan-resources.ts";
import { planWords } from "../../src/host/project/plan-words.ts";
import { readPlan, renderDiagnostic } from "../../src/plan/index.ts";

const TASKS = "# J\n## Phase 1: p\n### [ ] T1.1: a\n- uses: [gpus]\n- agent: cluade\n";

/** What is wrong between a plan and its configuration, as a person reads it. */
function told(locale: "en" | "ko"): string {
  const { plan } = readPlan(Buffer.from(TASKS), { path: "TASKS.md", allowMissing: false });
  const config = readConfig("resources: { gpu: 2, tpu: 1 }\n");
  if (!config.ok) throw new Error("configuration");
  const words = planWords(locale);
  return [...agentProblems(plan, config.value, words), ...resourceProblems(plan, config.value, words)]
    .map(problem => renderDiagnostic(problem, "TASKS.md", "", line => line, words))
    .join("\n");
}

describe("findings between a plan and its configuration", () => {
  it("[HO26] are told in the language of the project", () => {
    expect(told("en")).toContain("TASKS.md:3:1: warning MISSPELT_AGENT: no agent is called cluade: ");
    expect(told("en")).toContain("\n  hint: did you mean claude?");
    const korean = told("ko").split("\n");
    expect(korean.map(line => line.replace(/^TASKS\.md(?::3:1)?: /, ""))).toEqual([
      "경고 MISSPELT_AGENT: cluade라는 에이전트가 없습니다: 기본 에이전트가 작업합니다 (T1.1)",
      "  도움말: 혹시 claude인가요? 그런 이름의 역할이면 espalier.yaml에 roles: { cluade: … }",
      "경고 MISSPELT_RESOURCE: gpus의 한도가 없습니다: 한 번에 태스크 하나만 씁니다 (T1.1)",
      "  도움말: 혹시 gpu인가요? 의도한 것이면 espalier.yaml에 resources: { gpus: 1 }",
      "경고 UNUSED_RESOURCE: espalier.yaml이 gpu의 한도를 정하지만, 이를 쓰는 태스크도 그런 이름의 에이전트도 없습니다",
      "  도움말: 혹시 gpus인가요?",
      "경고 UNUSED_RESOURCE: espalier.yaml이 tpu의 한도를 정하지만, 이를 쓰는 태스크도 그런 이름의 에이전트도 없습니다",
      "  도움말: 필요한 태스크에 uses: [tpu]를 쓰거나 resources:에서 빼세요",
    ]);
  });
});
