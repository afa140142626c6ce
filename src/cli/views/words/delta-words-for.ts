import type { Locale } from "../../../text/index.ts";
import { ENGLISH_DELTA } from "./delta-english.ts";
import { KOREAN_DELTA } from "./delta-korean.ts";
import type { DeltaWords } from "./delta-words.ts";

/** The words of a language. */
export function deltaWords(locale: Locale): DeltaWords {
  return locale === "ko" ? KOREAN_DELTA : ENGLISH_DELTA;
}
