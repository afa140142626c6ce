import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanBlocks } from "../../src/markdown/index.ts";
import { casesOf } from "../sample.ts";
import { DOCUMENT, TABLES } from "./documents.ts";
import { commonmarkStructure, gfmStructure, isSame, ourStructure } from "./reference.ts";

/** Both, where they differ; nothing where they are the same. */
function difference(source: string, reference: (source: string) => readonly string[]): unknown {
  const [ours, theirs] = [ourStructure(source), reference(source)];
  return isSame(ours, theirs) ? undefined : { ours, theirs };
}

/** What random documents seldom hold. */
const SMALL = [
  "-\n\n  text",
  "-\n  text\n\n  more",
  "- ```js\n  a\n  ```\n- b",
  "- ```js\na\n```\nb",
  "1. a\n   ```\n  b\n   ```",
  "> ```\n> a\nb\n```\nc",
  "````\n```\n````\na",
  "~~~\n```\n~~~\na",
  "    a\n\n    b\nc",
  "a\n    b\n2. c\n1. d",
  "-\ta\n\n\tb\n   c",
  "- a\n\n      b\n     c",
  "<!-- a\n\n- b\n--> c\nd",
  "- <!-- a\n- b\n-->",
  "<details>\n- a\n\n- b\n</details>\n\nc",
  "<pre>\n\n- a\n</pre>\nb",
  "[a]: b\n===\nc\n===",
  "[a]: <b>\n'c\nd'\n---",
  "# a #\n## b\\#\n### c###",
  "***\n- - -\n- * * *\na\n---",
] as const;

describe("block structure", () => {
  it.each(SMALL)(
    "[M9] is that of the reference implementation in %j, with any line ends and a mark in front",
    source => {
      expect(difference(source, commonmarkStructure)).toBeUndefined();
      const kinds = (text: string) => scanBlocks(text.split("\n")).map(({ kind, line }) => `${kind} ${line}`);
      expect(kinds(`\uFEFF${source}`)).toEqual(kinds(source));
      expect(kinds(source.replaceAll("\n", "\r\n"))).toEqual(kinds(source));
    },
  );

  it("[M9] is that of the reference implementation of CommonMark, on random documents", () => {
    fc.assert(
      fc.property(DOCUMENT, source => {
        expect(difference(source, commonmarkStructure)).toBeUndefined();
      }),
      { numRuns: casesOf(1250, 5_000) },
    );
  });

  it("[M9] is GFM's where there are tables, on random documents", () => {
    fc.assert(
      fc.property(TABLES, source => {
        expect(difference(source, gfmStructure)).toBeUndefined();
      }),
      { numRuns: casesOf(750, 3_000) },
    );
  });
});
