import type { Locale } from "./messages.ts";

const HEADING: Readonly<Record<Locale, string>> = { en: "## Handover", ko: "## 인계" };

const ASKED: Readonly<Record<Locale, string>> = {
  en: [
    "Above the last line, hand over to the next worker: 75 words at most, exact names and numbers, `-` for nothing:",
    HEADING.en,
    "- decisions: with reasons",
    "- must-know: goal, state",
    "- do-not: rules, limits",
    "- open: undone, unchecked, next",
    "- interfaces: paths, commands, formats",
  ].join("\n"),
  ko: [
    "마지막 줄 위에 50단어 이내로 인계하세요. 이름과 숫자는 정확히, 없으면 `-`:",
    HEADING.ko,
    "- 결정: 이유",
    "- 필수: 목표, 상태",
    "- 금지: 규칙, 제한",
    "- 미결: 남은 일, 미확인",
    "- 인터페이스: 경로, 명령, 형식",
  ].join("\n"),
};

const MISSING: Readonly<Record<Locale, string>> = {
  en: `Your answer stands, but its section \`${HEADING.en}\` is missing or cannot be read. Answer with that section alone, as it was asked for.`,
  ko: `답변은 유효하지만 \`${HEADING.ko}\` 부분이 없거나 읽을 수 없습니다. 요청한 형식의 그 부분만 답하세요.`,
};

/** Asks for the short section at the end of an answer that later tasks are told first. */
export function handoverAsked(locale: Locale): string {
  return ASKED[locale];
}

/** What each field is asked for, in either language; lower case. */
export function handoverHints(): string[] {
  return Object.values(ASKED).flatMap(asked =>
    asked
      .split("\n")
      .filter(line => line.startsWith("- "))
      .map(line => line.slice(line.indexOf(": ") + 2).toLowerCase()),
  );
}

/** Stands in an answer above words that were to be added to the context tree and were not. */
export function notAddedNote(locale: Locale, why: string): string {
  return locale === "ko" ? `(추가되지 않음: ${why})` : `(Not added: ${why})`;
}

/** The heading of that section. */
export function handoverHeading(locale: Locale): string {
  return HEADING[locale];
}

/** Asks once more for a section that an answer lacks. */
export function handoverMissing(locale: Locale): string {
  return MISSING[locale];
}
