/** What a follow-up message about changed documents is made of. */
export interface UpdateFacts {
  readonly updates: readonly {
    readonly label: string;
    readonly version: number;
    readonly serial: number;
    /** The update itself, in its own format. */
    readonly text: string;
  }[];
  /** The second half of the signal; never shown right behind `DONE:`. */
  readonly signalId: string;
}

function acks({ updates }: UpdateFacts): string[] {
  return updates.map(
    ({ label, version, serial }) =>
      `  [ACK-UPDATE] ${label}-v${version} #${serial} received. Impact: NONE. Action: CONTINUE`,
  );
}

function message(facts: UpdateFacts, opening: string, closing: readonly string[]): string {
  return [opening, "", ...facts.updates.flatMap(({ text }) => [text, ""]), ...closing, ""].join("\n");
}

/** Tells an agent at work that documents it was given have changed, in English. */
export function updateEnglish(facts: UpdateFacts): string {
  return message(facts, "The shared context has changed while you worked.", [
    "Acknowledge each update, alone on its line, with what applies to you:",
    ...acks(facts),
    "Impact is NONE or one sentence on how it touches your work. Action is CONTINUE, PAUSE when a person must decide first,",
    "or NEED_CLARIFICATION with `Unclear items: §…`.",
    "Where it touches your work, bring your work in line with it now. Then end your answer as before: the last line is",
    `\`DONE:\` followed at once by \`${facts.signalId}\`, or \`FAIL:\` followed at once by \`${facts.signalId}\`, a colon and the error.`,
  ]);
}

/** The same in Korean. */
export function updateKorean(facts: UpdateFacts): string {
  return message(facts, "작업하는 동안 공유 컨텍스트가 변경되었습니다.", [
    "각 업데이트를 한 줄로 확인하되, 자신에게 맞게 적으세요:",
    ...acks(facts),
    "Impact는 NONE 또는 작업에 미치는 영향 한 문장, Action은 CONTINUE, 사람의 결정이 먼저 필요하면 PAUSE,",
    "이해하지 못한 항목이 있으면 `Unclear items: §…`와 함께 NEED_CLARIFICATION입니다.",
    "작업에 영향이 있으면 지금 작업을 맞추세요. 그런 다음 이전과 같이 답을 마칩니다. 마지막 줄은",
    `\`DONE:\` 바로 뒤에 \`${facts.signalId}\`, 또는 \`FAIL:\` 바로 뒤에 \`${facts.signalId}\`, 콜론, 오류입니다.`,
  ]);
}
