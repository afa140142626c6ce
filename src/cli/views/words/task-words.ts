import type { Locale } from "../../../text/index.ts";
import { particle } from "../../../text/index.ts";

/** What `espalier task` says besides its view, in one language. */
export interface TaskWords {
  readonly noSuchTask: (
    id: string,
    guess: string | undefined,
  ) => { readonly message: string; readonly hint: string };
  /** Of proved work that waits for its review, whose task a person counts as done. */
  readonly notLanded: (id: string, commit: string) => string;
  readonly whichTasks: string;
  /** Of `--all` where no task is paused for a cause that may be gone. */
  readonly noneGoesOn: string;
}

const ENGLISH: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `no task ${id} in this run`,
    hint: `${guess === undefined ? "" : `did you mean ${guess}? `}espalier status lists them`,
  }),
  notLanded: (id, commit) =>
    `${id}: its proved work has not landed; "git cherry-pick ${commit.slice(0, 12)}" brings it in`,
  whichTasks: "name tasks, or --all",
  noneGoesOn:
    "no task is paused but those that a person paused, or has to look at by itself: espalier status",
};

const KOREAN: TaskWords = {
  noSuchTask: (id, guess) => ({
    message: `이 실행에 태스크 ${id} 없음`,
    hint: `${guess === undefined ? "" : `혹시 ${guess}인가요? `}목록 보기: espalier status`,
  }),
  notLanded: (id, commit) =>
    `${id}: 검증된 작업은 아직 반영되지 않음; "git cherry-pick ${commit.slice(0, 12)}"${particle(commit.slice(0, 12), "으로/로")} 가져오세요`,
  whichTasks: "태스크 id 또는 --all을 지정하세요",
  noneGoesOn: "사람이 멈췄거나 하나씩 확인해야 하는 것 말고는 일시 중지된 태스크 없음: espalier status",
};

/** The words of a language. */
export function taskWords(locale: Locale): TaskWords {
  return locale === "ko" ? KOREAN : ENGLISH;
}
