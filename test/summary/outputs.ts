/** An output with a contract in YAML, as the schema has it. */
export const YAML_OUTPUT = `---
agent_id: 02-theory
vs_level: Full
vs_metadata:
  phase_executed: [0, 1, 2, 3, 4, 5]
  modal_identified: [Cron]
  t_scores:
    - { option: Queue, score: 0.55, rationale: small }
    - { option: Cron, score: 0.85, rationale: everyone does it }
    - { option: Dreaming, score: 0.2 }
  final_selection: { option: Queue, t_score: 0.55, justification: it scales to 400 jobs }
content:
  summary: A queue in Postgres.
  confidence: 0.82
provenance:
  sources: [docs/load.md]
  reasoning_trace: [measured, compared]
  assumptions: [40 jobs an hour]
next_agents:
  - { agent_id: 03-builder, reason: write the worker, priority: required }
self_critique:
  strengths: [simple, measured]
  weaknesses: [one machine, one tenant]
  improvement_suggestions: [measure three more]
---

# A queue for exports

Added \`src/queue.ts\`, updated \`src/route.ts\` and deleted \`src/cron.ts\`. Decided D-4 and ADR-7.
`;

/** The same kind of thing in Korean labels, as agents really write it. */
export const KOREAN_OUTPUT = `# 결과

**에이전트**: 05-문헌
**최종 결정**: 계층적 검색을 쓴다
**T-Score**: 0.45
**신뢰도**: 85/100

### 핵심 근거
1. 재현율이 12% 높다
2. 비용: 3달러

### 주요 대안
- 키워드 검색 (T=0.9)
- 벡터 검색: 느림 (T=0.7)

### Self-Critique 요점
- 강점: 빠름; 단순함
- 약점: 표본이 작음
- 개선: 표본 확대

### 후속 에이전트 권고
- 06-분석: 결과를 정리
`;

/** A long output: sections of prose, lists, a table and code around a contract; `count` scales it. */
export function longOutput(count: number): string {
  const lines = [
    "# Report",
    "",
    "**Decision**: Use the `export_jobs` table (D-2)",
    "**T-Score**: 0.48",
    "**Confidence**: 0.78",
    "",
    "## Findings",
    "",
  ];
  for (let at = 0; at < count; at++) {
    lines.push(
      `- Module \`src/part${at % 40}/file${at}.ts\` took ${at + 11} ms and belongs to T${at % 9}.${at % 7}`,
      "",
      `The reading of part ${at} was long. It showed that little depends on it, and nothing was changed there at all.`,
      "",
    );
  }
  lines.push(
    "## Interface",
    "",
    "| Name | Meaning |",
    "|---|---|",
    "| `claim()` | takes a job |",
    "| `EXPORT_LIMIT` | 250,000 rows |",
  );
  lines.push(
    "",
    "```ts",
    "export function claim(): Job | null {",
    "  return queue.take(EXPORT_LIMIT);",
    "}",
    "```",
    "",
  );
  return lines.join("\n");
}
