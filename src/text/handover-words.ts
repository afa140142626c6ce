import type { Locale } from "./messages.ts";

const ASKED: Readonly<Record<Locale, string>> = {
  en: [
    "Above the last line, hand over to whoever works next: at most 80 words, exact names and numbers, `-` for nothing:",
    "## Handover",
    "- decisions: with the reason",
    "- must-know: goal, state",
    "- do-not: rules, limits",
    "- open: undone, unchecked, next",
    "- interfaces: paths, commands, formats",
  ].join("\n"),
  ko: [
    "마지막 줄 위에 다음 작업자에게 인계하세요. 60단어 이내, 이름과 숫자는 정확히, 없으면 `-`:",
    "## 인계",
    "- 결정: 이유와 함께",
    "- 필수: 목표, 상태",
    "- 금지: 규칙, 제한",
    "- 미결: 안 한 일, 미확인, 다음",
    "- 인터페이스: 경로, 명령, 형식",
  ].join("\n"),
};

const MISSING: Readonly<Record<Locale, string>> = {
  en: "Your answer stands, but its section `## Handover` is missing or cannot be read. Answer with that section alone, as it was asked for.",
  ko: "답변은 유효하지만 `## 인계` 부분이 없거나 읽을 수 없습니다. 요청한 형식의 그 부분만 답하세요.",
};

/** Asks for the short section at the end of an answer that later tasks are told first. */
export function handoverAsked(locale: Locale): string {
  return ASKED[locale];
}

/** Asks once more for a section that an answer lacks. */
export function handoverMissing(locale: Locale): string {
  return MISSING[locale];
}

/** Characters that tell a text's language, and the share of its letters that makes it Korean: names are Latin in any. */
const TELLING = 50_000;
const KOREAN_SHARE = 1 / 12;

/** The language that most of a text is in, of those we speak. */
export function localeOf(text: string): Locale {
  let korean = 0;
  let latin = 0;
  for (let at = 0; at < Math.min(text.length, TELLING); at++) {
    const code = text.charCodeAt(at);
    if (code >= 0xac00 && code <= 0xd7a3) korean++;
    else if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) latin++;
  }
  return korean > KOREAN_SHARE * (korean + latin) ? "ko" : "en";
}
