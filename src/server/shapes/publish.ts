import { z } from "zod";
import { MOST_TEXT } from "./limits.ts";

const version = z.int().min(1).max(999_999_999);

/** `POST /api/publish`: a new version of a document. */
export const PublishRequest = z.strictObject({
  label: z.string().trim().min(1).max(100),
  text: z.string().max(MOST_TEXT),
  /** The version that was edited; absent for the first of a document. */
  base: version.optional(),
});
export type PublishRequest = z.infer<typeof PublishRequest>;

const names = z.array(z.string());

/** What came of it. */
export const PublishReply = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("published"),
    version,
    /** What others had published since this one is in it as well. */
    mergedFrom: version.optional(),
    /** Who is told at once, and who later. */
    now: names,
    later: names,
  }),
  /** It says nothing that the current version does not. */
  z.strictObject({ kind: z.literal("unchanged"), version }),
  /** Nothing was published: others have changed the same sections since. */
  z.strictObject({
    kind: z.literal("clash"),
    current: version,
    sections: z.array(z.strictObject({ section: z.string(), theirs: z.string(), yours: z.string() })),
  }),
]);
export type PublishReply = z.infer<typeof PublishReply>;
