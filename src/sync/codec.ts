import {
  type DecodeFailure,
  decode,
  diff,
  type Encoded,
  type EncodeFailure,
  encode,
  encodeFull,
  type Update,
} from "../delta/index.ts";
import type { Result } from "../ports/index.ts";

/** What an update message says beside the difference. */
export interface UpdateFacts {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly affected?: readonly string[];
  readonly actions?: readonly string[];
  readonly majorRestructure: number;
}

/** What a message with a whole document says beside it. */
export type FullFacts = Omit<UpdateFacts, "from" | "majorRestructure">;

/** The update-message codec as lead and teammate use it. */
export interface Codec {
  encode(old: string, next: string, facts: UpdateFacts): Result<Encoded, EncodeFailure>;
  encodeFull(text: string, facts: FullFacts): Result<Encoded, EncodeFailure>;
  decode(text: string, base: string | undefined): Result<Update, DecodeFailure>;
  countTokens(text: string): number;
}

/** The codec of `espalier/delta`, with costs counted by the given function. */
export function createCodec(countTokens: (text: string) => number): Codec {
  return {
    countTokens,
    encode: (old, next, facts) => encode(diff(old, next), old, next, { ...facts, countTokens }),
    encodeFull: (text, facts) => encodeFull(text, { ...facts, countTokens }),
    decode: (text, base) => decode(text, base),
  };
}
