/** The tokens of o200k in the order of their ranks, as bytes: two megabytes in one piece. */
export interface Ranks {
  /** The bytes of all tokens, one after the other. */
  readonly bytes: Uint8Array;
  /** How many bytes each token has, by rank. */
  readonly lengths: Uint8Array;
}

/** The same with what finds a token by its bytes. */
export interface RankTable extends Ranks {
  /** By hash, then the next free one: hash and rank of a token, plus one; 0 where none is. */
  readonly slots: Uint32Array;
}

/** Two to this many slots: two in five are taken. */
export const SLOT_BITS = 19;
/** Bits of a rank in its slot, below as many of its token's hash as fit: what is no token is hardly ever compared. */
export const RANK_BITS = 18;

/** The hash of a token's bytes. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x9e37_79b1) ^ (hash >>> 15);
  return Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
}

/** Has tokens be found by their bytes. */
export function hashRanks({ bytes, lengths }: Ranks): RankTable {
  const slots = new Uint32Array(2 ** SLOT_BITS);
  const last = slots.length - 1;
  let from = 0;
  for (let rank = 0; rank < lengths.length; rank++) {
    const to = from + lengths[rank]!;
    const hash = hashOf(bytes, from, to);
    let slot = hash >>> (32 - SLOT_BITS);
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    slots[slot] = ((hash << RANK_BITS) | (rank + 1)) >>> 0;
    from = to;
  }
  return { bytes, lengths, slots };
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

/** Bytes of the number of tokens and of the slots, which stand in a file before their lengths and their bytes. */
const NUMBERS = 4 * (1 + 2 ** SLOT_BITS);

/** Has a table be a file: numbers with their lowest byte first. */
export function writeTable({ bytes, lengths, slots }: RankTable): Uint8Array {
  const numbers = Buffer.alloc(NUMBERS);
  numbers.writeUInt32LE(lengths.length);
  for (const [at, slot] of slots.entries()) numbers.writeUInt32LE(slot, 4 * (1 + at));
  return Buffer.concat([numbers, lengths, bytes]);
}

/** Reads it where it lies; of a machine that has the highest byte first the numbers are turned. */
export function readTable(file: Buffer): RankTable {
  const isTurned = new Uint8Array(Uint32Array.of(1).buffer)[0] === 0;
  const head = file.subarray(0, NUMBERS);
  if (isTurned) head.swap32();
  // Numbers are read at whole multiples of their size alone.
  const numbers =
    head.byteOffset % 4 === 0
      ? new Uint32Array(head.buffer, head.byteOffset, NUMBERS / 4)
      : new Uint32Array(new Uint8Array(head).buffer);
  const count = numbers[0]!;
  return {
    slots: numbers.subarray(1),
    lengths: file.subarray(NUMBERS, NUMBERS + count),
    bytes: file.subarray(NUMBERS + count),
  };
}
