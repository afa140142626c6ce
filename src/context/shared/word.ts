import type { TeammateWord } from "../../sync/index.ts";
import type { LeadDraft } from "./shared-context.ts";

/** The document that a teammate's word is about; undefined: all that it is in. */
export function labelOf(word: TeammateWord): string | undefined {
  if (word.type === "ack") return word.ack.label;
  return word.type === "request" ? word.request.label : undefined;
}

/** What is left of an acknowledgement of a document that there is not: its wish for a person or an explanation. */
export function withoutLabel(word: TeammateWord): TeammateWord | undefined {
  if (word.type !== "ack") return undefined;
  const { action, impact } = word.ack;
  return action === undefined || action === "CONTINUE" ? undefined : { type: "halt", action, impact };
}

/** A teammate's word as a lead takes it in. */
export function draftOf(word: TeammateWord, teammate: string, session: string): LeadDraft {
  switch (word.type) {
    case "ack":
      return { type: "ack", teammate, session, ack: word.ack };
    case "lost":
      return { type: "lost", teammate, session, cause: "reported" };
    case "halt":
      return { ...word, teammate, session };
    case "request": {
      const { reason: _, ...request } = word.request;
      return { type: "request", teammate, session, ...request };
    }
    default:
      return word satisfies never;
  }
}
