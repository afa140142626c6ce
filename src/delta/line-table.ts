/** A document cut at its `\n`s without making a string per line: equal lines have equal numbers. */
export interface NumberedLines {
  readonly text: string;
  /** Where each line begins; one more entry, past the end, closes the list. */
  readonly starts: Uint32Array;
  readonly numbers: Uint32Array;
}

/** Probes after which a table counts as attacked by colliding lines. */
const PROBES = 512;
const NEWLINE = 10;

/** Numbers the lines of two documents in common; undefined when somebody built their lines to collide. */
export function numberLines(
  old: string,
  next: string,
): { old: NumberedLines; next: NumberedLines } | undefined {
  const first = { text: old, starts: startsOf(old) };
  const second = { text: next, starts: startsOf(next) };
  const count = first.starts.length + second.starts.length;
  const table = new LineTable(2 ** Math.ceil(Math.log2(count * 2)), count);
  const oldNumbers = table.number(first);
  const nextNumbers = oldNumbers === undefined ? undefined : table.number(second);
  if (oldNumbers === undefined || nextNumbers === undefined) return undefined;
  return { old: { ...first, numbers: oldNumbers }, next: { ...second, numbers: nextNumbers } };
}

/** The lines `[from, to)`. */
export function linesBetween({ text, starts }: NumberedLines, from: number, to: number): string[] {
  const lines: string[] = [];
  for (let line = from; line < to; line++) lines.push(text.slice(starts[line], starts[line + 1]! - 1));
  return lines;
}

function startsOf(text: string): Uint32Array {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  const starts = new Uint32Array(count + 1);
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts[line++] = at + 1;
  starts[count] = text.length + 1;
  return starts;
}

type Unnumbered = Omit<NumberedLines, "numbers">;

/** Open addressing over the characters of the documents themselves. */
class LineTable {
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  /** For each number, the document and the line that first had it. */
  readonly #where: Uint32Array;
  readonly #documents: Unnumbered[] = [];
  readonly #owner: Uint8Array;
  #count = 0;

  constructor(size: number, lines: number) {
    this.#slots = new Int32Array(size).fill(-1);
    this.#hashes = new Int32Array(lines);
    this.#where = new Uint32Array(lines);
    this.#owner = new Uint8Array(lines);
  }

  number(document: Unnumbered): Uint32Array | undefined {
    const { text, starts } = document;
    const owner = this.#documents.push(document) - 1;
    const mask = this.#slots.length - 1;
    const numbers = new Uint32Array(starts.length - 1);
    for (let line = 0; line < numbers.length; line++) {
      const start = starts[line]!;
      const hash = hashOf(text, start);
      let slot = hash & mask;
      let number = this.#slots[slot]!;
      for (
        let probe = 0;
        number >= 0 && !(this.#hashes[number] === hash && this.#same(number, text, start));
        probe++
      ) {
        if (probe === PROBES) return undefined;
        slot = (slot + 1) & mask;
        number = this.#slots[slot]!;
      }
      if (number < 0) {
        number = this.#count++;
        this.#slots[slot] = number;
        this.#hashes[number] = hash;
        this.#where[number] = start;
        this.#owner[number] = owner;
      }
      numbers[line] = number;
    }
    return numbers;
  }

  /** Compares characters up to the line's end; a document's end counts as one. */
  #same(number: number, text: string, start: number): boolean {
    const known = this.#documents[this.#owner[number]!]!.text;
    let other = this.#where[number]!;
    for (let at = start; ; at++, other++) {
      const code = at < text.length ? text.charCodeAt(at) : NEWLINE;
      const knownCode = other < known.length ? known.charCodeAt(other) : NEWLINE;
      if (code !== knownCode) return false;
      if (code === NEWLINE) return true;
    }
  }
}

/** FNV-1a over the characters of one line, mixed at the end. */
function hashOf(text: string, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === NEWLINE) break;
    hash = Math.imul(hash ^ code, 0x01000193);
  }
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
