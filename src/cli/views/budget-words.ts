import type { Locale } from "../../text/index.ts";

/** The words of the budget views. */
export interface BudgetWords {
  readonly title: string;
  readonly total: string;
  readonly used: string;
  readonly remaining: string;
  readonly tokens: string;
  readonly perAgent: string;
  readonly others: string;
  readonly compression: string;
  readonly normal: string;
  readonly compressing: string;
  readonly over: string;
  readonly next: string;
  readonly history: string;
  readonly spent: string;
  readonly of: string;
  readonly calls: (count: number) => string;
  readonly unpriced: (count: number) => string;
  readonly nothing: string;
  readonly stage: string;
  readonly agent: string;
  readonly level: string;
  readonly share: string;
  readonly most: string;
  readonly carried: string;
  readonly left: string;
  readonly critical: string;
  readonly levels: readonly [string, string, string, string];
}

const english: BudgetWords = {
  title: "Context Budget",
  total: "Total Budget",
  used: "Used",
  remaining: "Remaining",
  tokens: "tokens",
  perAgent: "Per Agent Usage",
  others: "Others",
  compression: "Compression Status",
  normal: "Normal",
  compressing: "Active: later outputs at level 2",
  over: "Over budget: packages leave out what is worth least",
  next: "Next Agent Budget",
  history: "History",
  spent: "Spent by the run",
  of: "of",
  calls: count => (count === 1 ? "1 attempt" : `${count} attempts`),
  unpriced: count => `${count} without a known price`,
  nothing: "no output yet",
  stage: "stage",
  agent: "agent",
  level: "VS level",
  share: "budget",
  most: "may be",
  carried: "carried on as",
  left: "not handed out",
  critical: "critical",
  levels: ["full", "detailed", "brief", "key"],
};

const korean: BudgetWords = {
  title: "컨텍스트 예산",
  total: "전체 예산",
  used: "사용",
  remaining: "남음",
  tokens: "토큰",
  perAgent: "에이전트별 사용량",
  others: "나머지",
  compression: "압축 상태",
  normal: "보통",
  compressing: "작동 중: 이후 출력은 레벨 2",
  over: "예산 초과: 가치가 가장 낮은 것부터 뺍니다",
  next: "다음 에이전트 예산",
  history: "추이",
  spent: "이번 실행에서 쓴 양",
  of: "/",
  calls: count => `시도 ${count}회`,
  unpriced: count => `가격을 모르는 시도 ${count}회`,
  nothing: "아직 출력이 없습니다",
  stage: "단계",
  agent: "에이전트",
  level: "VS 수준",
  share: "예산",
  most: "상한",
  carried: "전달 수준",
  left: "배정하지 않음",
  critical: "압축 안 함",
  levels: ["전체", "상세", "간략", "핵심"],
};

/** The words of a language. */
export function budgetWords(locale: Locale): BudgetWords {
  return locale === "ko" ? korean : english;
}
