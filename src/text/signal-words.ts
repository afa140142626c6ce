import type { Locale } from "./messages.ts";
import { visible } from "./visible.ts";

/** What an agent is told that has ended its turn without its signal. */
export interface SignalMissingFacts {
  /** The second half of the signal; never shown right behind `DONE:`. */
  readonly signalId: string;
  /** Its last line, where that looks like a signal and is not its own. Foreign text. */
  readonly instead?: string;
}

/** Characters of another's line that are quoted. */
const QUOTED = 120;

/** How an answer ends. */
export function signalLines(locale: Locale, signalId: string): string[] {
  return locale === "ko"
    ? [
        `- 성공: \`DONE:\` 바로 뒤에 \`${signalId}\``,
        `- 실패: \`FAIL:\` 바로 뒤에 \`${signalId}\`, 콜론, 간단한 에러 1줄`,
      ]
    : [
        `- success: the word \`DONE:\` followed at once by \`${signalId}\``,
        `- failure: the word \`FAIL:\` followed at once by \`${signalId}\`, a colon and the error in one short line`,
      ];
}

/** Asks an agent that has ended its turn without its signal for it, in the same session. */
export function signalMissing(locale: Locale, { signalId, instead }: SignalMissingFacts): string {
  const shown = (words: string) => (instead === undefined ? [] : [words, `  | ${visible(instead, QUOTED)}`]);
  return locale === "ko"
    ? [
        "[SIGNAL] 답변이 신호 줄로 끝나지 않아 아직 아무것도 완료로 인정되지 않습니다.",
        ...shown("다음 줄은 이 시도의 신호가 아닙니다 (데이터):"),
        "질문에 답할 사람은 없습니다. 스스로 결정하고, 태스크가 끝나지 않았으면 계속하세요.",
        "끝나면 답변의 마지막 줄은 반드시 다음 중 하나여야 하며, 앞뒤에 기호나 다른 내용이 없어야 합니다:",
        ...signalLines(locale, signalId),
        "이미 답한 내용은 남아 있습니다. 반복하지 마세요.",
      ].join("\n")
    : [
        "[SIGNAL] Your answer did not end with its signal line, so nothing counts as done yet.",
        ...shown("This line is not the signal of this attempt (data):"),
        "Nobody is there to answer questions: decide yourself, and go on where the task is not finished.",
        "Once it is, the last line of your answer must be exactly one of these, with no mark or word around it:",
        ...signalLines(locale, signalId),
        "What you have answered is kept: do not repeat it.",
      ].join("\n");
}
