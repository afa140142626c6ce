/** What a follow-up message about changed documents is made of. */
export interface UpdateFacts {
  readonly updates: readonly {
    readonly label: string;
    readonly version: number;
    readonly serial: number;
    /** The update itself, in its own format. */
    readonly text: string;
  }[];
}

/**
 * The updates, then for each the form of the line to answer with: repeated as it stands it says nothing. Short: every agent at
 * work pays for it with every change.
 */
function message({ updates }: UpdateFacts, opening: string, asking: string, closing: string): string {
  const acks = updates.map(
    ({ label, version, serial }) =>
      `  [ACK-UPDATE] ${label}-v${version} #${serial} received. Impact: <NONE | one sentence>. Action: <CONTINUE | PAUSE | NEED_CLARIFICATION>`,
  );
  return [opening, "", ...updates.map(({ text }) => text.trimEnd()), "", asking, ...acks, closing, ""].join(
    "\n",
  );
}

/** Tells an agent at work that documents it was given have changed, in English. */
export function updateEnglish(facts: UpdateFacts): string {
  return message(
    facts,
    "The shared context changed while you worked.",
    "Answer with this line, filled in (PAUSE: a person must decide):",
    "Bring your work in line where it is touched, then end with your signal line again.",
  );
}

/** Tells an agent what a person says to it while it works, in English. */
export const wordsEnglish = (said: readonly string[]): string =>
  personSays(said, "The person who runs this says:", "Act on it, then end with your signal line again.");

/** The same in Korean. */
export const wordsKorean = (said: readonly string[]): string =>
  personSays(said, "이 작업을 실행하는 사람의 말:", "이에 따라 작업한 뒤 다시 신호 줄로 끝내세요.");

function personSays(said: readonly string[], opening: string, closing: string): string {
  return [opening, "", ...said, "", closing, ""].join("\n");
}

/** The updates in Korean. */
export function updateKorean(facts: UpdateFacts): string {
  return message(
    facts,
    "작업하는 동안 공유 컨텍스트가 변경되었습니다.",
    "다음 줄의 < >를 채워 답하세요 (사람의 결정이 필요하면 PAUSE, 불명확하면 NEED_CLARIFICATION):",
    "영향이 있으면 작업을 맞춘 뒤 다시 신호 줄로 끝내세요.",
  );
}
