import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, type Delta, diff, invert, isEmpty, shortHash, squash, stats } from "../../src/delta/index.ts";
import { casesOf } from "../sample.ts";
import { DOCUMENT, PAIR } from "./documents.ts";

const FEW = fc
  .array(fc.constantFrom("a", "b", "c", "", "\r", "# a"), { maxLength: 14 })
  .map(lines => lines.join("\n"));
const ANY = fc.oneof(FEW, DOCUMENT);

function applied(delta: Delta, old: string): string {
  const result = apply(delta, old);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

function squashed(first: Delta, second: Delta): Delta {
  const result = squash(first, second);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

describe("the laws", () => {
  it("[D1] apply undoes diff, byte for byte", () => {
    fc.assert(
      fc.property(fc.oneof(PAIR, fc.tuple(FEW, FEW)), ([old, next]) => {
        expect(applied(diff(old, next), old)).toBe(next);
      }),
      { numRuns: casesOf(750, 3_000) },
    );
  });

  it("[D2] invert undoes, and undoes itself", () => {
    fc.assert(
      fc.property(ANY, ANY, (old, next) => {
        const delta = diff(old, next);
        expect(applied(invert(delta), next)).toBe(old);
        expect(invert(invert(delta))).toEqual(delta);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[D3] squash has the effect of both and names the right documents", () => {
    fc.assert(
      fc.property(ANY, ANY, ANY, (a, b, c) => {
        const both = squashed(diff(a, b), diff(b, c));
        expect(applied(both, a)).toBe(c);
        expect(both.base).toBe(shortHash(a));
        expect(both.result).toBe(shortHash(c));
        expect(applied(invert(both), c)).toBe(a);
      }),
      { numRuns: casesOf(750, 3_000) },
    );
  });

  it("[D3] squash is associative in effect, and a delta with its inverse is empty", () => {
    fc.assert(
      fc.property(FEW, FEW, FEW, FEW, (a, b, c, d) => {
        const [ab, bc, cd] = [diff(a, b), diff(b, c), diff(c, d)];
        expect(applied(squashed(squashed(ab, bc), cd), a)).toBe(applied(squashed(ab, squashed(bc, cd)), a));
        expect(isEmpty(squashed(ab, invert(ab)))).toBe(true);
        expect(isEmpty(squashed(invert(ab), ab))).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it("[D4] nothing changes nothing", () => {
    fc.assert(
      fc.property(DOCUMENT, text => {
        const none = diff(text, text);
        expect(isEmpty(none)).toBe(true);
        expect(applied(none, text)).toBe(text);
        expect(none.base).toBe(none.result);
      }),
    );
    expect(isEmpty(diff("a", "b"))).toBe(false);
  });

  it("[D6] hunks stand in order, apart from each other, and only hold differences", () => {
    fc.assert(
      fc.property(ANY, ANY, ANY, (a, b, c) => {
        for (const delta of [diff(a, b), squashed(diff(a, b), diff(b, c))]) {
          let end = -1;
          for (const { at, removed, added } of delta.hunks) {
            expect(at).toBeGreaterThan(end);
            expect(removed.length + added.length).toBeGreaterThan(0);
            end = at + removed.length;
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("[D1] takes what files are like: no final newline, CRLF, BOM, NUL, emoji, a megabyte in a line", () => {
    const long = "x".repeat(1_000_000);
    const pairs = [
      ["a", "a\n"],
      ["", "a"],
      ["a\r\nb\r\n", "a\nb\n"],
      ["\uFEFFa", "a"],
      ["a\u0000b", "a\u0000c"],
      ["👩‍👩‍👧", "👩‍👧"],
      [`${long}a\n`, `${long}b\n`],
    ] as const;
    for (const [old, next] of pairs) {
      expect(applied(diff(old, next), old)).toBe(next);
      expect(applied(diff(next, old), next)).toBe(old);
    }
  });

  it("[D8] counts what a delta holds", () => {
    const delta = diff("# A\n- [ ] t\nx\nv 1\ny\nsee a/b.ts", "# B\n- [ ] t\nx\nv 2\ny\nsee a/c.ts");
    expect(stats(delta)).toEqual({
      hunks: 3,
      addedLines: 3,
      removedLines: 3,
      categories: { structural: 1, value: 1, artifact: 1, progress: 0 },
    });
    expect(stats(diff("a", "a"))).toMatchObject({ hunks: 0, addedLines: 0 });
  });
});
