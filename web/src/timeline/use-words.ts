import { useWords } from "../words/use-words.ts";
import { ENGLISH_TIMELINE } from "./english.ts";
import { KOREAN_TIMELINE } from "./korean.ts";
import type { TimelineWords } from "./words.ts";

/** The words of the language of the page. */
export function useTimelineWords(): TimelineWords {
  return useWords().locale === "ko" ? KOREAN_TIMELINE : ENGLISH_TIMELINE;
}
