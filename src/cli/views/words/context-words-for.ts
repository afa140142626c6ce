import type { Locale } from "../../../text/index.ts";
import { ENGLISH_CONTEXT } from "./context-english.ts";
import { KOREAN_CONTEXT } from "./context-korean.ts";
import type { ContextWords } from "./context-words.ts";

/** The words of a language. */
export function contextWords(locale: Locale): ContextWords {
  return locale === "ko" ? KOREAN_CONTEXT : ENGLISH_CONTEXT;
}
