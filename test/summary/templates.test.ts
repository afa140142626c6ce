import { describe, expect, it } from "vitest";
import {
  type Contract,
  configuredRules,
  defaultRules,
  readContract,
  readSource,
  summarize,
  templateProblems,
} from "../../src/summary/index.ts";
import { fillTemplate } from "../../src/summary/template/index.ts";
import { KOREAN_OUTPUT, longOutput, YAML_OUTPUT } from "./outputs.ts";

const { contract } = readContract(YAML_OUTPUT);
const EMPTY: Contract = readContract("").contract;
const fill = (format: string, from: Contract = contract, longest = 600) =>
  fillTemplate(format, "02", from, longest);

describe("templates", () => {
  it("[UT1] fills the document's detailed template", () => {
    expect(fill(defaultRules("ko")[1].format)).toBe(`## Agent 02 요약 (상세)

**최종 결정**: Queue
**T-Score**: 0.55
**신뢰도**: 82/100

### 핵심 근거
1. it scales to 400 jobs

### 주요 대안
- Cron (T=0.85)
- Dreaming (T=0.2)

### Self-Critique 요점
- 강점: simple; measured
- 약점: one machine; one tenant
- 개선: measure three more

### 후속 에이전트 권고
- 03-builder: write the worker`);
  });

  it("[UT1] fills the brief and the key template", () => {
    expect(fill(defaultRules("en")[2].format)).toBe(`## Agent 02, summary

**Decision**: Queue (T=0.55, confidence=82)
**Reasons**: it scales to 400 jobs
**Alternatives**: Cron (T=0.85); Dreaming (T=0.2)
**Next**: 03-builder`);
    expect(fill(defaultRules("en")[3].format)).toBe("[02] Queue | T=0.55 | 82/100");
  });

  it("[UT1] names placeholders that nothing fills", () => {
    for (const locale of ["en", "ko"] as const)
      for (const level of [1, 2, 3] as const)
        expect(templateProblems(defaultRules(locale)[level].format)).toEqual([]);
    expect(templateProblems("{decision} {desicion} {reason_12} {reason_0} {t3} {price}")).toEqual([
      "desicion",
      "reason_0",
      "price",
    ]);
  });

  it("[UT1] is replaced by a user's own", () => {
    const rule = { format: "DECIDED {decision}", tokens: 200 };
    const source = readSource(`${KOREAN_OUTPUT}\n${longOutput(30)}`);
    const { text, tokens } = summarize(source, 2, { rules: { 1: rule, 2: rule, 3: rule } });
    expect(text.split("\n")[0]).toBe("DECIDED 계층적 검색을 쓴다");
    expect(tokens).toBeLessThanOrEqual(200);
  });

  it("[UT2] leaves out what has no value", () => {
    const some: Contract = { ...EMPTY, decision: "Go", options: [{ option: "Stay" }] };
    expect(fill(defaultRules("en")[3].format, some)).toBe("[02] Go");
    expect(fill(defaultRules("en")[2].format, some)).toBe(
      "## Agent 02, summary\n\n**Decision**: Go\n**Alternatives**: Stay",
    );
    expect(fill(defaultRules("en")[1].format, some)).toBe(
      "## Agent 02, detailed summary\n\n**Final decision**: Go\n\n### Alternatives\n- Stay",
    );
    expect(fill(defaultRules("en")[2].format, { ...some, confidence: 0.5 })).toContain("Go (confidence=50)");
  });

  it("[UT2] leaves out the heading of a template that nothing fills", () => {
    const nothing = readContract("Nothing is decided here.").contract;
    expect(fillTemplate(defaultRules("en")[2].format, "T0.3", nothing, 100)).toBe("");
    expect(fillTemplate("## A {id}\n### B\n- {decision}\n### C\nstays\n", "T1", nothing, 100)).toBe(
      "## A T1\n### C\nstays",
    );
  });

  it("[UT2] names nobody where nobody is known", () => {
    const some: Contract = { ...EMPTY, decision: "Go", tScore: 0.5 };
    expect(fillTemplate(defaultRules("en")[3].format, "", some, 600)).toBe("Go | T=0.5");
    expect(fillTemplate(defaultRules("en")[2].format, "", some, 600)).toBe("**Decision**: Go (T=0.5)");
  });

  it("[UT2] keeps lines without placeholders and says – where a line lacks one of several", () => {
    expect(fill("Fixed line\n{decision} / {t_score}", { ...EMPTY, decision: "Go" })).toBe(
      "Fixed line\nGo / –",
    );
    expect(fill("{t_score}\n{confidence}", EMPTY)).toBe("");
  });

  it("[UT2] leaves the columns of a table alone", () => {
    expect(fill("| {decision} | {t_score} | {confidence} |", { ...EMPTY, decision: "Go" })).toBe(
      "| Go | – | – |",
    );
  });

  it("[UT2] repeats the line of the next agent", () => {
    const next = { ...EMPTY, nextAgents: [{ agent: "03", reason: "build" }, { agent: "04" }] };
    expect(fill("### Next\n- {next_agent}: {reason}", next)).toBe("### Next\n- 03: build\n- 04: –");
    expect(fill("### Next\n- {next_agent}: {reason}", EMPTY)).toBe("");
  });

  it("[UT2] cuts values and never a character in half", () => {
    const cut = fill("{decision}", { ...EMPTY, decision: "😀".repeat(50) }, 41);
    expect(cut.isWellFormed()).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(43);
    expect(cut.endsWith("…")).toBe(true);
  });

  it("[UT2] does not fill placeholders that come from a value", () => {
    expect(fill("{decision}", { ...EMPTY, decision: "{id} $& {t_score}" })).toBe("{id} $& {t_score}");
  });
});

describe("configured templates", () => {
  it("[UT1] take the place of the defaults, level by level, with or without a ceiling", () => {
    const rules = configuredRules(defaultRules("en"), {
      level_2_brief: { format: "{decision}", target_tokens: 500 },
      level_3: { format: "! {decision}" },
      level_4: { format: "nothing" },
      brief: { format: "nothing" },
    });
    expect(rules[1]).toEqual(defaultRules("en")[1]);
    expect(rules[2]).toEqual({ format: "{decision}", tokens: 500 });
    expect(rules[3]).toEqual({ format: "! {decision}", tokens: 300 });
  });
});
