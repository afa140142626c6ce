import { loadRanks } from "./packaged-ranks.ts";
import { hashOf, RANK_BITS, SLOT_BITS } from "./ranks.ts";

/** The tokens of o200k: each is known by its rank, and what has a lower rank is merged first. */
export interface Vocabulary {
  /** The rank of these bytes as one token; -1 where they are none. */
  rankOf(bytes: Uint8Array, from: number, to: number): number;
  /** Ranks of single bytes. */
  readonly bytes: Int32Array;
  /** Ranks of pairs of bytes, first × 256 + second; -1 where a pair is no token. */
  readonly bytePairs: Int32Array;
}

const RANK_MASK = 2 ** RANK_BITS - 1;

function build(): Vocabulary {
  const { bytes: all, lengths, slots } = loadRanks();
  const starts = new Uint32Array(lengths.length + 1);
  const bytes = new Int32Array(256).fill(-1);
  const bytePairs = new Int32Array(65_536).fill(-1);
  const last = slots.length - 1;
  for (let rank = 0; rank < lengths.length; rank++) {
    const from = starts[rank]!;
    const to = from + lengths[rank]!;
    starts[rank + 1] = to;
    if (to - from === 1) bytes[all[from]!] = rank;
    else if (to - from === 2) bytePairs[all[from]! * 256 + all[from + 1]!] = rank;
  }
  const isAt = (start: number, given: Uint8Array, from: number, to: number): boolean => {
    for (let at = from; at < to; at++) if (all[start + at - from] !== given[at]) return false;
    return true;
  };
  return {
    bytes,
    bytePairs,
    rankOf(given, from, to) {
      const hash = hashOf(given, from, to);
      const tag = (hash << RANK_BITS) >>> 0;
      for (let slot = hash >>> (32 - SLOT_BITS); ; slot = (slot + 1) & last) {
        const found = slots[slot]!;
        if (found === 0) return -1;
        if ((found & ~RANK_MASK) >>> 0 !== tag) continue;
        const rank = (found & RANK_MASK) - 1;
        if (lengths[rank] === to - from && isAt(starts[rank]!, given, from, to)) return rank;
      }
    },
  };
}

let built: Vocabulary | undefined;

/** The vocabulary, read at first need: a command that counts nothing does not pay for it. */
export function vocabulary(): Vocabulary {
  built ??= build();
  return built;
}
