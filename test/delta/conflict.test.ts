import { describe, expect, it } from "vitest";
import { apply, type Delta, diff, shortHash, squash } from "../../src/delta/index.ts";

const OLD = "one\ntwo\nthree\n";
const NEXT = "one\n2\nthree\nfour\n";
const DELTA = diff(OLD, NEXT);

function conflictOf(delta: Delta, text: string): unknown {
  const result = apply(delta, text);
  return result.ok ? "applied" : result.failure;
}

describe("conflicts", () => {
  it("[D5] refuses any other document and names both", () => {
    expect(conflictOf(DELTA, `${OLD} `)).toMatchObject({
      kind: "base",
      expected: shortHash(OLD),
      found: shortHash(`${OLD} `),
    });
    expect(conflictOf(DELTA, NEXT)).toMatchObject({ kind: "base" });
  });

  it("[D5] refuses hunks that contradict the base they name", () => {
    const [first] = DELTA.hunks;
    const forged = { ...DELTA, hunks: [{ ...first!, removed: ["zwei"] }] };
    expect(conflictOf(forged, OLD)).toMatchObject({ kind: "lines", expected: "zwei", found: "two" });
  });

  it("[D5] refuses hunks outside of the document, out of order or overlapping", () => {
    const hunk = (at: number, removed: string[], added: string[]): Delta["hunks"][number] => ({
      at,
      removed,
      added,
      category: "value",
    });
    const wrong = [
      [hunk(9, [], ["x"])],
      [hunk(-1, [], ["x"])],
      [hunk(0.5, [], ["x"])],
      [hunk(3, ["", "x"], [])],
      [hunk(1, ["two"], []), hunk(0, ["one"], [])],
      [hunk(0, ["one", "two"], []), hunk(1, ["two"], [])],
    ];
    for (const hunks of wrong) expect(conflictOf({ ...DELTA, hunks }, OLD)).toMatchObject({ kind: "lines" });
  });

  it("[D5] says where hunks lie outside, counted from 1, and which lines are free for them", () => {
    const hunk = (at: number, removed: string[]): Delta["hunks"][number] => ({
      at,
      removed,
      added: [],
      category: "value",
    });
    const lies = (...hunks: Delta["hunks"]): unknown => conflictOf({ ...DELTA, hunks }, OLD);
    expect(lies(hunk(4, ["x"]))).toEqual({
      kind: "lines",
      expected: "1–4",
      found: "5",
      message: "An operation lies at line 5, outside of lines 1–4",
    });
    expect(lies(hunk(0, ["one", "two"]), hunk(1, ["two"]))).toEqual({
      kind: "lines",
      expected: "3–4",
      found: "2",
      message: "An operation lies at line 2, outside of lines 3–4",
    });
    expect(lies(hunk(1, ["two", "drei"]))).toEqual({
      kind: "lines",
      expected: "drei",
      found: "three",
      message: "Line 3 is not what the delta removes there",
    });
    // At the very end, and right behind one another, nothing is outside.
    expect(lies(hunk(0, ["one"]), hunk(1, ["two"]), hunk(3, [""]), hunk(4, []))).toMatchObject({
      kind: "result",
      found: shortHash("three"),
    });
  });

  it("[D5] tells people what belongs to what", () => {
    const [old, next] = [shortHash(OLD), shortHash(NEXT)];
    expect(conflictOf(DELTA, NEXT)).toMatchObject({
      message: `The delta belongs to ${old}, this document is ${next}`,
    });
    expect(conflictOf({ ...DELTA, result: old }, OLD)).toMatchObject({
      message: `The delta leads to ${next}, not to the ${old} it names`,
    });
    const twice = squash(DELTA, DELTA);
    expect(twice.ok ? "" : twice.failure.message).toBe(
      `The second delta begins at ${old}, the first ends at ${next}`,
    );
  });

  it("[D3] deltas that lead back to where they began are squashed to nothing, however they got there", () => {
    const hunk = (at: number, removed: string[], added: string[]): Delta["hunks"][number] => ({
      at,
      removed,
      added,
      category: "value",
    });
    const [two, three] = [shortHash("x\nx"), shortHash("x\nx\nx")];
    const grown: Delta = { base: two, result: three, hunks: [hunk(0, [], ["x"])] };
    const cut: Delta = { base: three, result: two, hunks: [hunk(2, ["x"], [])] };
    expect(squash(grown, cut)).toEqual({ ok: true, value: { base: two, result: two, hunks: [] } });
  });

  it("[D5] refuses a delta that misses the result it names", () => {
    const forged = { ...DELTA, result: "0".repeat(12) };
    expect(conflictOf(forged, OLD)).toMatchObject({
      kind: "result",
      expected: "0".repeat(12),
      found: shortHash(NEXT),
    });
    expect(conflictOf({ ...DELTA, hunks: [] }, OLD)).toMatchObject({ kind: "result" });
  });

  it("[D5] squashes only what follows one another", () => {
    const result = squash(DELTA, DELTA);
    expect(result.ok ? "squashed" : result.failure).toMatchObject({
      kind: "chain",
      expected: shortHash(NEXT),
      found: shortHash(OLD),
    });
  });
});
