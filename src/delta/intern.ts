import type { Edit } from "./myers.ts";
import { diffSequences } from "./patience.ts";

/** The difference of two lists of strings; equal strings are compared once, by number. */
export function diffStrings(old: readonly string[], next: readonly string[]): Edit[] {
  let start = 0;
  const shorter = Math.min(old.length, next.length);
  while (start < shorter && old[start] === next[start]) start++;
  let tail = 0;
  while (tail < shorter - start && old[old.length - 1 - tail] === next[next.length - 1 - tail]) tail++;
  const numbers = new Map<string, number>();
  const edits = diffSequences(
    numbered(old, start, old.length - tail, numbers),
    numbered(next, start, next.length - tail, numbers),
  );
  if (start === 0) return edits;
  return edits.map(({ a, aEnd, b, bEnd }) => ({
    a: a + start,
    aEnd: aEnd + start,
    b: b + start,
    bEnd: bEnd + start,
  }));
}

function numbered(
  items: readonly string[],
  from: number,
  to: number,
  numbers: Map<string, number>,
): Uint32Array {
  const result = new Uint32Array(to - from);
  for (let at = from; at < to; at++) {
    const item = items[at]!;
    let number = numbers.get(item);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(item, number);
    }
    result[at - from] = number;
  }
  return result;
}
