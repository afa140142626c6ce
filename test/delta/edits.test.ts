import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, decode, diff, encode, invert, shortHash } from "../../src/delta/index.ts";
import { applyEdits, type Edits, hunksOf } from "../../src/delta/message/edits.ts";
import { viewOf } from "../../src/delta/message/view.ts";
import { countChars, PAIR } from "./documents.ts";

const TEXT = "zero\none\ntwo\nthree\nfour";
const edits = (lines: Edits["lines"], spans: Edits["spans"] = []): Edits => ({ lines, spans });

/** The hunks of edits as they stand, without their categories. */
function bare(all: Edits): [number, readonly string[], readonly string[]][] {
  return hunksOf(viewOf(TEXT), all).map(({ at, removed, added }) => [at, removed, added]);
}

describe("the difference that edits make", () => {
  it("[U10] is told hunk by hunk, in order", () => {
    const all = edits([{ from: 3, to: 4, lines: [] }], [{ line: 1, from: 0, to: 1, text: "O" }]);
    expect(bare(all)).toEqual([
      [1, ["one"], ["One"]],
      [3, ["three"], []],
    ]);
  });

  it("[U10] is where the message puts it, among lines that are all alike", () => {
    const message = "[CONTEXT-UPDATE] GC-v1 → GC-v2\n\n## Delta\n- ADDED before L1: x";
    const read = decode(message, "x\nx\n");
    expect(read.ok && read.value.delta).toEqual({
      base: shortHash("x\nx\n"),
      result: shortHash("x\nx\nx\n"),
      hunks: [{ at: 0, removed: [], added: ["x"], category: "value" }],
    });
  });

  it("[D6] of edits that touch is one", () => {
    const all = edits([
      { from: 1, to: 2, lines: ["a"] },
      { from: 2, to: 2, lines: ["b"] },
      { from: 2, to: 3, lines: ["c"] },
    ]);
    expect(bare(all)).toEqual([[1, ["one", "two"], ["a", "b", "c"]]]);
  });

  it("[D6] leaves out lines that are written again as they were", () => {
    expect(bare(edits([{ from: 0, to: 4, lines: ["zero", "uno", "two", "three"] }]))).toEqual([
      [1, ["one"], ["uno"]],
    ]);
    expect(bare(edits([{ from: 1, to: 2, lines: ["one"] }]))).toEqual([]);
  });

  it("[D1] is exact for any edits", () => {
    const edit = fc
      .tuple(fc.nat(5), fc.nat(2), fc.array(fc.constantFrom("zero", "one", "x", ""), { maxLength: 3 }))
      .map(([from, count, lines]) => ({ from, to: Math.min(5, from + count), lines }));
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 4 }), lines => {
        const view = viewOf(TEXT);
        const done = applyEdits(view, edits(lines));
        if ("claimedTwice" in done) return;
        const next = done.join("\n");
        const hunks = hunksOf(view, edits(lines));
        const applied = apply({ base: shortHash(TEXT), result: shortHash(next), hunks }, TEXT);
        expect(applied).toEqual({ ok: true, value: next });
        for (const [at, { at: start }] of hunks.slice(1).entries())
          expect(start).toBeGreaterThan(hunks[at]!.at + hunks[at]!.removed.length);
      }),
    );
  });

  it("[D2] of a message leads there and back, for any two documents", () => {
    fc.assert(
      fc.property(PAIR, ([old, next]) => {
        const made = encode(diff(old, next), old, next, {
          label: "GC",
          from: 3,
          to: 4,
          countTokens: countChars,
        });
        if (!made.ok) throw new Error(made.failure.message);
        const read = decode(made.value.text, old);
        if (!read.ok) throw new Error(read.failure.message);
        const delta = read.value.delta!;
        expect([delta.base, delta.result]).toEqual([shortHash(old), shortHash(next)]);
        expect(apply(delta, old)).toEqual({ ok: true, value: next });
        expect(apply(invert(delta), next)).toEqual({ ok: true, value: old });
      }),
    );
  });
});
