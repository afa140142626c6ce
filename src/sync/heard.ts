import type { LeadInput } from "./protocol.ts";
import { readWords } from "./words.ts";

/** Who said something, in which session, and when. */
export interface Speaker {
  readonly teammate: string;
  readonly session: string;
  readonly now: number;
}

/** What a teammate's text tells its lead, in order; nothing when none of it is meant for it. */
export function heard(text: string, speaker: Speaker): LeadInput[] {
  return readWords(text).map(word => {
    switch (word.type) {
      case "ack":
        return { type: "ack", ...speaker, ack: word.ack };
      case "lost":
        return { type: "lost", ...speaker, cause: "reported" };
      case "request": {
        const { reason: _, ...request } = word.request;
        return { type: "request", ...speaker, ...request };
      }
      case "halt":
        return { ...word, ...speaker };
      default:
        return word satisfies never;
    }
  });
}
