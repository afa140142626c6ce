import { z } from "zod";
import type { DigestState } from "./condense.ts";
import { DigestSchema } from "./digest.ts";

/** What a model has made of an output, as it is kept between processes. */
export interface KeptDigest {
  /** Absent where none of its answers was of use. */
  readonly state?: DigestState | undefined;
  /** Nothing is left to ask: all of the output is read, or an answer about the next span was paid for and of no use. */
  readonly closed: boolean;
}

const Kept = z.object({
  state: z.object({ digest: DigestSchema, length: z.int().min(0), hash: z.string().max(64) }).optional(),
  closed: z.boolean(),
});

/** A kept digest as text. */
export function writeKeptDigest({ state, closed }: KeptDigest): string {
  return JSON.stringify(state === undefined ? { closed } : { state, closed });
}

/** A kept digest; undefined for anything else. */
export function readKeptDigest(text: string): KeptDigest | undefined {
  try {
    const kept = Kept.safeParse(JSON.parse(text));
    return kept.success ? kept.data : undefined;
  } catch {
    return undefined;
  }
}
