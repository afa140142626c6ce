import type { RunEvent, RunOutcome, TaskStatus } from "../ports/index.ts";
import { inOtherWords, joined, type Phrase, type Phrases } from "./phrases.ts";

const STUCK = "시작할 태스크가 없음. 준비되지 않은 태스크: {0}";

/** What is told of tasks that never became ready, the most exact first. */
const STUCKS: Phrases = [
  [
    "nothing left to start, but these never became ready: {0} ({1} waits for {2}, which is outside this run (--only))",
    `${STUCK} ({1}이(가) 기다리는 {2}은(는) 이번 실행의 --only 밖에 있음)`,
  ],
  [
    "nothing left to start, but these never became ready: {0} ({1} waits for {2})",
    `${STUCK} ({1}이(가) {2}을(를) 기다림)`,
  ],
  ["nothing left to start, but these never became ready: {0}", STUCK],
];

const FAILED: Phrase = ["failed: {0}", "실패: {0}"];
const BLOCKED: Phrase = ["blocked: {0}", "차단: {0}"];

/** What is told of tasks that broke, the most exact first. */
const BROKEN: Phrases = [joined(FAILED, BLOCKED), FAILED, BLOCKED];

const USED: Phrases = [
  ["budget reached: {0} of {1} tokens, {2} of {3} used", "예산 도달: {1} 토큰 중 {0}, {3} 중 {2} 사용"],
  ["budget reached: {0} of {1} tokens used", "예산 도달: {1} 토큰 중 {0} 사용"],
  ["budget reached: {0} of {1} used", "예산 도달: {1} 중 {0} 사용"],
];

const REMAINING: Phrases = [
  ["1 task remains, about {0} tokens more, {1}", "남은 태스크 1개, 약 {0} 토큰, {1} 더 필요"],
  ["1 task remains, about {0} tokens more", "남은 태스크 1개, 약 {0} 토큰 더 필요"],
  ["{0} tasks remain, about {1} tokens more, {2}", "남은 태스크 {0}개, 약 {1} 토큰, {2} 더 필요"],
  ["{0} tasks remain, about {1} tokens more", "남은 태스크 {0}개, 약 {1} 토큰 더 필요"],
];

const GO_ON: Phrase = ["go on with {0}", "계속하려면 {0}"];

/** What is told of a phase whose tasks broke, the most exact first. */
const GATES: Phrases = [
  [
    "phase {0} is below its gate ({1} completed; failed: {2}; blocked: {3}); repair its tasks or continue with {4}",
    "Phase {0} 성공률 기준 미달 ({1} 완료; 실패: {2}; 차단: {3}); 태스크를 고치거나 {4}(으)로 계속하세요",
  ],
  [
    "phase {0} is below its gate ({1} completed; failed: {2}); repair its tasks or continue with {3}",
    "Phase {0} 성공률 기준 미달 ({1} 완료; 실패: {2}); 태스크를 고치거나 {3}(으)로 계속하세요",
  ],
  [
    "phase {0} is below its gate ({1} completed; blocked: {2}); repair its tasks or continue with {3}",
    "Phase {0} 성공률 기준 미달 ({1} 완료; 차단: {2}); 태스크를 고치거나 {3}(으)로 계속하세요",
  ],
];

/** How a run's end is told in its record, and the same in Korean. */
const ENDS: Readonly<Record<RunOutcome, Phrases>> = {
  completed: [["{0} more in the plan, outside --only", "계획에 --only 밖의 태스크 {0}개가 남아 있음"]],
  failed: [...BROKEN.flatMap(broken => STUCKS.map(stuck => joined(broken, stuck))), ...STUCKS, ...BROKEN],
  waiting: [
    ["paused, waiting for a person: {0}", "일시 중단: {0}"],
    ...GATES,
    ...USED.flatMap(used => REMAINING.map(left => joined(used, joined(left, GO_ON)))),
  ],
  interrupted: [["stopped before all tasks had ended", "모든 태스크가 끝나기 전에 중지됨"]],
};

/** Why an agent was not started or its work not proved: what nobody has approved yet. */
const UNAPPROVED: Phrases = [
  [
    "its run: block is not approved yet; espalier resume asks",
    "run: 블록이 아직 승인되지 않았습니다; espalier resume이 물어봅니다",
  ],
  [
    "a command that proves it is not approved yet; espalier resume asks",
    "결과를 검증하는 명령이 아직 승인되지 않았습니다; espalier resume이 물어봅니다",
  ],
  [
    "unapproved agent configuration {0}; espalier resume asks",
    "승인되지 않은 에이전트 설정 {0}; espalier resume이 물어봅니다",
  ],
];

const WEAKER: Phrase = [
  "the task file asks less of it than before ({0}); espalier resume asks",
  "태스크 파일이 전보다 적게 요구합니다 ({0}); espalier resume이 물어봅니다",
];

const BY_PERSON: Phrase = ["paused by a person", "사용자가 일시 중단함"];

/** Why a task pauses, by what paused it. A rule may hand on what an agent said, and nothing tells which it is. */
const PAUSES: Readonly<Record<Paused["by"], Phrases>> = {
  agent: UNAPPROVED,
  person: [BY_PERSON],
  rule: [WEAKER],
};

/** Why a task stands where it stands, for those that no attempt and no person brought there with words of its own. */
const STANDS: Readonly<Partial<Record<TaskStatus, Phrases>>> = {
  blocked: [["blocked by {0}", "{0} 때문에 차단됨"]],
  paused: [
    ...UNAPPROVED,
    BY_PERSON,
    [
      "its work cannot be read: {0} of commit {1} is gone",
      "작업을 읽을 수 없습니다: 커밋 {1}의 {0}이(가) 없습니다",
    ],
    ["its text changed after the work was done", "작업이 끝난 뒤 태스크 내용이 바뀌었습니다"],
    WEAKER,
  ],
  skipped: [["the task file leaves it out", "태스크 파일에서 제외됨"]],
};

/** What a run begins with that starts from a checkpoint. */
const COMPLETED: Phrase = ["{0} of {1} tasks completed", "태스크 {1}개 중 {0}개 완료"];
const GONE: Phrase = ["{0} of its rows are not in the plan any more", "그중 {0}행은 더 이상 계획에 없음"];
const BEGINNINGS: Phrases = [joined(COMPLETED, GONE), COMPLETED];

/** What warns of a run's budget, by the code of the warning. */
const BUDGET: Phrases = [
  [
    "{0} % of the run's budget is used: {1} of {2} tokens, {3} of {4}",
    "예산 {0} % 사용: {2} 토큰 중 {1}, {4} 중 {3}",
  ],
  ["{0} % of the run's budget is used: {1} of {2} tokens", "예산 {0} % 사용: {2} 토큰 중 {1}"],
  ["{0} % of the run's budget is used: {1} of {2}", "예산 {0} % 사용: {2} 중 {1}"],
];

type Paused = Extract<RunEvent, { type: "paused" }>;

/** A task as it stands, as far as that says whose words its reason is. */
export interface Standing {
  readonly status: TaskStatus;
  readonly retries: number;
  readonly reason: string;
  /** `skip`: whether the task file leaves it out. */
  readonly task: { readonly skip?: boolean };
}

/** Whether git or an agent refused a phase its end: what stands behind its label is theirs, whatever it looks like. */
function isRefusal(reason: string): boolean {
  const [head = ""] = reason.split(" is below its gate (", 1);
  return reason.startsWith("phase ") && head.includes(": ");
}

/** Why a run ended, in Korean where all of it is the run's own: what git or an agent said stays as it is. */
export function endInKorean(outcome: RunOutcome, reason: string): string {
  return isRefusal(reason) ? reason : inOtherWords(reason, ENDS[outcome]);
}

/** Why a task was paused, in Korean where all of it is the run's own. */
export function pauseInKorean({ by, reason }: Pick<Paused, "by" | "reason">): string {
  return inOtherWords(reason, PAUSES[by]);
}

/** Why a task does not go on, in Korean where all of it is the run's own: after a failed attempt it may be an agent's. */
export function reasonInKorean({ status, retries, reason, task }: Standing): string {
  const isForeign = retries > 0 || (status === "skipped" && task.skip !== true);
  return isForeign ? reason : inOtherWords(reason, STANDS[status] ?? []);
}

/** What a run begins with that starts from a checkpoint, in Korean. */
export function beginningInKorean(why: string): string {
  return inOtherWords(why, BEGINNINGS);
}

/** A warning in Korean where its words are the run's own. */
export function warningInKorean(code: string, message: string): string {
  return code === "BUDGET" ? inOtherWords(message, BUDGET) : message;
}
