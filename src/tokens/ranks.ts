/** The tokens of o200k in the order of their ranks, as bytes: two megabytes in one piece. */
export interface Ranks {
  /** The bytes of all tokens, one after the other. */
  readonly bytes: Uint8Array;
  /** How many bytes each token has, by rank. */
  readonly lengths: Uint8Array;
}

/** Packs tokens by rank: text, or bytes where one begins or ends inside a character. */
export function packRanks(tokens: readonly (string | readonly number[])[]): Ranks {
  const lengths = Uint8Array.from(tokens, token =>
    typeof token === "string" ? Buffer.byteLength(token) : token.length,
  );
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  tokens.forEach((token, rank) => {
    if (typeof token === "string") bytes.write(token, at);
    else bytes.set(token, at);
    at += lengths[rank]!;
  });
  return { bytes, lengths };
}

let provided: (() => Ranks) | undefined;

/**
 * Has the ranks loaded at the first count, by a program that counts in few of its commands. It must say so before it
 * imports what counts; unless told, that brings the ranks with it.
 */
export function provideRanks(load: () => Ranks): void {
  provided = load;
}

/** How the ranks are loaded at first need, where a program has said so. */
export function providedRanks(): (() => Ranks) | undefined {
  return provided;
}
