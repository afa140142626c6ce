import { z } from "zod";
import type { Outgoing, SyncEvent } from "../../sync/index.ts";

const label = z.string().min(1).max(100);
const name = z.string().min(1).max(100);
const names = z.array(z.string().min(1).max(200)).max(200);
const session = z.string().min(1).max(200);

/** What a person, a command or a tool asks of the shared context. */
export const ContextCommand = z.lazy(() =>
  z.discriminatedUnion("op", [
    z.strictObject({
      op: z.literal("publish"),
      label,
      text: z.string(),
      by: z.string().max(1000),
      /** The version that was edited; absent: the current one. */
      base: z.int().min(1).optional(),
      /** The text that was edited, where the version it went into has what others wrote as well. */
      edited: z.string().optional(),
      /** Without `base`: goes on from what the same publisher wrote last. */
      follows: z.boolean().optional(),
      affected: names.optional(),
      actions: names.optional(),
      /** Tells the whole team, whomever it affects. */
      everyone: z.boolean().optional(),
    }),
    /** What a teammate needs now; one that is not in the team yet joins. */
    z.strictObject({
      op: z.literal("update"),
      label,
      teammate: name,
      session: session.optional(),
      proof: z.enum(["hash", "word", "none"]).optional(),
      role: name.optional(),
      interests: names.optional(),
      /** What it held is gone: a compaction or a restart. */
      lost: z.boolean().optional(),
    }),
    /** What a teammate said; without its name, the one with an update of that version on its way. */
    z.strictObject({
      op: z.literal("ack"),
      teammate: name.optional(),
      session: session.optional(),
      text: z.string().max(1_000_000),
    }),
    z.strictObject({ op: z.literal("leave"), teammate: name, label: label.optional() }),
    /** A person has answered a teammate that asked to pause. */
    z.strictObject({ op: z.literal("resume"), teammate: name, label: label.optional() }),
  ]),
);
export type ContextCommand = z.infer<typeof ContextCommand>;

/** An event at a label, for the message log. */
export interface LabelEvent {
  readonly label: string;
  readonly event: SyncEvent;
}

/** What came of a command. Texts are foreign. */
export type ContextReply =
  | {
      readonly kind: "done";
      readonly events: readonly LabelEvent[];
      /** The message that was asked for. */
      readonly message?: Omit<Outgoing, "session"> & { readonly withTask: boolean };
    }
  /** No document of that name. */
  | { readonly kind: "unknown-label"; readonly label: string; readonly known: readonly string[] }
  | { readonly kind: "unknown-teammate"; readonly teammate: string; readonly known: readonly string[] }
  /** Nobody or several could have said it. */
  | { readonly kind: "whose"; readonly candidates: readonly string[] }
  /** Nothing in it is meant for the lead. */
  | { readonly kind: "no-words" }
  | { readonly kind: "bad-label"; readonly label: string; readonly message: string }
  | { readonly kind: "store"; readonly message: string }
  | { readonly kind: "closed" };
