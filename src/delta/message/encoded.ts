import type { CountTokens } from "./write-change.ts";

/** What an update message says beside the difference itself. */
export interface EncodeOptions {
  /** Short name of the document, e.g. `GC`: letters, digits, `_`, `.`, `-`; at most 64. */
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** Names in the impact part, which is left out when neither list is given. */
  readonly affected?: readonly string[];
  readonly actions?: readonly string[];
  /** Counts tokens for the model that reads the message. */
  readonly countTokens: CountTokens;
  /** Send the whole document when the best form costs more than this share of it; the documents' rule is 0.5. */
  readonly majorRestructure?: number;
}

export type Form = "delta" | "sections" | "full";

/** A message that has been read back and found exact. */
export interface Encoded {
  readonly text: string;
  readonly form: Form;
  /** Items an acknowledgement of it counts; 0 for a full one. */
  readonly items: number;
  /** Tokens of the whole message in each form; the cheapest exact one was taken. */
  readonly tokens: {
    readonly sent: number;
    readonly delta: number;
    readonly sections: number;
    readonly full: number;
  };
}

/** Why no message was made. */
export interface EncodeFailure {
  readonly kind: "label" | "name" | "version" | "delta" | "limit" | "inexact";
  readonly message: string;
  /** What was given instead, safe to show. */
  readonly found?: string;
}
