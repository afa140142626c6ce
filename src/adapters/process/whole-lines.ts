/** Bytes of a line that are waited for: what is longer passes in pieces. */
const LONGEST = 4096;
const NEWLINE = 10;

/** One stream of a program, as far as its lines have ended. */
export interface WholeLines {
  push(bytes: Uint8Array): void;
  /** What no line has ended of; nothing is held back any more. */
  rest(): Uint8Array;
}

/** Passes on the bytes of one stream in whole lines, so that those of another never stand within one. */
export function wholeLines(pass: (bytes: Uint8Array) => void): WholeLines {
  let rest = new Uint8Array();
  return {
    push(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const end = all.lastIndexOf(NEWLINE) + 1;
      const whole = all.length - end > LONGEST ? all : all.subarray(0, end);
      if (whole.length > 0) pass(whole);
      // A copy: the chunk is its owner's again once this returns.
      rest = Uint8Array.from(all.subarray(whole.length));
    },
    rest() {
      const left = rest;
      rest = new Uint8Array();
      return left;
    },
  };
}

/** What no line has ended of two streams, a line for each. */
export function restOf(one: WholeLines, other: WholeLines): Uint8Array {
  const [first, second] = [one.rest(), other.rest()];
  if (first.length === 0 || second.length === 0) return first.length === 0 ? second : first;
  return Buffer.concat([first, Uint8Array.of(NEWLINE), second]);
}
