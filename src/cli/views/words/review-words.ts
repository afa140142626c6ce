import type { Locale } from "../../../text/index.ts";

/** A sentence for people, and what they can do about it. */
interface Advice {
  readonly message: string;
  readonly hint: string;
}

/** What `espalier review` says, in one language. Arguments are already safe to show. */
export interface ReviewWords {
  readonly noSuchTask: (id: string, guess: string | undefined) => Advice;
  readonly nobody: Advice;
  readonly nothing: (task: string) => string;
  readonly unreviewed: (by: string, why: string) => string;
  /** `tokens` is empty where nobody tells. */
  readonly reviewed: (task: string, by: string, isApproved: boolean, tokens: string) => string;
}

const ENGLISH: ReviewWords = {
  noSuchTask: (id, guess) => ({
    message: `no task ${id} with work of its own in this run`,
    hint: guess === undefined ? "espalier status --all names them" : `did you mean ${guess}?`,
  }),
  nobody: {
    message: "nobody is named who reviews",
    hint: "name an agent: espalier review TASK --agent NAME; review: in espalier.yaml names one for all tasks",
  },
  nothing: task => `${task}: nothing has landed, and nothing stands in its worktree`,
  unreviewed: (by, why) => `not reviewed by ${by}: ${why}`,
  reviewed: (task, by, isApproved, tokens) =>
    `${task} reviewed by ${by}: ${isApproved ? "approved" : "findings"}${tokens === "" ? "" : ` (${tokens} tokens)`}`,
};

const KOREAN: ReviewWords = {
  noSuchTask: (id, guess) => ({
    message: `이 실행에 작업이 있는 태스크 ${id} 없음`,
    hint: guess === undefined ? "espalier status --all이 목록을 보여 줍니다" : `혹시 ${guess}인가요?`,
  }),
  nobody: {
    message: "검토할 에이전트가 정해지지 않았습니다",
    hint: "에이전트를 지정하세요: espalier review TASK --agent NAME; espalier.yaml의 review:는 모든 태스크에 적용됩니다",
  },
  nothing: task => `${task}: 반영된 작업도, 워크트리에 남은 작업도 없습니다`,
  unreviewed: (by, why) => `${by}의 검토를 받지 못함: ${why}`,
  reviewed: (task, by, isApproved, tokens) =>
    `${task}: ${by} 검토, ${isApproved ? "승인" : "지적 있음"}${tokens === "" ? "" : ` (${tokens} 토큰)`}`,
};

/** The words of a language. */
export function reviewWords(locale: Locale): ReviewWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
