/** The tokens of o200k in the order of their ranks, as bytes: two megabytes in one piece. */
export interface Ranks {
  /** The bytes of all tokens, one after the other. */
  readonly bytes: Uint8Array;
  /** How many bytes each token has, by rank. */
  readonly lengths: Uint8Array;
}

/** Packs tokens by rank: text, or bytes where one begins or ends inside a character. */
export function packRanks(tokens: readonly (string | readonly number[])[]): Ranks {
  const lengths = new Uint8Array(tokens.length);
  // UTF-8 takes three bytes for a UTF-16 unit at most; most tokens are ASCII and written without a call.
  const bytes = Buffer.alloc(tokens.reduce((sum, { length }) => sum + 3 * length, 0));
  let end = 0;
  for (let rank = 0; rank < tokens.length; rank++) {
    const token = tokens[rank]!;
    const start = end;
    for (let at = 0; at < token.length; at++) {
      const byte = typeof token === "string" ? token.charCodeAt(at) : token[at]!;
      if (typeof token === "string" && byte >= 0x80) {
        end = start + bytes.write(token, start);
        break;
      }
      bytes[end++] = byte;
    }
    lengths[rank] = end - start;
  }
  return { bytes: new Uint8Array(bytes.subarray(0, end)), lengths };
}
