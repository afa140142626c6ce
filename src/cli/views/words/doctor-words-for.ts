import type { Locale } from "../../../text/index.ts";
import { ENGLISH_DOCTOR } from "./doctor-english.ts";
import { KOREAN_DOCTOR } from "./doctor-korean.ts";
import type { DoctorWords } from "./doctor-words.ts";

/** The words of a language. */
export function doctorWords(locale: Locale): DoctorWords {
  return locale === "ko" ? KOREAN_DOCTOR : ENGLISH_DOCTOR;
}
