import { fail, ok, type Result } from "../ports/index.ts";
import { type Told, told } from "../text/index.ts";

/** The first byte that does not belong to valid UTF-8. */
export interface InvalidUtf8 {
  readonly offset: number;
  /** In English. */
  readonly message: string;
  /** The same with its values apart, for other languages. */
  readonly said: Told;
}

/** Decodes a document without losing or inventing a byte: a BOM is kept, invalid bytes are refused with their offset. */
export function decodeUtf8(bytes: Uint8Array): Result<string, InvalidUtf8> {
  try {
    return ok(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const offset = firstInvalid(bytes);
    const byte = bytes[offset]!.toString(16);
    const message = `Not UTF-8: byte ${offset} (0x${byte})`;
    return fail({ offset, message, said: told`byte ${offset} (0x${byte}) is not UTF-8` });
  }
}

/** Of bytes that are not valid; behind their end nothing is. */
function firstInvalid(bytes: Uint8Array): number {
  for (let at = 0; ; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
}

/** Length of the valid sequence at `at`; 0 when there is none (overlong forms, surrogates and > U+10FFFF included). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (length === 0) return 0;
  for (let next = 1; next < length; next++) if ((bytes[at + next]! & 0xc0) !== 0x80) return 0;
  const second = bytes[at + 1]!;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  return length;
}
