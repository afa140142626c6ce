import type { Locale } from "../../text/index.ts";
import { particle } from "../../text/index.ts";

/** What `espalier task` says besides its view, in one language. */
export interface TaskWords {
  readonly noSuchTask: (
    id: string,
    guess: string | undefined,
  ) => { readonly message: string; readonly hint: string };
  /** Of proved work that waits for its review, whose task a person counts as done. */
  readonly notLanded: (id: string, commit: string) => string;
}

const ENGLISH: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `no task ${id} in this run`,
    hint: `${guess === undefined ? "" : `did you mean ${guess}? `}espalier status lists them`,
  }),
  notLanded: (id, commit) =>
    `${id}: its proved work has not landed; "git cherry-pick ${commit.slice(0, 12)}" brings it in`,
};

const KOREAN: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `이 실행에 태스크 ${id} 없음`,
    hint: `${guess === undefined ? "" : `혹시 ${guess}인가요? `}목록 보기: espalier status`,
  }),
  notLanded: (id, commit) =>
    `${id}: 검증된 작업은 아직 반영되지 않음; "git cherry-pick ${commit.slice(0, 12)}"${particle(commit.slice(0, 12), "으로/로")} 가져오세요`,
};

/** The words of a language. */
export function taskWords(locale: Locale): TaskWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
