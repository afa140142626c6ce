import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Contract, readContract } from "../../src/summary/index.ts";

/** Every way of writing a field of one value that agents were seen to use. */
const SINGLE: readonly (readonly [
  names: readonly string[],
  field: keyof Contract,
  value: string,
  read: unknown,
])[] = [
  [
    [
      "Decision",
      "Final Decision",
      "final_decision",
      "FINAL SELECTION",
      "Recommendation",
      "Verdict",
      "결정",
      "최종 결정",
      "최종 추천",
      "결론",
    ],
    "decision",
    "Use a queue",
    "Use a queue",
  ],
  [["T-Score", "t_score", "T", "t-score", "전형성 점수"], "tScore", "0.4", 0.4],
  [["Confidence", "confidence_score", "신뢰도", "확신도"], "confidence", "70", 0.7],
  [["VS Level", "vs_level", "VS 수준"], "level", "Enhanced VS", "enhanced"],
  [["Agent", "agent_id", "에이전트"], "agent", "07-coder", "07-coder"],
  [["Summary", "TL;DR", "요약"], "summary", "All went well", "All went well"],
];

const LISTS: readonly (readonly [names: readonly string[], field: keyof Contract])[] = [
  [["Reasons", "Key reasons", "Rationale", "Why", "핵심 근거", "이유"], "reasons"],
  [["Strengths", "Pros", "강점", "장점"], "strengths"],
  [["Weaknesses", "Cons", "약점", "단점", "한계"], "weaknesses"],
  [["Improvements", "improvement_suggestions", "개선", "개선 제안"], "improvements"],
  [["Sources", "References", "출처"], "sources"],
  [["Reasoning trace", "reasoning_trace", "추론 과정"], "trace"],
  [["Assumptions", "가정", "전제"], "assumptions"],
];

const FORMS: readonly (readonly [string, (name: string, value: string) => string])[] = [
  ["a plain label", (name, value) => `${name}: ${value}`],
  ["a bold label", (name, value) => `**${name}**: ${value}`],
  ["a bold label with its colon inside", (name, value) => `**${name}:** ${value}`],
  ["a list item", (name, value) => `- ${name}: ${value}`],
  ["a numbered bold item", (name, value) => `2. **${name}**: ${value}`],
  ["a heading", (name, value) => `### ${name}\n\n${value}`],
  ["a numbered heading", (name, value) => `## 3. ${name}\n${value}`],
  ["a table", (name, value) => `| Field | Value |\n|---|---|\n| ${name} | ${value} |`],
  ["front matter", (name, value) => `---\n${name.toLowerCase()}: ${value}\n---\n`],
  [
    "a fenced block",
    (name, value) => `\`\`\`yaml\nagent_id: "07-coder"\n${name.toLowerCase()}: ${value}\n\`\`\``,
  ],
  ["CRLF", (name, value) => `# X\r\n\r\n**${name}**: ${value}\r\n`],
];

describe("spellings of a contract", () => {
  for (const [form, write] of FORMS) {
    it(`[UC1] reads every field of one value from ${form}`, () => {
      for (const [names, field, value, read] of SINGLE) {
        const found = names.map(name => readContract(write(name, value)).contract[field]);
        expect([field, found]).toEqual([field, names.map(() => read)]);
      }
    });
  }

  it("[UC1] reads every list below a heading, below a label, and on one line", () => {
    const forms = [
      (name: string) => `## ${name}\n\n- one thing\n- two: things\n`,
      (name: string) => `## ${name}\n1. one thing\n2. two: things\n`,
      (name: string) => `**${name}**:\n- one thing\n- two: things\n`,
      (name: string) => `- ${name}:\n  - one thing\n  - two: things\n`,
      (name: string) => `**${name}**: one thing; two: things\n`,
      (name: string) => `---\n${name.toLowerCase()}: [one thing, "two: things"]\n---\n`,
    ];
    for (const [names, field] of LISTS) {
      for (const write of forms) {
        const found = names.map(name => readContract(write(name)).contract[field]);
        expect([field, write("X"), found]).toEqual([
          field,
          write("X"),
          names.map(() => ["one thing", "two: things"]),
        ]);
      }
    }
  });

  it("[UC1] stops a list where another heading or label begins", () => {
    const text = "## Reasons\n- a\n\n## Log\n- b\n\n**Strengths**:\n- c\n\nProse between.\n\n- d\n";
    expect(readContract(text).contract).toMatchObject({ reasons: ["a"], strengths: ["c"] });
  });

  it("[UC1] does not take ordinary words for fields", () => {
    for (const text of [
      "I made the decision: nothing",
      "The confidence interval: 95%",
      "```ts\nconst decision: string = x;\n```",
      "https://example.org/decision: no",
      "# Decision log of the year\n\nNothing here.",
    ]) {
      const { contract } = readContract(text);
      expect([text, contract.decision, contract.confidence]).toEqual([text, undefined, undefined]);
    }
  });

  it("[UC6] makes every value one bounded line, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 900 }), value => {
        const { contract } = readContract(`**Decision**: ${value}\n\n## Reasons\n- ${value}\n`);
        const values = [contract.decision ?? "", contract.summary ?? "", ...contract.reasons];
        for (const one of values) {
          expect(one.includes("\n")).toBe(false);
          expect(one.length).toBeLessThanOrEqual(601);
        }
      }),
    );
  });
});
