import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffStrings } from "../../src/delta/intern.ts";
import { linesBetween, numberLines } from "../../src/delta/line-table.ts";
import { type Edit, myers } from "../../src/delta/myers.ts";
import { diffSequences } from "../../src/delta/patience.ts";
import { growth, LINEAR } from "../growth.ts";

const letters = (text: string): Uint32Array => Uint32Array.from(text, letter => letter.charCodeAt(0));
const sequence = fc
  .array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 })
  .map(items => Uint32Array.from(items));

/** The length of the longest common subsequence, by the plain table. */
function commonLength(old: Uint32Array, next: Uint32Array): number {
  let row = Array.from<number>({ length: next.length + 1 }).fill(0);
  for (const item of old) {
    const above = row;
    row = [0];
    for (let at = 0; at < next.length; at++)
      row.push(item === next[at] ? above[at]! + 1 : Math.max(row[at]!, above[at + 1]!));
  }
  return row.at(-1)!;
}

/** The new sequence, put together from the old one and the edits. */
function rebuilt(old: Uint32Array, next: Uint32Array, edits: readonly Edit[]): number[] {
  const result: number[] = [];
  let at = 0;
  for (const { a, aEnd, b, bEnd } of edits) {
    result.push(...old.slice(at, a), ...next.slice(b, bEnd));
    at = aEnd;
  }
  return [...result, ...old.slice(at)];
}

function matchesOf(old: Uint32Array, next: Uint32Array): [number, number][] {
  const pairs: [number, number][] = [];
  myers(old, next, { a: 0, aEnd: old.length, b: 0, bEnd: next.length }, (a, b) => pairs.push([a, b]));
  return pairs;
}

describe("differences of sequences", () => {
  it("[D1] edits lead from the old to the new one, in order, and neither overlap nor touch", () => {
    fc.assert(
      fc.property(sequence, sequence, (old, next) => {
        const edits = diffSequences(old, next);
        expect(rebuilt(old, next, edits)).toEqual([...next]);
        for (const [at, { a, aEnd, b, bEnd }] of edits.entries()) {
          expect(aEnd > a || bEnd > b).toBe(true);
          const before = edits[at - 1];
          expect(before === undefined || (a > before.aEnd && b > before.bEnd)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("[D1] Myers matches as many as there are in common, where few differ", () => {
    fc.assert(
      fc.property(sequence, sequence, (old, next) => {
        const pairs = matchesOf(old, next);
        for (const [at, [a, b]] of pairs.entries()) {
          expect(old[a]).toBe(next[b]);
          const before = pairs[at - 1];
          expect(before === undefined || (a > before[0] && b > before[1])).toBe(true);
        }
        expect(pairs).toHaveLength(commonLength(old, next));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "", 1],
    ["", "abc", 1],
    ["abcabba", "cbabac", 4],
    ["xaxbxc", "abc", 3],
    ["aaaa", "aa", 1],
    ["abcdef", "abXdef", 1],
  ])("[D1] %j to %j takes at most %i edits", (old, next, most) => {
    const edits = diffSequences(letters(old), letters(next));
    expect(edits.length).toBeLessThanOrEqual(most);
    expect(String.fromCharCode(...rebuilt(letters(old), letters(next), edits))).toBe(next);
  });

  it("[D1] what stands once on both sides anchors the rest: a moved block does not tear what stays", () => {
    const block = Array.from({ length: 40 }, (_, at) => 1000 + at);
    const rest = Array.from({ length: 80 }, (_, at) => at);
    const old = Uint32Array.from([...block.slice(0, 5), ...rest]);
    const next = Uint32Array.from([...rest, ...block.slice(0, 5)]);
    const edits = diffSequences(old, next);
    expect(edits).toEqual([
      { a: 0, aEnd: 5, b: 0, bEnd: 0 },
      { a: 85, aEnd: 85, b: 80, bEnd: 85 },
    ]);
  });

  it("[D7] sequences that have nothing or everything in common take linear time", () => {
    const long = (size: number, numberAt: (at: number) => number): Uint32Array =>
      Uint32Array.from({ length: size }, (_, at) => numberAt(at));
    const pairs: Record<string, (size: number) => [Uint32Array, Uint32Array]> = {
      nothing: size => [long(size, at => 2 * at), long(size, at => 2 * at + 1)],
      reversed: size => [long(size, at => at), long(size, at => size - at)],
      "two numbers": size => [long(size, () => 7), long(size, () => 8)],
      rhythms: size => [long(size, at => at % 2), long(size, at => at % 3)],
    };
    for (const pairOf of Object.values(pairs))
      expect(growth(10_000, pairOf, pair => diffSequences(...pair))).toBeLessThan(LINEAR);
  });

  it("[D1] lists of strings are compared as their numbers are", () => {
    fc.assert(
      fc.property(sequence, sequence, (old, next) => {
        const words = (items: Uint32Array): string[] => [...items].map(item => `word ${item}`);
        const edits = diffStrings(words(old), words(next));
        expect(rebuilt(old, next, edits)).toEqual([...next]);
      }),
    );
    expect(diffStrings(["__proto__", "constructor"], ["constructor", "__proto__"])).toHaveLength(2);
  });
});

describe("lines without a string for each", () => {
  it("[D1] equal lines have equal numbers, in both documents, and come back as they were", () => {
    const line = fc.oneof(
      fc.constantFrom("", "a", "b", "\r", "\0", "한국어", "😀"),
      fc.string({ maxLength: 4 }),
    );
    const text = fc.array(line, { maxLength: 30 }).map(lines => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (old, next) => {
        const numbered = numberLines(old, next);
        expect(numbered).toBeDefined();
        const all = [...old.split("\n"), ...next.split("\n")];
        const numbers = [...numbered!.old.numbers, ...numbered!.next.numbers];
        expect(numbers).toHaveLength(all.length);
        const byNumber = new Map(numbers.map((number, at) => [number, all[at]]));
        expect(new Set(byNumber.values()).size).toBe(byNumber.size);
        for (const [at, number] of numbers.entries()) expect(byNumber.get(number)).toBe(all[at]);
        expect(linesBetween(numbered!.old, 0, numbered!.old.numbers.length)).toEqual(old.split("\n"));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ["", ""],
    ["\n", ""],
    ["a", "a\n"],
    ["\n\n\n", "\n"],
    ["a\r\n", "a\n"],
  ])("[D1] %j and %j are cut where they break", (old, next) => {
    const numbered = numberLines(old, next)!;
    expect(linesBetween(numbered.old, 0, numbered.old.numbers.length).join("\n")).toBe(old);
    expect(linesBetween(numbered.next, 0, numbered.next.numbers.length).join("\n")).toBe(next);
  });
});
