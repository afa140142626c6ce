import { inOtherWords, type Phrases } from "./phrases.ts";

const STUCK = "시작할 태스크가 없음. 준비되지 않은 태스크: {0}";

/** How a run's end is told in its record, and the same in Korean. */
const ENDS: Phrases = [
  ["paused, waiting for a person: {0}", "일시 중단: {0}"],
  ["failed: {0}", "실패: {0}"],
  ["blocked: {0}", "차단: {0}"],
  [
    "nothing left to start, but these never became ready: {0} ({1} waits for {2}, which is outside this run (--only))",
    `${STUCK} ({1}이(가) 기다리는 {2}은(는) 이번 실행의 --only 밖에 있음)`,
  ],
  [
    "nothing left to start, but these never became ready: {0} ({1} waits for {2})",
    `${STUCK} ({1}이(가) {2}을(를) 기다림)`,
  ],
  ["nothing left to start, but these never became ready: {0}", STUCK],
  ["stopped before all tasks had ended", "모든 태스크가 끝나기 전에 중지됨"],
  ["phase {0} is below its gate ({1} completed", "Phase {0} 성공률 기준 미달 ({1} 완료"],
  ["repair its tasks or continue with {0}", "태스크를 고치거나 {0}(으)로 계속하세요"],
  ["{0} more in the plan, outside --only", "계획에 --only 밖의 태스크 {0}개가 남아 있음"],
  ["budget reached: {0} of {1} tokens, {2} of {3} used", "예산 도달: {1} 토큰 중 {0}, {3} 중 {2} 사용"],
  ["budget reached: {0} of {1} tokens used", "예산 도달: {1} 토큰 중 {0} 사용"],
  ["budget reached: {0} of {1} used", "예산 도달: {1} 중 {0} 사용"],
  ["1 task remains, about {0} tokens more, {1}", "남은 태스크 1개, 약 {0} 토큰, {1} 더 필요"],
  ["1 task remains, about {0} tokens more", "남은 태스크 1개, 약 {0} 토큰 더 필요"],
  ["{0} tasks remain, about {1} tokens more, {2}", "남은 태스크 {0}개, 약 {1} 토큰, {2} 더 필요"],
  ["{0} tasks remain, about {1} tokens more", "남은 태스크 {0}개, 약 {1} 토큰 더 필요"],
  ["go on with {0}", "계속하려면 {0}"],
];

/** Why a task does not go on, where that is no agent's word. */
const PAUSES: Phrases = [
  ["its run: block is not approved yet", "run: 블록이 아직 승인되지 않았습니다"],
  ["a command that proves it is not approved yet", "결과를 검증하는 명령이 아직 승인되지 않았습니다"],
  ["unapproved agent configuration {0}", "승인되지 않은 에이전트 설정 {0}"],
  ["espalier resume asks", "espalier resume이 물어봅니다"],
  ["paused by a person", "사용자가 일시 중단함"],
  ["blocked by {0}", "{0} 때문에 차단됨"],
  ["the task file leaves it out", "태스크 파일에서 제외됨"],
  ["its text changed after the work was done", "작업이 끝난 뒤 태스크 내용이 바뀌었습니다"],
];

/** What a run begins with that starts from a checkpoint. */
const BEGINNINGS: Phrases = [
  ["{0} of {1} tasks completed", "태스크 {1}개 중 {0}개 완료"],
  ["{0} of its rows are not in the plan any more", "그중 {0}행은 더 이상 계획에 없음"],
];

/** What warns of a run's budget, by the code of the warning. */
const BUDGET: Phrases = [
  [
    "{0} % of the run's budget is used: {1} of {2} tokens, {3} of {4}",
    "예산 {0} % 사용: {2} 토큰 중 {1}, {4} 중 {3}",
  ],
  ["{0} % of the run's budget is used: {1} of {2} tokens", "예산 {0} % 사용: {2} 토큰 중 {1}"],
  ["{0} % of the run's budget is used: {1} of {2}", "예산 {0} % 사용: {2} 중 {1}"],
];

/** Why a run ended, in Korean as far as the words are the run's own: reasons of agents and git stay as they are. */
export function endInKorean(reason: string): string {
  return inOtherWords(reason, ENDS);
}

/** Why a task does not go on, in Korean as far as the words are the run's own. */
export function pauseInKorean(reason: string): string {
  return inOtherWords(reason, PAUSES);
}

/** What a run begins with that starts from a checkpoint, in Korean. */
export function beginningInKorean(why: string): string {
  return inOtherWords(why, BEGINNINGS);
}

/** A warning in Korean where its words are the run's own. */
export function warningInKorean(code: string, message: string): string {
  return code === "BUDGET" ? inOtherWords(message, BUDGET) : message;
}
