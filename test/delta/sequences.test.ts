import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffStrings } from "../../src/delta/intern.ts";
import { type Edit, myers } from "../../src/delta/myers.ts";
import { diffSequences } from "../../src/delta/patience.ts";

const NUMBERS = fc.array(fc.nat(4), { maxLength: 40 });

/** Length of the longest common subsequence, the slow and certain way. */
function common(a: readonly number[], b: readonly number[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0);
  for (const item of a) {
    const next = [0];
    for (const [at, other] of b.entries()) {
      next.push(item === other ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    }
    row = next;
  }
  return row[b.length]!;
}

function carriedOut<T>(old: readonly T[], next: readonly T[], edits: readonly Edit[]): T[] {
  const result: T[] = [];
  let at = 0;
  for (const { a, aEnd, b, bEnd } of edits) {
    result.push(...old.slice(at, a), ...next.slice(b, bEnd));
    at = aEnd;
  }
  return [...result, ...old.slice(at)];
}

describe("sequences", () => {
  it("[D1] edits turn one sequence into the other", () => {
    fc.assert(
      fc.property(NUMBERS, NUMBERS, (old, next) => {
        const edits = diffSequences(Uint32Array.from(old), Uint32Array.from(next));
        expect(carriedOut(old, next, edits)).toEqual(next);
      }),
      { numRuns: 3_000 },
    );
  });

  it("[D6] edits stand in order and leave something between them", () => {
    fc.assert(
      fc.property(NUMBERS, NUMBERS, (old, next) => {
        let last = { aEnd: -1, bEnd: -1 };
        for (const edit of diffSequences(Uint32Array.from(old), Uint32Array.from(next))) {
          expect(edit.a).toBeGreaterThan(last.aEnd);
          expect(edit.b).toBeGreaterThan(last.bEnd);
          expect(edit.a - last.aEnd).toBe(edit.b - last.bEnd);
          expect(edit.aEnd + edit.bEnd).toBeGreaterThan(edit.a + edit.b);
          last = edit;
        }
      }),
    );
  });

  it("[D1] Myers' search matches as much as can be matched", () => {
    fc.assert(
      fc.property(NUMBERS, NUMBERS, (old, next) => {
        const pairs: [number, number][] = [];
        const range = { a: 0, aEnd: old.length, b: 0, bEnd: next.length };
        myers(Uint32Array.from(old), Uint32Array.from(next), range, (a, b) => pairs.push([a, b]));
        expect(pairs).toHaveLength(common(old, next));
        for (const [a, b] of pairs) expect(old[a]).toBe(next[b]);
        for (let at = 1; at < pairs.length; at++) {
          expect(pairs[at]![0]).toBeGreaterThan(pairs[at - 1]![0]);
          expect(pairs[at]![1]).toBeGreaterThan(pairs[at - 1]![1]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("[D1] keeps nearly as much as can be kept", () => {
    let kept = 0;
    let possible = 0;
    fc.assert(
      fc.property(NUMBERS, NUMBERS, (old, next) => {
        const edits = diffSequences(Uint32Array.from(old), Uint32Array.from(next));
        kept += old.length - edits.reduce((sum, edit) => sum + edit.aEnd - edit.a, 0);
        possible += common(old, next);
      }),
      { numRuns: 500, seed: 7 },
    );
    expect(kept).toBeLessThanOrEqual(possible);
    expect(kept / possible).toBeGreaterThan(0.99);
  });

  it("[D1] commits to the best path where differences abound, and is still exact", () => {
    const old = Uint32Array.from({ length: 3_000 }, (_, at) => (at * 7919) % 13);
    const next = Uint32Array.from({ length: 3_000 }, (_, at) => (at * 104_729) % 17);
    const edits = diffSequences(old, next);
    expect(carriedOut([...old], [...next], edits)).toEqual([...next]);
  });

  it("[D1] anchors on what is unique", () => {
    const old = ["}", "", "f1", "}", "", "f2", "}", ""];
    const next = ["}", "", "f1", "}", "", "new", "}", "", "f2", "}", ""];
    expect(diffStrings(old, next)).toHaveLength(1);
    const [edit] = diffStrings(old, next);
    expect(edit!.aEnd - edit!.a).toBe(0);
    expect(edit!.bEnd - edit!.b).toBe(3);
  });

  it("[D1] diffs strings as it diffs numbers", () => {
    fc.assert(
      fc.property(NUMBERS, NUMBERS, (old, next) => {
        const [a, b] = [old.map(String), next.map(String)];
        expect(carriedOut(a, b, diffStrings(a, b))).toEqual(b);
      }),
    );
    expect(diffStrings([], [])).toEqual([]);
    expect(diffStrings(["a"], ["a"])).toEqual([]);
    expect(diffStrings([], ["a"])).toEqual([{ a: 0, aEnd: 0, b: 0, bEnd: 1 }]);
  });
});
