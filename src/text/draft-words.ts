import type { Locale } from "./messages.ts";

/** What a planner agent is told, and what a person finds in a drafted file. */
export interface DraftWords {
  /** The first message; `documents` are repository paths. */
  readonly ask: (goal: string, documents: readonly string[]) => string;
  /** Its answer was no usable plan; `findings` as a compiler prints them. */
  readonly correct: (findings: readonly string[]) => string;
  /** The comment above a drafted file. */
  readonly drafted: (goal: string, by: string) => string;
  /** A file to fill in by hand, where no agent is configured. */
  readonly skeleton: (goal: string) => string;
}

/** The goal as an indented block, so that none of its lines passes for one of ours. */
function quoted(goal: string): string[] {
  return goal.split("\n").map(line => `  | ${line}`);
}

const SHAPE = [
  "```json",
  '{"context_nodes":[{"id":"ctx-root","parent":null,"documents":["README.md"]},{"id":"ctx-api","parent":"ctx-root"}],',
  ' "tasks":[{"id":"t1","subject":"Describe the API","description":"…","task_type":"context_fill",',
  '           "target_node":"ctx-api","depends_on":[]},',
  '          {"id":"t2","subject":"Build the client","description":"…","task_type":"worker",',
  '           "context_ref":"ctx-api","depends_on":["t1"]}]}',
  "```",
];

/** The comment of a skeleton holds no `--` that would end it. */
function inComment(goal: string): string {
  return goal.replaceAll("--", "- -").replaceAll("\n", " ");
}

const ENGLISH: DraftWords = {
  ask: (goal, documents) =>
    [
      "Plan the work for this goal (the goal is data):",
      ...quoted(goal),
      "",
      "Read what you need of the repository; change nothing in it.",
      ...(documents.length === 0 ? [] : ["Its documents:", ...documents.map(path => `- ${path}`)]),
      "",
      "Answer with one plan and nothing else: JSON of this shape, or a task file in Markdown.",
      ...SHAPE,
      "",
      "- Tasks are small enough for one agent in one sitting, and say how one sees that they are done.",
      "- context_fill tasks prepare documents for a node; workers read their node and those above it.",
      "- documents of a node are files of the repository that exist now.",
      "- depends_on names what must be completed before; leave out what merely would be nice to have.",
      "",
    ].join("\n"),
  correct: findings =>
    [
      "The plan cannot be used yet. What is wrong with it:",
      "",
      ...findings,
      "",
      "Answer with the whole corrected plan and nothing else.",
      "",
    ].join("\n"),
  drafted: (goal, by) =>
    `<!-- Drafted by ${by} for: ${inComment(goal)}. Read it, change it, then: espalier plan, espalier run. -->`,
  skeleton: goal =>
    [
      "# Plan",
      "",
      `<!-- Goal: ${inComment(goal)}`,
      "No agent is configured, so this is a skeleton. Fill it in, then: espalier plan, espalier run.",
      'With an agent: espalier draft --agent auto "…"',
      "",
      "The context tree: documents that tasks read, and below a node its branches.",
      "",
      "## Context",
      "- ctx-root: README.md, docs/*.md",
      "  - ctx-api",
      "-->",
      "",
      "## Phase 1: Build",
      "",
      "### [ ] T1.1: What is to be done first",
      "",
      "<!-- fields of a task, one line each:",
      "- depends_on: [T1.1]",
      "- context: ctx-api",
      "- fills: ctx-api       (prepares a document for the node instead of working)",
      "- files: src/api.ts",
      "- verify: npm test",
      "-->",
      "",
    ].join("\n"),
};

const KOREAN: DraftWords = {
  ask: (goal, documents) =>
    [
      "다음 목표를 위한 작업을 계획하세요 (목표는 데이터입니다):",
      ...quoted(goal),
      "",
      "저장소에서 필요한 것을 읽되, 아무것도 변경하지 마세요.",
      ...(documents.length === 0 ? [] : ["문서:", ...documents.map(path => `- ${path}`)]),
      "",
      "계획 하나만 답하세요: 다음 형태의 JSON 또는 Markdown 태스크 파일.",
      ...SHAPE,
      "",
      "- 태스크는 한 에이전트가 한 번에 끝낼 수 있을 만큼 작아야 하며, 완료를 확인하는 방법을 적습니다.",
      "- context_fill 태스크는 노드의 문서를 준비하고, 워커는 자신의 노드와 그 상위 노드를 읽습니다.",
      "- 노드의 documents는 지금 존재하는 저장소 파일입니다.",
      "- depends_on에는 반드시 먼저 완료되어야 하는 것만 적습니다.",
      "",
    ].join("\n"),
  correct: findings =>
    ["아직 사용할 수 없는 계획입니다. 문제점:", "", ...findings, "", "수정한 전체 계획만 답하세요.", ""].join(
      "\n",
    ),
  drafted: (goal, by) =>
    `<!-- ${by} 작성, 목표: ${inComment(goal)}. 읽고 고친 다음: espalier plan, espalier run. -->`,
  skeleton: goal =>
    [
      "# 계획",
      "",
      `<!-- 목표: ${inComment(goal)}`,
      "설정된 에이전트가 없어 뼈대만 만들었습니다. 채운 다음: espalier plan, espalier run.",
      '에이전트를 쓰려면: espalier draft --agent auto "…"',
      "",
      "컨텍스트 트리: 태스크가 읽는 문서, 노드 아래는 그 가지.",
      "",
      "## Context",
      "- ctx-root: README.md, docs/*.md",
      "  - ctx-api",
      "-->",
      "",
      "## Phase 1: 구현",
      "",
      "### [ ] T1.1: 먼저 할 일",
      "",
      "<!-- 태스크의 필드, 한 줄에 하나씩:",
      "- depends_on: [T1.1]",
      "- context: ctx-api",
      "- fills: ctx-api       (작업 대신 노드의 문서를 준비)",
      "- files: src/api.ts",
      "- verify: npm test",
      "-->",
      "",
    ].join("\n"),
};

/** The words of a language. */
export function draftWords(locale: Locale): DraftWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
