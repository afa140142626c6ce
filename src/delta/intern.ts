import type { Edit } from "./myers.ts";
import { diffSequences, trim } from "./patience.ts";

/** The difference of two lists of strings; equal strings are compared once, by number, and those at common ends not at all. */
export function diffStrings(old: readonly string[], next: readonly string[]): Edit[] {
  const { a: start, aEnd, bEnd } = trim(old, next, { a: 0, aEnd: old.length, b: 0, bEnd: next.length });
  const numbers = new Map<string, number>();
  const edits = diffSequences(numbered(old, start, aEnd, numbers), numbered(next, start, bEnd, numbers));
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
  for (const at of result.keys()) {
    const item = items[from + at]!;
    const number = numbers.get(item) ?? numbers.size;
    numbers.set(item, number);
    result[at] = number;
  }
  return result;
}
