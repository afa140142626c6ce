import type { Locale } from "./messages.ts";

/** What a turn for putting code in order is told. */
export interface RefactorFacts {
  /** The second half of the signal; never shown right behind `DONE:`. */
  readonly signalId: string;
  readonly test: string;
}

/** The message of the REFACTOR turn. */
export function refactorMessage(locale: Locale, { signalId, test }: RefactorFacts): string {
  return locale === "ko"
    ? [
        "[REFACTOR] 테스트가 통과했습니다. 이제 동작을 바꾸지 않고 코드를 정리하세요: 중복, 이름, 불필요한 코드.",
        `테스트는 계속 통과해야 합니다: ${test}`,
        "통과하지 않으면 이번 정리는 취소되고 이전 상태로 완료됩니다. 정리할 것이 없으면 그대로 두세요.",
        `마지막 줄에는 \`DONE:\` 바로 뒤에 \`${signalId}\`만 쓰세요.`,
      ].join("\n")
    : [
        "[REFACTOR] The tests pass. Now put the code in order without changing what it does: repetition, names, what",
        "nobody needs.",
        `The tests have to keep passing: ${test}`,
        "If they do not, this turn is undone and the task completes as it was. Where nothing is to be done, do nothing.",
        `The last line is the word \`DONE:\` followed at once by \`${signalId}\`, and nothing else.`,
      ].join("\n");
}
