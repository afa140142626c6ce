/** A small seeded generator (sfc32): the same seed gives the same numbers on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = (seed / 2 ** 32) | 0;
    this.#c = 0x9e3779b9 | 0;
    for (let i = 0; i < 12; i++) this.#next();
  }

  #next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A whole number from 0 to `below` - 1. */
  below(below: number): number {
    return this.#next() % below;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.#next() < probability * 2 ** 32;
  }

  pick<T>(from: readonly T[]): T {
    const item = from[this.below(from.length)];
    if (item === undefined && from.length === 0) throw new Error("nothing to pick from");
    return item as T;
  }

  /** Every item with the given probability, in order. */
  some<T>(from: readonly T[], probability: number): T[] {
    return from.filter(() => this.chance(probability));
  }
}
