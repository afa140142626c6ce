import type { Locale } from "../../../text/index.ts";
import type { Words } from "./words.ts";
import { ENGLISH_WORDS } from "./words-english.ts";
import { KOREAN_WORDS } from "./words-korean.ts";

/** The words of a language. */
export function wordsFor(locale: Locale): Words {
  return locale === "ko" ? KOREAN_WORDS : ENGLISH_WORDS;
}
