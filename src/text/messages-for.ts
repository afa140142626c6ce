import { ENGLISH } from "./english.ts";
import { KOREAN } from "./korean.ts";
import type { Locale, Messages } from "./messages.ts";

/** The messages of a language. */
export function messagesFor(locale: Locale): Messages {
  return locale === "ko" ? KOREAN : ENGLISH;
}
