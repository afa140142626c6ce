import type { Case } from "./cases.ts";
import { BOOKING } from "./projects/booking.ts";
import { CLINIC } from "./projects/clinic.ts";
import { INVOICES } from "./projects/invoices.ts";
import { SENSORS } from "./projects/sensors.ts";
import type { Project, Work } from "./projects/types.ts";

/** Multi-agent outputs of realistic size, written around four imagined projects, two in English and two in Korean. */
export function corpusCases(): Case[] {
  return [INVOICES, SENSORS, BOOKING, CLINIC].flatMap(project => {
    const outputs = project.works.map((work, at) => writeOutput(project, work, at));
    // The last output has no later documents: its facts are used by the project's closing report.
    return outputs.map((source, at) => ({
      name: `${project.name}: ${project.works[at]!.agent}`,
      source,
      later: [...outputs.slice(at + 1), closing(project)].join("\n"),
    }));
  });
}

const WORDS = {
  en: {
    explored: "Exploration log",
    weighed: "Options considered",
    reasons: "Reasons",
    decision: "Decision",
    contract: "Interface for those who come next",
    files: "Files",
    findings: "Findings",
    critique: ["Strengths", "Weaknesses", "Improvements"],
    next: "Next agents",
    built: "What this builds on",
    confidence: "Confidence",
    output: "Tool output",
    read: (what: string, at: number) =>
      `Read through ${what}: ${at} places looked relevant, most turned out not to matter here.`,
    thought: (word: string, other: string) =>
      `The ${word} part raised the question whether ${other} should change first; it should not, and nothing was done about it.`,
    closing: "Closing report",
  },
  ko: {
    explored: "탐색 기록",
    weighed: "검토한 대안",
    reasons: "핵심 근거",
    decision: "최종 결정",
    contract: "다음 에이전트를 위한 인터페이스",
    files: "파일",
    findings: "발견 사항",
    critique: ["강점", "약점", "개선"],
    next: "후속 에이전트",
    built: "이전 결과 중 사용한 것",
    confidence: "신뢰도",
    output: "도구 출력",
    read: (what: string, at: number) =>
      `${what} 쪽을 읽었다. ${at}곳이 관련 있어 보였지만 대부분 이번 일과 상관이 없었다.`,
    thought: (word: string, other: string) =>
      `${word} 부분을 보다가 ${other} 을(를) 먼저 바꿔야 하는지 고민했지만 그럴 필요가 없었고 아무것도 바꾸지 않았다.`,
    closing: "마무리 보고",
  },
} as const;

/** A number from 0 to `below` − 1 that only depends on its place. */
function dice(project: Project, agent: number, place: number, below: number): number {
  let state = (project.name.length * 7919 + agent * 104_729 + place * 1_299_709) >>> 0;
  for (let round = 0; round < 3; round++)
    state = (Math.imul(state ^ (state >>> 13), 1_540_483_477) + 12_345) >>> 0;
  return state % below;
}

function writeOutput(project: Project, work: Work, agent: number): string {
  const words = WORDS[project.locale];
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${title}`, "", ...lines, ""];
  const bullets = (lines: readonly string[]) => lines.map(line => `- ${line}`);
  return [
    "---",
    `agent_id: ${work.agent}`,
    "vs_level: Full",
    "---",
    "",
    `# ${work.title}`,
    "",
    ...section(words.built, bullets(work.builtOn)),
    ...section(words.explored, exploration(project, work, agent)),
    ...section(words.weighed, [
      "| Option | T-Score | |",
      "|---|---|---|",
      ...work.rejected.map(([option, score, why]) => `| ${option} | ${score} | ${why} |`),
      `| ${work.decision} | ${work.tScore} | ✓ |`,
    ]),
    ...section(words.decision, [
      `${work.decision}.`,
      "",
      `**T-Score**: ${work.tScore}`,
      `**${words.confidence}**: ${work.confidence}`,
    ]),
    ...section(
      words.reasons,
      work.reasons.map((reason, at) => `${at + 1}. ${reason}`),
    ),
    ...section(words.contract, bullets(work.contract)),
    ...section(
      words.files,
      work.files.map(([path, what]) => `- \`${path}\`: ${what}`),
    ),
    ...section(words.output, toolOutput(project, work, agent)),
    ...section(words.findings, bullets(work.findings)),
    ...section(
      "Self-Critique",
      work.critique.map((line, at) => `- **${words.critique[at]}**: ${line}`),
    ),
    ...section(
      words.next,
      work.next.map(([name, why]) => `- ${name}: ${why}`),
    ),
  ].join("\n");
}

/** Pages of reading and wondering, with facts of their own that nobody needs again. */
function exploration(project: Project, work: Work, agent: number): string[] {
  const words = WORDS[project.locale];
  const lines: string[] = [];
  for (let at = 0; at < 90; at++) {
    const word = work.noise[dice(project, agent, at, work.noise.length)]!;
    const other = work.noise[dice(project, agent, at + 500, work.noise.length)]!;
    const folder = ["lib", "vendor", "old", "tools"][dice(project, agent, at + 900, 4)]!;
    const file = `${folder}/part-${dice(project, agent, at + 40, 90)}/mod${at}.ts`;
    lines.push(words.read(at % 3 === 0 ? `\`${file}\`` : word, 2 + dice(project, agent, at + 77, 30)));
    if (at % 2 === 0) lines.push(words.thought(word, other));
    if (at % 5 === 4) lines.push("");
  }
  return lines;
}

function toolOutput(project: Project, work: Work, agent: number): string[] {
  const lines = ["```text"];
  for (let at = 0; at < 110; at++) {
    const ms = 1 + dice(project, agent, at + 3000, 900);
    const word = work.noise[at % work.noise.length]!;
    lines.push(`ok ${at + 1} ${word} case ${dice(project, agent, at + 4000, 9000)} (${ms} ms)`);
  }
  return [...lines, "```"];
}

/** What a person writes at the end: from memory, with the facts that lasted. */
function closing(project: Project): string {
  const words = WORDS[project.locale];
  const lines = project.works.flatMap(work => [
    `- ${work.decision}; ${work.contract.at(-1) ?? ""}`,
    ...work.files.slice(0, 2).map(([path]) => `  - \`${path}\``),
  ]);
  return [`# ${words.closing}`, "", ...lines].join("\n");
}
