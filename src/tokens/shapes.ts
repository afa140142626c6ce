/** Two to this many bits: with all two hundred thousand words in it, one stretch in six that is none passes. */
const BITS = 20;

/** A set of words that says for certain what is not in it, and nothing else. */
export interface Shapes {
  add(word: string): void;
  /** Whether a word of the set may stand in a text from one place to another, without cutting it out. */
  mayHold(text: string, from: number, to: number): boolean;
}

/** Remembers of a word its first character, its last and its length. */
export function createShapes(): Shapes {
  const table = new Uint32Array(2 ** (BITS - 5));
  return {
    add(word) {
      const shape = shapeOf(word, 0, word.length);
      table[shape >>> 5]! |= 1 << (shape & 31);
    },
    mayHold(text, from, to) {
      const shape = shapeOf(text, from, to);
      return (table[shape >>> 5]! & (1 << (shape & 31))) !== 0;
    },
  };
}

function shapeOf(text: string, from: number, to: number): number {
  const ends =
    Math.imul(text.charCodeAt(from), 0x9e37_79b1) ^ Math.imul(text.charCodeAt(to - 1), 0x85eb_ca6b);
  return (ends ^ Math.imul(to - from, 0xc2b2_ae35)) >>> (32 - BITS);
}
