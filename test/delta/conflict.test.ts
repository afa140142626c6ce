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
