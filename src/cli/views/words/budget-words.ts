import type { Locale } from "../../../text/index.ts";
import { particle, withParticle } from "../../../text/index.ts";

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
  readonly noReceipt: (attempt: string) => string;
  readonly nobodySaid: (text: string) => string;
  readonly askedFor: (times: number, learns: boolean) => string;
  readonly citedBy: (answers: number, learns: boolean) => string;
  readonly contradictedBy: (attempt: string, said: string, learns: boolean) => string;
  readonly fates: Readonly<
    Record<
      "told" | "asked" | "cut" | "left-out" | "instead" | "untold" | "later" | "own" | "not-read",
      (attempt: string, level: string, given: string) => string
    >
  >;
  readonly cached: (tier: string, entries: number, bytes: string) => string;
  readonly archived: (kind: "digests" | "told", texts: number, bytes: string) => string;
  readonly cleared: (entries: number) => string;
  readonly emptyCache: string;
  readonly sameBeginning: string;
  readonly partAt: (line: number, column: number, byte: number, share: string) => string;
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
  over: "Over budget: later outputs at level 2; a full package leaves out what is worth least",
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
  noReceipt: attempt => `there is no receipt of ${attempt}`,
  askedFor: (times, learns) =>
    `asked for by name ${times === 1 ? "once" : `${times} times`} in this run: ${learns ? "worth more to what comes" : "counts for nothing (context.learn: false)"}`,
  citedBy: (answers, learns) =>
    `cited by ${answers === 1 ? "one answer" : `${answers} answers`} of this run: ${learns ? "worth more to what comes" : "counts for nothing (context.learn: false)"}`,
  contradictedBy: (attempt, said, learns) =>
    `contradicted by ${attempt}, ${learns ? "worth less to what comes if an agent wrote it" : "counts for nothing (context.learn: false)"}: "${said}"`,
  nobodySaid: text => `nothing that this run has read or written says "${text}"`,
  fates: {
    told: (attempt, level) => `${attempt} was given it${level === "" ? "" : `, at level ${level}`}`,
    cut: (attempt, level) =>
      `says it, but ${attempt} was given it at level ${level}, which leaves that out; whole:`,
    asked: attempt => `says it, and ${attempt} was given it whole, for it asked for it by its name`,
    "left-out": attempt => `says it, but ${attempt} was only pointed at it; whole:`,
    instead: (attempt, _, given) => `says it, but ${attempt} was given ${given} in its place; whole:`,
    untold: attempt => `says it, but that is none of what ${attempt} was told; whole:`,
    later: attempt => `says it, but only after ${attempt} had begun; whole:`,
    own: () => "says it itself, in its answer",
    "not-read": attempt =>
      `says it, but ${attempt} does not read it: no dependency or node leads there; whole:`,
  },
  cached: (tier, entries, bytes) => `${tier}: ${entries} ${entries === 1 ? "output" : "outputs"}, ${bytes}`,
  archived: (kind, texts, bytes) =>
    kind === "digests"
      ? `what a model made of outputs: ${texts} ${texts === 1 ? "text" : "texts"}, ${bytes}`
      : `shortened outputs as they were handed on: ${texts} ${texts === 1 ? "text" : "texts"}, ${bytes}`,
  cleared: entries => `${entries} ${entries === 1 ? "output" : "outputs"} removed from the cache`,
  emptyCache: "nothing is cached",
  sameBeginning: "the second goes on where the first ends: all of the first can come from the cache",
  partAt: (line, column, byte, share) =>
    `they part at line ${line}, column ${column} (byte ${byte}); ${share} of the first is shared`,
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
  compressing: "작동 중: 이후 출력은 수준 2",
  over: "예산 초과: 이후 출력은 수준 2, 자리가 없는 패키지는 가치가 가장 낮은 것부터 뺍니다",
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
  noReceipt: attempt => `${attempt}의 수령 기록이 없습니다`,
  askedFor: (times, learns) =>
    `이 실행에서 이름으로 ${times}회 요청됨: ${learns ? "이후 태스크에 더 중요하게 다룸" : "반영하지 않음 (context.learn: false)"}`,
  citedBy: (answers, learns) =>
    `이 실행의 답변 ${answers}개가 인용함: ${learns ? "이후 태스크에 더 중요하게 다룸" : "반영하지 않음 (context.learn: false)"}`,
  contradictedBy: (attempt, said, learns) =>
    `${withParticle(attempt, "이/가")} 틀렸다고 함, ${learns ? "에이전트가 쓴 것이면 이후 태스크에 덜 중요하게 다룸" : "반영하지 않음 (context.learn: false)"}: "${said}"`,
  nobodySaid: text => `이 실행이 읽거나 쓴 것 가운데 "${text}"${particle(text, "은/는")} 없습니다`,
  fates: {
    told: (attempt, level) => `${attempt}에 전달됨${level === "" ? "" : `, 수준 ${level}`}`,
    cut: (attempt, level) =>
      `내용이 있지만 ${attempt}에는 수준 ${level}${particle(level, "으로/로")} 전달되어 빠졌습니다; 전체:`,
    asked: attempt => `내용이 있고, ${withParticle(attempt, "이/가")} 이름으로 요청해 전체를 받았습니다`,
    "left-out": attempt => `내용이 있지만 ${attempt}에는 위치만 전달되었습니다; 전체:`,
    instead: (attempt, _, given) =>
      `내용이 있지만 ${attempt}에는 대신 ${withParticle(given, "이/가")} 전달되었습니다; 전체:`,
    untold: attempt => `내용이 있지만 ${attempt}에 전달된 것에는 없습니다; 전체:`,
    later: attempt => `내용이 있지만 ${withParticle(attempt, "이/가")} 시작된 뒤에 나왔습니다; 전체:`,
    own: () => "답변에서 스스로 말한 내용입니다",
    "not-read": attempt =>
      `내용이 있지만 ${withParticle(attempt, "이/가")} 읽지 않습니다(의존 관계나 노드가 없음); 전체:`,
  },
  cached: (tier, entries, bytes) => `${tier}: 출력 ${entries}개, ${bytes}`,
  archived: (kind, texts, bytes) =>
    kind === "digests"
      ? `모델이 요약한 출력: ${texts}개, ${bytes}`
      : `줄여서 전달한 출력: ${texts}개, ${bytes}`,
  cleared: entries => `캐시에서 출력 ${entries}개를 지웠습니다`,
  emptyCache: "캐시가 비어 있습니다",
  sameBeginning: "둘째는 첫째가 끝난 곳에서 이어집니다: 첫째 전체를 캐시에서 읽을 수 있습니다",
  partAt: (line, column, byte, share) =>
    `${line}행 ${column}열(${byte}바이트)에서 갈라집니다; 첫째의 ${withParticle(share, "이/가")} 같습니다`,
};

/** The words of a language. */
export function budgetWords(locale: Locale): BudgetWords {
  return locale === "ko" ? korean : english;
}
