import type { ByteMask } from "../../ports/index.ts";

/** Keeps the last bytes of a stream of any length in fixed memory. */
export interface ByteTail {
  /** Copies what it keeps; the chunk may be reused. */
  push(chunk: Uint8Array): void;
  /** The kept bytes as text; bytes that are not UTF-8 become U+FFFD, a character cut at the front is left out. */
  text(): string;
  /** The same from its first whole line on: the rest of a line whose beginning is gone is left out. */
  wholeLines(): string;
  /** Bytes that were not kept, behind the mask, as the text was asked for last. */
  readonly left: number;
  /** Bytes seen in all, before they were masked. */
  readonly total: number;
}

/**
 * A tail of at most `capacity` bytes; nothing is allocated before the first byte. With a mask, what is kept is cut behind it:
 * to ask for the text is to end what was begun.
 */
export function createByteTail(capacity: number, mask?: ByteMask): ByteTail {
  // Twice the capacity: bytes move to the front only once per `capacity` bytes written.
  let store = new Uint8Array(0);
  let length = 0;
  let kept = 0;
  let total = 0;
  let left = 0;

  function reserve(extra: number): void {
    if (length + extra <= store.length) return;
    const last = store.subarray(Math.max(0, length - capacity), length);
    if (store.length >= 2 * capacity) {
      store.copyWithin(0, length - last.length, length);
    } else {
      const grown = new Uint8Array(Math.min(2 * capacity, Math.max(4096, 2 * (last.length + extra))));
      grown.set(last);
      store = grown;
    }
    length = last.length;
  }

  function keep(chunk: Uint8Array): void {
    kept += chunk.length;
    const part = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk;
    reserve(part.length);
    store.set(part, length);
    length += part.length;
  }

  function text(): string {
    if (mask !== undefined) keep(mask.end());
    let start = Math.max(0, length - capacity);
    if (kept > length - start) start = afterContinuation(store, start, length);
    left = kept - (length - start);
    return new TextDecoder().decode(store.subarray(start, length));
  }

  return {
    push(chunk) {
      total += chunk.length;
      keep(mask === undefined ? chunk : mask.push(chunk));
    },
    text,
    wholeLines() {
      const said = text();
      if (kept <= capacity) return said;
      const newline = said.indexOf("\n");
      return newline < 0 ? "" : said.slice(newline + 1);
    },
    get left() {
      return left;
    },
    get total() {
      return total;
    },
  };
}

/** Skips at most three UTF-8 continuation bytes: the rest of a character whose first byte is gone. */
export function afterContinuation(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && at < start + 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
  return at;
}

/** The last line of a text that holds more than spaces, without its end. */
export function lastLine(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.slice(trimmed.lastIndexOf("\n") + 1);
}
