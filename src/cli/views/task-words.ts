import type { Locale } from "../../text/index.ts";

/** What `espalier task` says besides its view, in one language. */
export interface TaskWords {
  readonly noSuchTask: (
    id: string,
    guess: string | undefined,
  ) => { readonly message: string; readonly hint: string };
}

const ENGLISH: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `no task ${id} in this run`,
    hint: `${guess === undefined ? "" : `did you mean ${guess}? `}espalier status lists them`,
  }),
};

const KOREAN: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `이 실행에 태스크 ${id} 없음`,
    hint: `${guess === undefined ? "" : `혹시 ${guess}인가요? `}목록 보기: espalier status`,
  }),
};

/** The words of a language. */
export function taskWords(locale: Locale): TaskWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
