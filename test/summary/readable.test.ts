import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readSource, summarize } from "../../src/summary/index.ts";
import { MOST_CHARACTERS } from "../../src/summary/limits.ts";
import { readable } from "../../src/summary/readable.ts";
import { sampleOf } from "../sample.ts";

const GAP = /\n\n# \((?:여기서 )?([\d,]+)(?: characters are not read here|자는 읽지 않음)\)\n\n/;

/** The two ends that are read, and what is said between them. */
function ends(text: string): { head: string; tail: string; told: number; unread: number } {
  const read = readable(text);
  const gap = GAP.exec(read.text);
  if (gap === null) throw new Error("no gap");
  const [head, tail] = [read.text.slice(0, gap.index), read.text.slice(gap.index + gap[0].length)];
  return { head, tail, told: Number(gap[1]!.replaceAll(",", "")), unread: read.unread };
}

const WORDS = fc.constantFrom(
  "Never",
  "delete",
  "the ledger",
  "D-7.",
  "값을 지운다.",
  "42,",
  "`a b`",
  "👨‍👩‍👧",
  "x",
);
const TALE = fc.array(WORDS, { minLength: 4, maxLength: 30 }).map(words => `${words.join(" ")} `);
const times = (text: string): string => text.repeat(Math.ceil((2.2 * MOST_CHARACTERS) / text.length));

describe("an output that is too long to be read whole", () => {
  it("[UL5] in one line is cut where a sentence ends, else a word, and says what is missing", () => {
    fc.assert(
      fc.property(TALE, tale => {
        const text = times(tale);
        const { head, tail, told, unread } = ends(text);
        expect(told).toBe(unread);
        const [first, last] = [head.replace(/…$/, ""), tail.replace(/^… /, "")];
        expect(first.length + unread + last.length).toBe(text.length);
        expect([text.startsWith(first), text.endsWith(last)]).toEqual([true, true]);
        // Between words, and amid a sentence only with a mark.
        expect([text[first.length], text[text.length - last.length - 1]]).toEqual([" ", " "]);
        const before = text.slice(0, text.length - last.length).trimEnd();
        expect([first === head ? first.at(-1) : ".", last === tail ? before.at(-1) : "."]).toEqual([
          ".",
          ".",
        ]);
      }),
      { numRuns: 30 },
    );
  });

  it("[UL5] without a blank is cut with a mark, and never amid a character", () => {
    const { head, tail } = ends(`a${"🚀".repeat(MOST_CHARACTERS)}`);
    expect([head.endsWith("…"), tail.startsWith("… ")]).toEqual([true, true]);
    expect(`${head}${tail}`).not.toContain("\uFFFD");
  });

  it.each(
    sampleOf(
      [
        [
          "a heading",
          `# Report\n\nDecision: keep the store.\n\n## Rejected\n\n${times("- filler of the list\n")}- Use the ledger port\n`,
        ],
        ["a list", `# Report\n\nExcluded:\n\n${times("- filler of the list\n")}- Use the ledger port\n`],
        [
          "a fence",
          `# Report\n\n\`\`\`yaml\nrejected:\n${times("  - filler of the block\n")}\`\`\`\n\nUse the ledger port.\n`,
        ],
      ],
      1,
      2,
    ),
  )("[UL5] ascribes nothing behind the gap to %s before it", (_, text) => {
    const source = readSource(text);
    for (const level of [2, 3] as const) {
      const lines = summarize(source, level).text.split("\n");
      const at = lines.findIndex(line => line.includes("Use the ledger port"));
      if (at < 0) continue;
      const above = lines.slice(0, at).findLast(line => /^#|^\*\*|^Excluded|^rejected/.test(line)) ?? "";
      expect(above).not.toMatch(/Rejected|Excluded|rejected/);
    }
    expect(source.unread).toBeGreaterThan(MOST_CHARACTERS);
  });

  it("[UL5] begins again outside of a fence, at a section or a paragraph", () => {
    const code = times("  key: value\n");
    const fenced = ends(`# A\n\n\`\`\`yaml\n${code}\`\`\`\n\nThe end of it.\n`);
    expect([fenced.head.endsWith("\n```"), fenced.tail]).toEqual([true, "The end of it.\n"]);
    const sections = ends(`# A\n\n${times("Words of a paragraph\nin lines.\n\n## Part\n\n")}The end.\n`);
    expect(sections.tail.startsWith("## Part\n")).toBe(true);
  });

  it("[UL5] does not take front matter that ends unread for that of the rest", () => {
    const text = `---\nparent:\n${times("  key: value\n")}---\n\ndecision: none\n\n---\n`;
    expect(readable(text).text.startsWith("\n---\n")).toBe(true);
  });
});
