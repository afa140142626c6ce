export { DECODE_LIMITS, type DecodeFailure, type DecodeLimits, decode, type Update } from "./decode.ts";
export {
  type Encoded,
  type EncodeFailure,
  type EncodeOptions,
  encode,
  type Form,
} from "./encode.ts";
export { encodeFull, type FullOptions } from "./full.ts";
