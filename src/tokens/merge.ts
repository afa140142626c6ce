import { type Vocabulary, vocabulary } from "./vocabulary.ts";

/** Characters of the longest o200k token, a run of blanks. */
export const LONGEST_TOKEN = 128;
/** Bytes merged at once; the work within a block grows with its square. */
const BLOCK = 16;
/** Bytes to the left of a seam that are merged again at most. */
const REACH = 2048;
/** Characters that are held as bytes at once. */
const WINDOW = 1 << 14;
const MEMO = 1 << 16;
/** Entries that are moved faster one by one than by a call. */
const FEW = 24;
const NONE = 0x7fff_ffff;
const REPLACEMENT = 0xfffd;

/** A text cut at a token budget. */
export interface TokenPrefix {
  /** UTF-16 units of the text that fit. Never inside a surrogate pair. */
  readonly end: number;
  readonly tokens: number;
}

/** The tokens found so far: where each begins in the bytes, its rank, and the bytes of the longest. */
interface Tokens {
  readonly starts: number[];
  readonly ids: number[];
  widest: number;
}

/** Whether a surrogate and its neighbour are one character. */
function isPair(text: string, at: number, end: number): boolean {
  const isHigh = text.charCodeAt(at) < 0xdc00;
  return isHigh && at + 1 < end && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

/** Merges the bytes of one piece into tokens. Its tables only remember what the vocabulary says. */
class Merger {
  readonly #known: Vocabulary;
  #bytes = new Uint8Array(1024);
  /** By byte: the UTF-16 unit its character begins at, where a character begins. */
  #units = new Int32Array(1025);
  #length = 0;
  readonly #memoLeft = new Int32Array(MEMO).fill(-1);
  readonly #memoRight = new Int32Array(MEMO);
  readonly #memoRank = new Int32Array(MEMO);
  readonly #seamLeft = new Int32Array(MEMO).fill(-1);
  readonly #seamRight = new Int32Array(MEMO);
  readonly #seamAgrees = new Uint8Array(MEMO);
  #starts = new Int32Array(256);
  #ids = new Int32Array(256);
  #ranks = new Int32Array(256);

  constructor(known: Vocabulary) {
    this.#known = known;
  }

  /** Whether a stretch of a text is one token. */
  isToken(text: string, from: number, to: number): boolean {
    if (to - from > LONGEST_TOKEN) return false;
    this.#encode(text, from, to);
    return this.#known.rankOf(this.#bytes, 0, this.#length) >= 0;
  }

  /** How many tokens a piece takes that is no token itself. */
  count(text: string): number {
    if (text.length > WINDOW) return this.cut(text, Infinity).tokens;
    this.#encode(text, 0, text.length);
    if (this.#length <= BLOCK) return this.#merge(0, this.#length);
    const all: Tokens = { starts: [], ids: [], widest: 0 };
    this.#extend(all, 0);
    return all.ids.length;
  }

  /** Takes a stretch of a text as UTF-8; a lone surrogate becomes the replacement character. */
  #encode(text: string, from: number, end: number): void {
    if (this.#bytes.length < (end - from) * 3) {
      this.#bytes = new Uint8Array((end - from) * 3);
      this.#units = new Int32Array((end - from) * 3 + 1);
    }
    const bytes = this.#bytes;
    let to = 0;
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at);
      this.#units[to] = at - from;
      if (code < 0x80) {
        bytes[to++] = code;
      } else if (code < 0x800) {
        bytes[to++] = 0xc0 | (code >> 6);
        bytes[to++] = 0x80 | (code & 63);
      } else if (code < 0xd800 || code >= 0xe000 || !isPair(text, at, end)) {
        const char = code < 0xd800 || code >= 0xe000 ? code : REPLACEMENT;
        bytes[to++] = 0xe0 | (char >> 12);
        bytes[to++] = 0x80 | ((char >> 6) & 63);
        bytes[to++] = 0x80 | (char & 63);
      } else {
        const point = text.codePointAt(at)!;
        at++;
        bytes[to++] = 0xf0 | (point >> 18);
        bytes[to++] = 0x80 | ((point >> 12) & 63);
        bytes[to++] = 0x80 | ((point >> 6) & 63);
        bytes[to++] = 0x80 | (point & 63);
      }
    }
    this.#units[to] = end - from;
    this.#length = to;
  }

  #beginsCharacter(at: number): boolean {
    return at === this.#length || (this.#bytes[at]! & 0xc0) !== 0x80;
  }

  /** The rank of two neighbours as one token. */
  #pair(left: number, right: number, from: number, to: number): number {
    if (to - from === 2) {
      const rank = this.#known.bytePairs[this.#bytes[from]! * 256 + this.#bytes[from + 1]!]!;
      return rank < 0 ? NONE : rank;
    }
    const slot = (Math.imul(left, 0x9e37_79b1) ^ Math.imul(right, 0x85eb_ca6b)) >>> 16;
    if (this.#memoLeft[slot] === left && this.#memoRight[slot] === right) return this.#memoRank[slot]!;
    const known = this.#known.rankOf(this.#bytes, from, to);
    const rank = known < 0 ? NONE : known;
    this.#memoLeft[slot] = left;
    this.#memoRight[slot] = right;
    this.#memoRank[slot] = rank;
    return rank;
  }

  /** Merges the bytes from `from` to `to`, lowest rank first, and leaves `count` tokens in the scratch arrays. */
  #merge(from: number, to: number): number {
    let count = to - from;
    if (this.#starts.length <= count) {
      this.#starts = new Int32Array(count * 2);
      this.#ids = new Int32Array(count * 2);
      this.#ranks = new Int32Array(count * 2);
    }
    const starts = this.#starts;
    const ids = this.#ids;
    const ranks = this.#ranks;
    for (let at = 0; at < count; at++) {
      starts[at] = from + at;
      ids[at] = this.#known.bytes[this.#bytes[from + at]!]!;
      ranks[at] = at + 1 < count ? this.#pair(0, 0, from + at, from + at + 2) : NONE;
    }
    starts[count] = to;
    for (;;) {
      let best = NONE;
      let where = -1;
      for (let at = 0; at < count - 1; at++) {
        if (ranks[at]! < best) {
          best = ranks[at]!;
          where = at;
        }
      }
      if (where < 0) return count;
      ids[where] = best;
      count--;
      if (count - where > FEW) {
        starts.copyWithin(where + 1, where + 2, count + 1);
        ids.copyWithin(where + 1, where + 2, count + 1);
        ranks.copyWithin(where + 1, where + 2, count + 1);
      } else {
        for (let at = where + 1; at < count; at++) {
          starts[at] = starts[at + 1]!;
          ids[at] = ids[at + 1]!;
          ranks[at] = ranks[at + 1]!;
        }
      }
      starts[count] = to;
      ranks[where] =
        where + 1 < count ? this.#pair(best, ids[where + 1]!, starts[where]!, starts[where + 2]!) : NONE;
      if (where > 0)
        ranks[where - 1] = this.#pair(ids[where - 1]!, best, starts[where - 1]!, starts[where + 1]!);
    }
  }

  /** Whether two tokens stay as they are when only they are merged: then they may stand beside each other. */
  #agree(left: number, right: number, from: number, middle: number, to: number): boolean {
    const slot = (Math.imul(left, 0x9e37_79b1) ^ Math.imul(right, 0x85eb_ca6b)) >>> 16;
    if (this.#seamLeft[slot] === left && this.#seamRight[slot] === right) return this.#seamAgrees[slot] === 1;
    const agrees = this.#merge(from, to) === 2 && this.#starts[1] === middle;
    this.#seamLeft[slot] = left;
    this.#seamRight[slot] = right;
    this.#seamAgrees[slot] = agrees ? 1 : 0;
    return agrees;
  }

  /**
   * A long piece, block by block. Tokens of which all neighbours agree are the encoding of the whole (the theorem behind
   * incremental byte-pair encoding), so only the seams are looked at again, as far as they reach.
   */
  #extend(all: Tokens, seam: number): void {
    for (let from = seam; from < this.#length; ) {
      let to = Math.min(from + Math.max(BLOCK, 2 * all.widest), this.#length);
      while (!this.#beginsCharacter(to)) to--;
      this.#join(all, from, to);
      from = to;
    }
  }

  /**
   * Where the first `cap` tokens of a piece end, or those of them that end with a character: the first tokens of an encoding
   * are the encoding of what they hold. A piece of any length in bounded memory: each window begins with the tokens that its
   * seams may reach back to.
   */
  cut(text: string, cap: number): TokenPrefix {
    const all: Tokens = { starts: [], ids: [], widest: 0 };
    let counted = 0;
    let begin = 0;
    let seam = 0;
    for (let end = 0; end < text.length; ) {
      end = Math.min(end + WINDOW, text.length);
      if (end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00) end++;
      this.#encode(text, begin, end);
      this.#extend(all, seam);
      const kept = this.#firstKept(all.starts);
      const final = end < text.length ? kept : all.ids.length;
      if (counted + final > cap) {
        const last = this.#lastWhole(all.starts, cap - counted);
        return { end: begin + this.#units[all.starts[last]!]!, tokens: counted + last };
      }
      const offset = all.starts[kept]!;
      counted += kept;
      begin += this.#units[offset]!;
      seam = this.#length - offset;
      all.starts.splice(0, all.starts.length, ...all.starts.slice(kept).map(start => start - offset));
      all.ids.splice(0, kept);
    }
    return { end: text.length, tokens: counted + all.ids.length };
  }

  /** The last of the first tokens that begins with a character; the first one does. */
  #lastWhole(starts: readonly number[], most: number): number {
    let last = most;
    while (!this.#beginsCharacter(starts[last]!)) last--;
    return last;
  }

  /** The last token before all that a seam at the end can reach, where a character begins; 0 when there is none. */
  #firstKept(starts: readonly number[]): number {
    let kept = starts.length - 1;
    while (kept > 0 && (starts[kept]! > this.#length - 2 * REACH || !this.#beginsCharacter(starts[kept]!)))
      kept--;
    return kept;
  }

  /** Appends the tokens of the bytes from `seam` to `to`, with those before the seam merged again where needed. */
  #join(all: Tokens, seam: number, to: number): void {
    let from = seam;
    let kept = all.ids.length;
    for (;;) {
      let count = this.#merge(from, to);
      if (kept > 0 && seam - from < REACH) {
        const first = this.#ids[0]!;
        const second = this.#starts[1]!;
        if (!this.#agree(all.ids[kept - 1]!, first, all.starts[kept - 1]!, from, second)) {
          kept = Math.max(0, kept - Math.max(1, all.ids.length - kept));
          from = all.starts[kept]!;
          continue;
        }
        // The question has used the scratch arrays, unless its answer was remembered.
        if (this.#starts[0] !== from || this.#starts[count] !== to) count = this.#merge(from, to);
      }
      all.starts.length = kept;
      all.ids.length = kept;
      for (let at = 0; at < count; at++) {
        all.starts.push(this.#starts[at]!);
        all.ids.push(this.#ids[at]!);
        all.widest = Math.max(all.widest, this.#starts[at + 1]! - this.#starts[at]!);
      }
      return;
    }
  }
}

let merger: Merger | undefined;
/** Counts of short pieces met before: names and inflected words come again and again. */
const remembered = new Map<string, number>();
const MOST_REMEMBERED = 30_000;
const SHORT = 40;

/** Where the first `cap` tokens of a piece end that is no token itself, at a character. */
export function pieceCut(piece: string, cap: number): TokenPrefix {
  merger ??= new Merger(vocabulary());
  return merger.cut(piece, cap);
}

/** How many tokens the piece takes that stands there in a text. */
export function pieceCount(text: string, from: number, to: number): number {
  merger ??= new Merger(vocabulary());
  if (merger.isToken(text, from, to)) return 1;
  const piece = text.slice(from, to);
  if (piece.length > SHORT) return merger.count(piece);
  const known = remembered.get(piece);
  if (known !== undefined) return known;
  const count = merger.count(piece);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  // A slice would keep the whole text it was cut from alive.
  remembered.set(Buffer.from(piece, "utf16le").toString("utf16le"), count);
  return count;
}
