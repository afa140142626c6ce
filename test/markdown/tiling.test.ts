import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanBlocks, scanMarkdown, walkLines } from "../../src/markdown/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { sampleOf } from "../sample.ts";

const LINE = fc.oneof(
  fc.constantFrom(
    "",
    "# A",
    "## A",
    "###### deep ##",
    "#no",
    "text",
    "- item",
    "  - nested",
    "- [ ] box",
    "1. one",
    "| a | b |",
    "| - | - |",
    "```",
    "````",
    "```ts",
    "~~~",
    "---",
    "===",
    "***",
    "...",
    "key: value",
    "**Goal:** x",
    "> quote",
    "\uFEFF---",
    "\r",
    "# A\r",
    "a\u0000b",
    "\t- tab",
    "    indented",
    "-",
    "[x]: y",
    "한국어: 값",
    "🙂 # no",
  ),
  fc.string({ maxLength: 20 }),
);
const DOCUMENT = fc
  .tuple(fc.array(LINE, { maxLength: 40 }), fc.constantFrom("\n", "\r\n"))
  .map(([lines, end]) => lines.join(end));

describe("tiling", () => {
  it("[M1] gives every byte to exactly one item", () => {
    fc.assert(
      fc.property(fc.oneof(DOCUMENT, fc.string({ unit: "binary" })), source => {
        expect(
          scanMarkdown(source)
            .items.map(item => item.text)
            .join(""),
        ).toBe(source);
      }),
      { numRuns: 2_000 },
    );
  });

  it("[M2] tiles the lines with sections, and items stay within theirs", () => {
    fc.assert(
      fc.property(DOCUMENT, source => {
        const { sections, items } = scanMarkdown(source);
        let line = 0;
        for (const section of sections) {
          expect(section.line).toBe(line);
          expect(section.bodyLine).toBeGreaterThanOrEqual(section.line);
          expect(section.endLine).toBeGreaterThanOrEqual(section.bodyLine);
          expect(section.treeEnd).toBeGreaterThanOrEqual(section.endLine);
          line = section.endLine;
        }
        expect(line).toBe(source.split("\n").length);
        for (const item of items) {
          const section = sections[item.section]!;
          expect(item.line).toBeGreaterThanOrEqual(section.line);
          expect(item.line).toBeLessThan(section.endLine);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("[M2] has one section even for nothing", () => {
    const { sections, items } = scanMarkdown("");
    expect(sections).toHaveLength(1);
    expect(sections[0]).toMatchObject({ level: 0, title: "", line: 0, endLine: 1 });
    expect(items.map(item => item.kind)).toEqual(["blank"]);
  });

  it("[M1] blocks tile the lines without gaps", () => {
    fc.assert(
      fc.property(DOCUMENT, source => {
        const lines = source.split("\n");
        let at = 0;
        for (const block of scanBlocks(lines)) {
          expect(block.line).toBe(at);
          expect(block.endLine).toBeGreaterThan(at);
          at = block.endLine;
        }
        expect(at).toBe(lines.length);
      }),
    );
  });

  it.each(
    sampleOf(["a", " ", "#", "-", "- ", "`", "|", "a\n", "```\n", "# a\n", " - a\n", "a: "], 0, 3, 6, 9, 10),
  )("[M8] takes %j without end, in one line or in a million, in linear time", unit => {
    const sourceOf = (size: number) => unit.repeat(size / unit.length);
    const source = sourceOf(1_000_000);
    expect(scanMarkdown(source).items.reduce((sum, item) => sum + item.text.length, 0)).toBe(source.length);
    expect(growth(100_000, sourceOf, scanMarkdown)).toBeLessThan(LINEAR);
  });

  it.each([
    ["- ", "("],
    ["* ", "*"],
    ["> ", "a\n"],
    ["1. ", "\n"],
  ])("[M11] takes marks of %j without end, and %j behind them, in linear time", (mark, unit) => {
    const sourceOf = (size: number) =>
      mark.repeat(size / 2 / mark.length) + unit.repeat(size / 2 / unit.length);
    expect(growth(3_000, sourceOf, scanMarkdown)).toBeLessThan(LINEAR);
  });

  it("[M11] takes the marks that stand deeper than a hundred others for text", () => {
    for (const [marks, open] of [
      [100, 100],
      [130, 100],
      [99, 99],
    ] as const) {
      const text = `${"- ".repeat(marks)}end`;
      const walk = walkLines(text);
      walk.take(0, text.length, undefined);
      expect([walk.line.kind, walk.line.items]).toEqual(["paragraph", open]);
      expect(text.slice(walk.line.body)).toBe(`${"- ".repeat(marks - open)}end`);
    }
  });
});
