import fc from "fast-check";

/** Lines that are hard on a codec: its own marks, duplicates, every kind of block, invisible characters. */
const HARD: readonly string[] = [
  "",
  "",
  "# A",
  "## B",
  "## B",
  "### C: d → e",
  '## "q"',
  "## x after y",
  "## ^",
  "## B from L3",
  "text",
  "===",
  "- item: value",
  "- item: value 2",
  "- [ ] task one",
  "- [x] task two",
  "| a | b |",
  "| - | - |",
  "1. one",
  "2. one",
  "```",
  "~~~",
  "---",
  "key: v1 → v2",
  "  - nested: x",
  "- CHANGED §B: a → b",
  "## Impact Assessment",
  "## Delta",
  "## Full",
  "\\",
  '\\"x',
  "\\- ADDED",
  "a … b",
  "a | b",
  "L3",
  '"quoted" → "x"',
  "§B: x",
  "emoji 👍🏽 e\u0301 x",
  "한국어: 진행중",
  "日本語 テスト",
  "foo\u0000bar",
  "\uFEFFbom",
  "foo\rbar",
  "x  ",
  "\ttab",
  "(3 lines)",
  "foo (3 lines)",
  "a\u2028b",
  "- MOVED",
  "**bold:** x",
  "> quote: a",
  "👩‍👩‍👧 family",
  "[CONTEXT-UPDATE] GC-v1 → GC-v2",
];

const WORDS = fc
  .array(
    fc.constantFrom("foo", "bar", "2", "3", ": ", " → ", "…", " | ", "baz", '"', "(", ")", ", ", "-", "D-5"),
    {
      maxLength: 9,
    },
  )
  .map(words => words.join(""));

const LINE: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...HARD) },
  { weight: 2, arbitrary: WORDS },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }).map(text => text.replaceAll("\n", " ")) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", maxLength: 12 })
      .filter(text => text.isWellFormed())
      .map(text => text.replaceAll("\n", " ")),
  },
);

const LINE_END = fc.constantFrom("\n", "\n", "\n", "\r\n");

/** Any document, small and hard. */
export const DOCUMENT: fc.Arbitrary<string> = fc
  .tuple(fc.array(LINE, { maxLength: 25 }), LINE_END)
  .map(([lines, end]) => lines.join(end));

/** A document and an edited version of it, line ends now and then converted. */
const EDITED: fc.Arbitrary<[string, string]> = fc
  .tuple(
    fc.array(LINE, { maxLength: 30 }),
    fc.array(fc.tuple(fc.nat(30), fc.nat(3), fc.array(LINE, { maxLength: 3 })), { maxLength: 5 }),
    LINE_END,
    LINE_END,
    fc.boolean(),
  )
  .map(([lines, edits, end, other, same]) => {
    const next = [...lines];
    for (const [at, count, added] of edits) next.splice(at, count, ...added);
    return [lines.join(end), next.join(same ? end : other)];
  });

/** Two documents, related or not. */
export const PAIR: fc.Arbitrary<[string, string]> = fc.oneof(
  { weight: 3, arbitrary: EDITED },
  { weight: 1, arbitrary: fc.tuple(DOCUMENT, DOCUMENT) },
);

/** A cheap stand-in for a tokenizer. */
export function countChars(text: string): number {
  return Math.ceil(text.length / 3);
}
