/** The sections of a checkpoint that mean something to us. */
export type Part =
  | "problem"
  | "intent"
  | "essential"
  | "decisions"
  | "technical"
  | "breadcrumbs"
  | "play"
  | "artifacts"
  | "state"
  | "next"
  | "rules"
  | "completion";

interface PartRule {
  readonly part: Part;
  /** As it is written. */
  readonly title: string;
  /** Depth of its heading. */
  readonly level: 2 | 3;
  readonly required: boolean;
  /** Lower-case beginnings of titles that mean it, in the languages such documents were met in. */
  readonly known: readonly string[];
}

/** The parts in the order of a document. */
export const PARTS: readonly PartRule[] = [
  rule("problem", "Problem", 2, true, "problem", "problema", "문제"),
  rule("intent", "Session Intent", 2, false, "session intent", "intent", "intención", "세션 의도", "의도"),
  rule(
    "essential",
    "Essential Information",
    2,
    true,
    "essential information",
    "información esencial",
    "핵심 정보",
  ),
  rule("decisions", "Decisions", 3, true, "decisions", "decision log", "decisiones", "결정"),
  rule("technical", "Technical Context", 3, false, "technical context", "contexto técnico", "기술 컨텍스트"),
  rule("breadcrumbs", "Breadcrumbs", 3, false, "breadcrumbs", "단서"),
  rule("play", "Play-By-Play", 3, false, "play-by-play", "play by play", "진행 기록"),
  rule("artifacts", "Artifact Trail", 3, false, "artifact trail", "artifacts", "artefactos", "산출물"),
  rule("state", "Current State", 3, true, "current state", "estado actual", "현재 상태"),
  rule(
    "next",
    "Next Actions",
    3,
    true,
    "next actions",
    "next steps",
    "próximas acciones",
    "próximos pasos",
    "다음 작업",
  ),
  rule("rules", "User Rules", 2, false, "user rules", "reglas del usuario", "사용자 규칙"),
  rule("completion", "Completion", 2, false, "completion", "cierre", "완료"),
];

function rule(
  part: Part,
  title: string,
  level: 2 | 3,
  required: boolean,
  ...known: readonly string[]
): PartRule {
  return { part, title, level, required, known };
}

const BY_TITLE = new Map(PARTS.flatMap(({ part, known }) => known.map(title => [title, part] as const)));

/** Characters of a heading that say what it means. */
const LONGEST_TITLE = 200;

/** What a heading means: its title, or its title followed by more words (`Decisiones del Usuario`); numbers before it aside. */
export function partOf(title: string): Part | undefined {
  let words = title
    .slice(0, LONGEST_TITLE)
    .toLowerCase()
    .split(/[\s:*_]+/)
    .filter(word => word !== "");
  if (/^\d+[.)]?$/.test(words[0] ?? "")) words = words.slice(1);
  for (let length = Math.min(words.length, 3); length > 0; length--) {
    const part = BY_TITLE.get(words.slice(0, length).join(" "));
    if (part !== undefined) return part;
  }
  return undefined;
}

/** The rule of a part. */
export function ruleOf(part: Part): PartRule {
  return PARTS.find(one => one.part === part)!;
}
