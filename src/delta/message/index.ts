export { DECODE_LIMITS, type DecodeFailure, type DecodeLimits, decode, type Update } from "./decode.ts";
export { encode } from "./encode.ts";
export type { Encoded, EncodeFailure, EncodeOptions, Form } from "./encoded.ts";
export { notCarriedOut, notMade } from "./failure-told.ts";
export { encodeFull, type FullOptions } from "./full.ts";
export { isLabel } from "./header.ts";
