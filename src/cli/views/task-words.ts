import { inOtherWords, joined, type Locale, type Phrase, type Phrases } from "../../text/index.ts";

/** What `espalier task` says besides its view, in one language. */
export interface TaskWords {
  readonly noSuchTask: (
    id: string,
    guess: string | undefined,
  ) => { readonly message: string; readonly hint: string };
  /** What the run answers to a person's decision: it knows English only. */
  readonly acted: (answer: string) => string;
}

const ENGLISH: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `no task ${id} in this run`,
    hint: `${guess === undefined ? "" : `did you mean ${guess}? `}espalier status lists them`,
  }),
  acted: answer => answer,
};

/** What is told besides where no process runs. */
const RESUME: Phrase = ['"espalier resume" goes on', '"espalier resume"으로 이어서 실행합니다'];

const ANSWERS: Phrases = [
  ["{0} starts afresh", "{0}을(를) 처음부터 다시 시작합니다"],
  ["{0} is skipped", "{0}을(를) 건너뜁니다"],
  ["{0} counts as completed (unverified)", "{0}을(를) 완료로 처리합니다 (미검증)"],
  ["{0} is paused", "{0}을(를) 일시 중단합니다"],
  ["{0} goes on", "{0}을(를) 계속합니다"],
  ["{0} is cancelled", "{0}을(를) 취소합니다"],
  ["no task {0} in this plan", "이 계획에 태스크 {0} 없음"],
  ["{0} is outside this run (--only)", "{0}은(는) 이번 실행의 --only 밖에 있습니다"],
  ["{0} is running; pause or cancel it first", "{0}은(는) 실행 중입니다; 먼저 일시 중단하거나 취소하세요"],
  [
    "{0} is blocked by {1}: retry or skip that task instead",
    "{0}은(는) {1} 때문에 차단되었습니다: 그 태스크를 재시도하거나 건너뛰세요",
  ],
  [
    "{0} completes with its tasks: act on those instead",
    "{0}은(는) 하위 태스크와 함께 완료됩니다: 하위 태스크에 지정하세요",
  ],
  [
    "{0} completes with its tasks: act on {1} instead",
    "{0}은(는) 하위 태스크와 함께 완료됩니다: {1}에 지정하세요",
  ],
  ["{0} is completed; nothing to skip", "{0}은(는) 완료되었습니다; 건너뛸 것이 없습니다"],
  ["{0} is completed; nothing to cancel", "{0}은(는) 완료되었습니다; 취소할 것이 없습니다"],
  ["{0} is already completed", "{0}은(는) 이미 완료되었습니다"],
  ["{0} is already failed", "{0}은(는) 이미 실패했습니다"],
  ["{0} is already paused", "{0}은(는) 이미 일시 중단되었습니다"],
  ["{0} is already skipped", "{0}은(는) 이미 건너뛰었습니다"],
  ["{0} is already blocked", "{0}은(는) 이미 차단되었습니다"],
  ["{0} is already cancelled", "{0}은(는) 이미 취소되었습니다"],
  ["{0} is {1}, not paused", "{0}은(는) 일시 중단된 상태가 아닙니다 ({1})"],
];

const KOREAN: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `이 실행에 태스크 ${id} 없음`,
    hint: `${guess === undefined ? "" : `혹시 ${guess}인가요? `}목록 보기: espalier status`,
  }),
  acted: answer => inOtherWords(answer, [...ANSWERS.map(said => joined(said, RESUME)), ...ANSWERS]),
};

/** The words of a language. */
export function taskWords(locale: Locale): TaskWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
