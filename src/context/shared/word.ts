import type { TeammateWord } from "../../sync/index.ts";
import type { LeadDraft } from "./shared-context.ts";

/** The document that a teammate's word is about. */
export function labelOf(word: Exclude<TeammateWord, { type: "lost" }>): string {
  return word.type === "ack" ? word.ack.label : word.request.label;
}

/** A teammate's word as a lead takes it in. */
export function draftOf(word: TeammateWord, teammate: string, session: string): LeadDraft {
  switch (word.type) {
    case "ack":
      return { type: "ack", teammate, session, ack: word.ack };
    case "lost":
      return { type: "lost", teammate, session, cause: "reported" };
    case "request": {
      const { reason: _, ...request } = word.request;
      return { type: "request", teammate, session, ...request };
    }
    default:
      return word satisfies never;
  }
}
