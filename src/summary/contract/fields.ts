/** A field of the contract, by our name. */
export type Field =
  | "agent"
  | "level"
  | "decision"
  | "tScore"
  | "confidence"
  | "summary"
  | "reasons"
  | "options"
  | "strengths"
  | "weaknesses"
  | "improvements"
  | "nextAgents"
  | "phases"
  | "sources"
  | "trace"
  | "assumptions";

const SPELLINGS: Readonly<Record<Field, readonly string[]>> = {
  agent: ["agent", "agent id", "에이전트"],
  level: ["vs level", "level", "vs", "수준", "vs 수준", "vs 레벨"],
  decision: [
    "decision",
    "final decision",
    "final selection",
    "final choice",
    "final recommendation",
    "recommendation",
    "selected",
    "selection",
    "chosen",
    "verdict",
    "결정",
    "최종 결정",
    "결정 사항",
    "최종 선택",
    "최종 추천",
    "추천",
    "선택",
    "결론",
  ],
  tScore: ["t score", "tscore", "t", "t 점수", "전형성 점수", "전형성"],
  confidence: ["confidence", "confidence score", "신뢰도", "확신도", "확신"],
  summary: ["summary", "tl;dr", "tldr", "요약", "개요"],
  reasons: [
    "reasons",
    "reason",
    "key reasons",
    "rationale",
    "why",
    "justification",
    "근거",
    "핵심 근거",
    "이유",
    "선택 이유",
    "주요 근거",
  ],
  options: [
    "alternatives",
    "alternatives considered",
    "options",
    "options considered",
    "main alternatives",
    "t scores",
    "t score distribution",
    "대안",
    "주요 대안",
    "검토한 대안",
    "옵션",
    "선택지",
    "t score 분포",
  ],
  strengths: ["strengths", "strength", "pros", "강점", "장점"],
  weaknesses: ["weaknesses", "weakness", "cons", "약점", "단점", "한계"],
  improvements: [
    "improvements",
    "improvement",
    "improvement suggestions",
    "개선",
    "개선점",
    "개선 사항",
    "개선 제안",
  ],
  nextAgents: [
    "next agents",
    "next agent",
    "next",
    "handoff",
    "hand off",
    "recommendations for next agents",
    "후속",
    "후속 에이전트",
    "후속 에이전트 권고",
    "다음 에이전트",
  ],
  phases: ["phases", "phase executed", "phases executed", "실행 단계", "수행 단계"],
  sources: ["sources", "references", "출처", "참고 자료"],
  trace: ["reasoning trace", "trace", "추론 과정"],
  assumptions: ["assumptions", "가정", "전제"],
};

/** Fields with one value; the others are lists. */
export const SINGLE: ReadonlySet<Field> = new Set([
  "agent",
  "level",
  "decision",
  "tScore",
  "confidence",
  "summary",
]);

const BY_SPELLING: ReadonlyMap<string, Field> = new Map(
  Object.entries(SPELLINGS).flatMap(([field, names]) => names.map(name => [name, field as Field] as const)),
);

const NUMBERING = "0123456789.) ";
const MARKS = "*_`~:# ";
/** Longer texts name no field. */
const LONGEST_KEY = 60;

/** The field that a key, label or heading names: `**2. T-Score (final):**` → `tScore`. */
export function fieldOf(key: string): Field | undefined {
  if (key.length > LONGEST_KEY) return undefined;
  let from = 0;
  while (from < key.length && (MARKS.includes(key[from]!) || NUMBERING.includes(key[from]!))) from++;
  let end = key.length;
  while (end > from && MARKS.includes(key[end - 1]!)) end--;
  const bracket = key.indexOf("(", from);
  if (bracket > from) end = Math.min(end, bracket);
  const words = key.slice(from, end).toLowerCase().replaceAll("_", " ").replaceAll("-", " ").split(" ");
  return BY_SPELLING.get(words.filter(word => word !== "").join(" "));
}
