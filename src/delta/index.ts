export { apply } from "./apply.ts";
export { categoryOf } from "./category.ts";
export { decodeUtf8, type InvalidUtf8 } from "./decode-utf8.ts";
export { diff } from "./diff.ts";
export { SHORT_HASH, shortHash } from "./hash.ts";
export { invert } from "./invert.ts";
export { joinInserts } from "./join-inserts.ts";
export {
  DECODE_LIMITS,
  type DecodeFailure,
  type DecodeLimits,
  decode,
  type Encoded,
  type EncodeFailure,
  type EncodeOptions,
  encode,
  encodeFull,
  type Form,
  type FullOptions,
  isLabel,
  notCarriedOut,
  notMade,
  type Update,
} from "./message/index.ts";
export { squash } from "./squash.ts";
export { type DeltaStats, isEmpty, stats } from "./stats.ts";
export type { Category, Conflict, Delta, Hunk } from "./types.ts";
