/** What a follow-up message about changed documents is made of. */
export interface UpdateFacts {
  readonly updates: readonly {
    readonly label: string;
    readonly version: number;
    readonly serial: number;
    /** The update itself, in its own format. */
    readonly text: string;
    /** Stands in front of what only a reader of the update can say. */
    readonly cue?: string;
  }[];
}

/** What an agent is told between two of its tool calls. */
export interface InTurnFacts extends UpdateFacts {
  /** Documents whose update is too long for that. */
  readonly large: readonly { readonly label: string; readonly version: number }[];
}

/**
 * The updates, then for each the form of the line to answer with: repeated as it stands it says nothing. Short: every agent at
 * work pays for it with every change.
 */
function message(
  { updates }: UpdateFacts,
  opening: string,
  asking: string,
  closing: string,
  wordAfter: (cue: string) => string,
): string {
  const acks = updates.map(
    ({ label, version, serial, cue }) =>
      `  [ACK-UPDATE] ${label}-v${version} #${serial} received.${cue === undefined ? "" : ` Seen: <${wordAfter(cue)}>.`} Impact: <NONE | one sentence>. Action: <CONTINUE | PAUSE | NEED_CLARIFICATION>`,
  );
  return [opening, "", ...updates.map(({ text }) => text.trimEnd()), "", asking, ...acks, closing, ""].join(
    "\n",
  );
}

const wordAfterEnglish = (cue: string): string => `word after "${cue}"`;
const wordAfterKorean = (cue: string): string => `"${cue}" 다음의 단어`;

/** Tells an agent at work that documents it was given have changed, in English. */
export function updateEnglish(facts: UpdateFacts): string {
  return message(
    facts,
    "The shared context changed while you worked.",
    "Answer with this line, filled in (PAUSE: a person must decide):",
    "Bring your work in line where it is touched, then end with your signal line again.",
    wordAfterEnglish,
  );
}

/** `GC-v3 waits`, for what has become due: every answer of our tools and every hook may begin with it. */
function inTurn(
  { updates, large }: InTurnFacts,
  waits: (names: string) => string,
  later: string,
  rest: readonly [opening: string, asking: string, closing: string],
  wordAfter: (cue: string) => string,
): string {
  const names = (all: InTurnFacts["large"]) =>
    all.map(({ label, version }) => `${label}-v${version}`).join(", ");
  const told =
    updates.length === 0
      ? []
      : [message({ updates }, `${waits(names(updates))} ${rest[0]}`, rest[1], rest[2], wordAfter)];
  const tooLong = large.length === 0 ? [] : [`${waits(names(large))} ${later}\n`];
  return [...told, ...tooLong].join("\n");
}

/** Tells an agent in the middle of its turn, in English. */
export function inTurnEnglish(facts: InTurnFacts): string {
  return inTurn(
    facts,
    names => `${names} waits:`,
    "it is told when your turn ends; context_pull gives it now.",
    [
      "the shared context has changed while you work.",
      "Say this line, filled in, in your next message (PAUSE: a person must decide):",
      "Bring your work in line where it is touched, and go on.",
    ],
    wordAfterEnglish,
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

/** The same in Korean. */
export function inTurnKorean(facts: InTurnFacts): string {
  return inTurn(
    facts,
    names => `${names} 대기 중:`,
    "차례가 끝나면 전달됩니다. context_pull로 지금 받을 수 있습니다.",
    [
      "작업하는 동안 공유 컨텍스트가 변경되었습니다.",
      "다음 메시지에서 다음 줄의 < >를 채워 말하세요 (사람의 결정이 필요하면 PAUSE, 불명확하면 NEED_CLARIFICATION):",
      "영향이 있으면 작업을 맞추고 계속하세요.",
    ],
    wordAfterKorean,
  );
}

/** The updates in Korean. */
export function updateKorean(facts: UpdateFacts): string {
  return message(
    facts,
    "작업하는 동안 공유 컨텍스트가 변경되었습니다.",
    "다음 줄의 < >를 채워 답하세요 (사람의 결정이 필요하면 PAUSE, 불명확하면 NEED_CLARIFICATION):",
    "영향이 있으면 작업을 맞춘 뒤 다시 신호 줄로 끝내세요.",
    wordAfterKorean,
  );
}
