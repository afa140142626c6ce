import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DOCUMENT, TABLES } from "./documents.ts";
import { commonmarkStructure, gfmStructure, isSame, ourStructure } from "./reference.ts";

/** Both, where they differ; nothing where they are the same. */
function difference(source: string, reference: (source: string) => readonly string[]): unknown {
  const [ours, theirs] = [ourStructure(source), reference(source)];
  return isSame(ours, theirs) ? undefined : { ours, theirs };
}

describe("block structure", () => {
  it("[M9] is that of the reference implementation of CommonMark, on random documents", () => {
    fc.assert(
      fc.property(DOCUMENT, source => {
        expect(difference(source, commonmarkStructure)).toBeUndefined();
      }),
      { numRuns: 5_000 },
    );
  });

  it("[M9] is GFM's where there are tables, on random documents", () => {
    fc.assert(
      fc.property(TABLES, source => {
        expect(difference(source, gfmStructure)).toBeUndefined();
      }),
      { numRuns: 3_000 },
    );
  });
});
