import { type Locale, visible } from "../text/index.ts";
import { englishSentence } from "./log-english.ts";
import { koreanSentence } from "./log-korean.ts";
import type { SyncEvent } from "./protocol.ts";

/** One line of the message log for an event, safe for a terminal, with the reason of each decision. */
export function syncLogLine(label: string, event: SyncEvent, locale: Locale = "en"): string {
  const sentence = locale === "ko" ? koreanSentence(event) : englishSentence(event);
  return visible(`[SYNC] ${label}: ${sentence}`, 1_000);
}
