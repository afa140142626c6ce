import { z } from "zod";

/** `POST /api/pair`: a code that the owner was shown, and what the device is to be called. */
export const PairRequest = z.strictObject({
  code: z.string().min(1).max(40),
  name: z.string().trim().max(40).default(""),
});

/** What a device is let in by. */
export interface PairReply {
  readonly token: string;
  readonly until: number;
}

/** `POST /api/access`: what the owner decides about who else is let in, and a device about itself. */
export const AccessRequest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("code") }),
  z.strictObject({
    kind: z.literal("share"),
    name: z.string().trim().max(40).default(""),
    hours: z.int().min(1).max(168).default(24),
  }),
  z.strictObject({ kind: z.literal("revoke"), id: z.string().min(1).max(40) }),
  /** A device that is not needed any more. */
  z.strictObject({ kind: z.literal("leave") }),
]);
export type AccessRequest = z.infer<typeof AccessRequest>;

/** Who asks, and for the owner who else is let in. */
export interface AccessShape {
  readonly role: "owner" | "paired" | "viewer";
  /** Where others open the page. */
  readonly origin: string;
  readonly grants: readonly {
    readonly id: string;
    readonly kind: "device" | "link";
    readonly name: string;
    readonly since: number;
    readonly until: number;
  }[];
}

/** What was made. */
export interface AccessReply {
  readonly code?: string;
  readonly link?: string;
  readonly until?: number;
}
