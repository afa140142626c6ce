import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diff } from "../../src/delta/index.ts";
import { scanMarkdown } from "../../src/markdown/index.ts";
import { touchedSections } from "../../src/sync/sections.ts";
import { growth, LINEAR } from "../growth.ts";
import { itWhole } from "../sample.ts";

const BASE = "---\nk: v\n---\nintro\n\n# A\n\n- a1\n\n## A1\n\n- x\n\n# B\n\n- b1\n";

/** Titles of the base's sections that each hunk touches; the empty one is what precedes all headings. */
function touched(next: string, base = BASE): { hunks: string[][]; titles: string[]; preamble: boolean } {
  const { hunks, titles, preamble } = touchedSections(diff(base, next), base, next);
  const { sections } = scanMarkdown(base);
  return {
    hunks: hunks.map(hunk => hunk.map(at => sections[at]!.title)),
    titles: [...titles].sort(),
    preamble,
  };
}

describe("sections touched", () => {
  it.each([
    ["a line of a section", BASE.replace("- a1", "- a2"), [["A"]], ["A"]],
    ["a line of a subsection", BASE.replace("- x", "- y"), [["A1"]], ["A", "A1"]],
    ["a heading", BASE.replace("# B", "# C"), [["B"]], ["B", "C"]],
    [
      "lines of two sections",
      BASE.replace("- a1", "- a2").replace("- b1", "- b2"),
      [["A"], ["B"]],
      ["A", "B"],
    ],
    ["a line added at a section's end", BASE.replace("- x\n", "- x\n- y\n"), [["A1"]], ["A", "A1"]],
    ["a line added behind a heading", BASE.replace("# B\n\n", "# B\n\n- b0\n"), [["B"]], ["B"]],
    ["a new section at the end", `${BASE}\n# C\n\nc\n`, [[]], ["C"]],
    ["a new section between two", BASE.replace("# B\n", "# N\n\nn\n\n# B\n"), [[]], ["N"]],
    ["a new subsection", BASE.replace("# B\n", "## A2\n\nn\n\n# B\n"), [[]], ["A", "A2"]],
    ["a section removed", BASE.replace("# B\n\n- b1\n", ""), [["B"]], ["B"]],
  ])("[SV3] %s", (_, next, hunks, titles) => {
    const found = touched(next);
    expect(found.hunks).toEqual(hunks);
    expect(found.titles).toEqual(titles);
    expect(found.preamble).toBe(false);
  });

  it("[SV5] text before all headings is everyone's, front matter is not", () => {
    expect(touched(BASE.replace("intro", "outro"))).toEqual({ hunks: [[""]], titles: [], preamble: true });
    expect(touched(BASE.replace("k: v", "k: w"))).toEqual({ hunks: [[""]], titles: [], preamble: false });
    expect(touched(BASE.replace("k: v", "k: v\nl: w"))).toEqual({
      hunks: [[""]],
      titles: [],
      preamble: false,
    });
    expect(touched(BASE.replace("intro", "intro\nmore"))).toMatchObject({ preamble: true });
  });

  it("[SV3] what only a fence makes look like a heading is none", () => {
    const fenced = "# A\n\n```\n# not a heading\n```\n";
    expect(touched(fenced.replace("# not", "# still not"), fenced)).toMatchObject({
      hunks: [["A"]],
      titles: ["A"],
    });
  });

  it("[SV3] every hunk is accounted for, whatever the documents", () => {
    const line = fc.constantFrom("# A", "## B", "# A", "x", "- y: z", "", "```", "---", "===");
    const text = fc.array(line, { maxLength: 14 }).map(lines => lines.join("\n"));
    fc.assert(
      fc.property(text, text, (base, next) => {
        const delta = diff(base, next);
        const { hunks } = touchedSections(delta, base, next);
        const { sections } = scanMarkdown(base);
        expect(hunks).toHaveLength(delta.hunks.length);
        for (const [index, own] of hunks.entries()) {
          const { at, removed } = delta.hunks[index]!;
          for (let gone = at; gone < at + removed.length; gone++) {
            const owner = sections.findIndex(section => section.line <= gone && gone < section.endLine);
            expect(own).toContain(owner);
          }
        }
      }),
    );
  });

  itWhole("[SV3] is linear in the documents", () => {
    const pairOf = (size: number) => {
      const base = Array.from({ length: size }, (_, at) => `# S${at}\n\ntext ${at}\n`).join("\n");
      return { base, next: base.replaceAll("text 1", "text one") };
    };
    const touched = ({ base, next }: ReturnType<typeof pairOf>) =>
      touchedSections(diff(base, next), base, next);
    expect(touched(pairOf(20_000)).hunks.length).toBeGreaterThan(5_000);
    expect(growth(2_000, pairOf, touched)).toBeLessThan(LINEAR);
  });
});
