import { useWords } from "../words/use-words.ts";
import { ENGLISH_REVIEW } from "./english.ts";
import { KOREAN_REVIEW } from "./korean.ts";
import type { ReviewWords } from "./words.ts";

/** The words of the language of the page. */
export function useReviewWords(): ReviewWords {
  return useWords().locale === "ko" ? KOREAN_REVIEW : ENGLISH_REVIEW;
}
