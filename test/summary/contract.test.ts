import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContract } from "../../src/summary/index.ts";
import { KOREAN_OUTPUT, YAML_OUTPUT } from "./outputs.ts";

const problemsOf = (text: string) => readContract(text).problems.map(({ kind, field }) => `${kind} ${field}`);

describe("contracts, read", () => {
  it("[UC1] reads the schema's YAML", () => {
    const { contract, problems } = readContract(YAML_OUTPUT);
    expect(problems).toEqual([]);
    expect(contract).toEqual({
      agent: "02-theory",
      level: "full",
      decision: "Queue",
      tScore: 0.55,
      confidence: 0.82,
      summary: "A queue in Postgres.",
      reasons: ["it scales to 400 jobs"],
      options: [
        { option: "Queue", tScore: 0.55, why: "small" },
        { option: "Cron", tScore: 0.85, why: "everyone does it" },
        { option: "Dreaming", tScore: 0.2 },
      ],
      strengths: ["simple", "measured"],
      weaknesses: ["one machine", "one tenant"],
      improvements: ["measure three more"],
      nextAgents: [{ agent: "03-builder", reason: "write the worker" }],
      phases: [0, 1, 2, 3, 4, 5],
      sources: ["docs/load.md"],
      trace: ["measured", "compared"],
      assumptions: ["40 jobs an hour"],
    });
  });

  it("[UC1] reads the same from a fenced block, YAML or JSON", () => {
    const yaml = YAML_OUTPUT.split("---\n")[1]!;
    const expected = readContract(YAML_OUTPUT).contract;
    expect(readContract(`# X\n\n\`\`\`yaml\n${yaml}\`\`\`\n`).contract).toEqual(expected);
    const json = { agent_id: "02", vs_metadata: { final_selection: { option: "Queue", t_score: 0.5 } } };
    const { contract } = readContract(`Text.\n\n\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\`\n`);
    expect(contract).toMatchObject({ agent: "02", decision: "Queue", tScore: 0.5 });
  });

  it("[UC1] reads Korean labels, headings and lists", () => {
    const { contract, problems } = readContract(KOREAN_OUTPUT);
    expect(problems).toEqual([]);
    expect(contract).toMatchObject({
      agent: "05-문헌",
      decision: "계층적 검색을 쓴다",
      tScore: 0.45,
      confidence: 0.85,
      reasons: ["재현율이 12% 높다", "비용: 3달러"],
      options: [
        { option: "키워드 검색", tScore: 0.9 },
        { option: "벡터 검색", tScore: 0.7, why: "느림" },
      ],
      strengths: ["빠름", "단순함"],
      weaknesses: ["표본이 작음"],
      improvements: ["표본 확대"],
      nextAgents: [{ agent: "06-분석", reason: "결과를 정리" }],
    });
  });

  it("[UC1] reads a heading's paragraph and a label's list", () => {
    const text =
      "## Final decision\n\nUse a **queue**.\n\nMore prose.\n\n**Reasons**:\n- cheap\n- tested: twice\n\n## T-Score\n0.4\n\n## Confidence\n90 %\n";
    expect(readContract(text).contract).toMatchObject({
      decision: "Use a **queue**.",
      reasons: ["cheap", "tested: twice"],
      tScore: 0.4,
      confidence: 0.9,
    });
  });

  it("[UC1] reads tables of options and of keys", () => {
    const options =
      "| # | Option | T-Score | Note |\n|---|---|---|---|\n| A | Hedges' g | 0.40 (best) | x |\n| B | Cohen's d | 0.85 | y |\n";
    expect(readContract(options).contract.options).toEqual([
      { option: "Hedges' g", tScore: 0.4 },
      { option: "Cohen's d", tScore: 0.85 },
    ]);
    const keys = "| 항목 | 값 |\n|---|---|\n| 최종 결정 | 큐를 쓴다 |\n| T-Score | 0.3 |\n| 신뢰도 | 70 |\n";
    expect(readContract(keys).contract).toMatchObject({
      decision: "큐를 쓴다",
      tScore: 0.3,
      confidence: 0.7,
    });
  });

  it("[UC1] takes no name of a column for a value", () => {
    const table = (head: string) => `| ${head} |\n|---|---|\n| Argon2id, no bcrypt | it cuts passwords |\n`;
    for (const head of ["Decision | Reason", "결정 | 이유"])
      expect(readContract(table(head)).contract.decision).toBeUndefined();
    expect(readContract("| Decision | Argon2id |\n|---|---|\n| Confidence | 0.8 |").contract).toMatchObject({
      decision: "Argon2id",
      confidence: 0.8,
    });
  });

  it("[UC1] reads the one-line form and the bracket behind a decision", () => {
    expect(readContract("[02] Use a queue | T=0.55 | 80/100\n").contract).toMatchObject({
      agent: "02",
      decision: "Use a queue",
      tScore: 0.55,
      confidence: 0.8,
    });
    expect(readContract("**결정**: 큐 (T=0.5, 신뢰도=85)\n").contract).toMatchObject({
      decision: "큐",
      tScore: 0.5,
      confidence: 0.85,
    });
  });

  it("[UC2] lets structure outrank prose and names the difference", () => {
    const { contract, problems } = readContract(`${YAML_OUTPUT}\n## Decision\n\nUse cron.\n`);
    expect(contract.decision).toBe("Queue");
    expect(problems).toEqual([{ kind: "conflict", field: "decision", found: "Use cron." }]);
  });

  it.each([
    ["0.85", 0.85],
    ["85/100", 0.85],
    ["85%", 0.85],
    ["85 %", 0.85],
    ["85", 0.85],
    ["85퍼센트", 0.85],
    ["4/5", 0.8],
    ["1", 1],
    ["0", 0],
    ["about 70", 0.7],
    ["0,85", 0.85],
    ["8.5e-1", 0.85],
  ])("[UC3] reads a confidence of %s", (text, value) => {
    expect(readContract(`Decision: x\nConfidence: ${text}`).contract.confidence).toBeCloseTo(value);
  });

  it.each([
    ["NaN", "not-a-number confidence"],
    ["high", "not-a-number confidence"],
    ["150%", "out-of-range confidence"],
    ["150", "out-of-range confidence"],
    ["-0.2", "out-of-range confidence"],
    ["1.5", "out-of-range confidence"],
    ["5/0", "out-of-range confidence"],
    ["0/0", "not-a-number confidence"],
    ["1e400", "out-of-range confidence"],
  ])("[UC3] names a confidence of %s and goes without", (text, problem) => {
    const reading = `Decision: x\nT-Score: 0.5\nConfidence: ${text}`;
    expect(readContract(reading).contract.confidence).toBeUndefined();
    expect(problemsOf(reading)).toContain(problem);
  });

  it("[UC4] names a block of ten thousand alternatives that is too long to parse, and reads its lines", () => {
    const rows = Array.from({ length: 10_000 }, (_, at) => `  - option: o${at}\n    score: 0.5`).join("\n");
    const block = `\`\`\`yaml\nfinal_selection: Use a queue\nt_scores:\n${rows}\nconfidence: 80\n\`\`\`\n`;
    const { contract, problems } = readContract(block);
    expect(contract).toMatchObject({ decision: "Use a queue", confidence: 0.8 });
    expect(problems[0]).toMatchObject({ kind: "unreadable", field: "block at line 1" });
  });

  it("[UC4] names front matter that does not parse and reads its lines", () => {
    const { contract, problems } = readContract("---\nagent_id: 02\nlist: [a, {b\ndecision: Use it\n---\n");
    expect(contract).toMatchObject({ agent: "02", decision: "Use it" });
    expect(problems[0]).toMatchObject({ kind: "unreadable", field: "front matter" });
  });

  it("[UC4] names a fenced contract that does not parse, with its line", () => {
    const text = "# X\n\n```yaml\nagent_id: 02\nvs_metadata: {{{\ndecision: go\n```\n";
    expect(readContract(text).contract.decision).toBe("go");
    expect(readContract(text).problems[0]).toMatchObject({ kind: "unreadable", field: "block at line 3" });
  });

  it("[UC4] refuses aliases that multiply and nesting that overflows", () => {
    const bomb = `---\na: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nagent_id: [*b,*b]\n---\n`;
    expect(readContract(bomb).problems[0]?.kind).toBe("unreadable");
    expect(readContract(`---\n${"[".repeat(5000)}\n---\n`).problems[0]?.kind).toBe("unreadable");
  });

  it("[UC4] names an unknown VS level", () => {
    expect(problemsOf("VS level: VS-Extreme\nDecision: x (T=0.5, confidence=50)")).toEqual([
      "unknown-level level",
    ]);
  });

  it("[UC4] never throws, and its shares are shares", () => {
    const piece = fc.constantFrom(
      "---\n",
      "```yaml\n",
      "```\n",
      "Decision: ",
      "**신뢰도**: ",
      "T-Score | ",
      "| ",
      "agent_id: 1\n",
      "- ",
      "# ",
      "[02] ",
      " (T=",
      ")",
      "\n",
      "85%",
      "{a: [",
      "\u0000",
      "가",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 60 }), parts => {
        const { contract } = readContract(parts.join(""));
        for (const share of [
          contract.tScore,
          contract.confidence,
          ...contract.options.map(one => one.tScore),
        ]) {
          expect(share === undefined || (share >= 0 && share <= 1)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("[UC5] names what is missing", () => {
    expect(problemsOf("# Prose\n\nNothing was decided here.")).toEqual(["missing decision"]);
    expect(problemsOf("Decision: x")).toEqual(["missing tScore", "missing confidence"]);
    expect(problemsOf("")).toEqual(["missing decision"]);
  });

  it("[UC6] bounds values and lists", () => {
    const many = Array.from({ length: 500 }, (_, at) => `- reason ${at}`).join("\n");
    const { contract } = readContract(`Decision: ${"long ".repeat(1000)}\n\n## Reasons\n\n${many}\n`);
    expect(contract.decision!.length).toBeLessThan(700);
    expect(contract.reasons).toHaveLength(40);
    expect(contract.reasons[0]).toBe("reason 0");
  });
});
