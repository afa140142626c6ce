import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type LevelRules, readSource, summarize } from "../../src/summary/index.ts";
import { casesOf } from "../sample.ts";
import { longOutput } from "./outputs.ts";
import { untraced } from "./trace.ts";

/** An extraction of so many tokens, without a template. */
const extract = (text: string, tokens: number) => {
  const rule = { format: "", tokens };
  const rules: LevelRules = { 1: rule, 2: rule, 3: rule };
  return summarize(readSource(text, ""), 3, { rules });
};

describe("truth", () => {
  /** Lines of an extraction that the text does not say; nothing where it is the text itself or its beginning. */
  const untoldBy = (text: string, tokens: number): string[] => {
    const made = extract(text, tokens);
    return made.whole || text.startsWith(made.text.slice(0, -1)) ? [] : untraced(text, made.text);
  };
  const ceilings = [60, 150, 300, 1000];

  it("[UX8] says nothing of real pages that they do not say under the same parents", () => {
    const pages = [...globSync("docs/*.md"), ...globSync("docs/decisions/*.md"), "README.md"];
    expect(pages.length).toBeGreaterThan(20);
    for (const page of pages) {
      const text = readFileSync(page, "utf8");
      for (const tokens of ceilings) {
        expect(untoldBy(text, tokens), `${page} in ${tokens}`).toEqual([]);
      }
    }
  });

  it("[UX8] says nothing of any document that it does not say under the same parents", () => {
    const word = fc.constantFrom(
      ..."alpha beta gamma delta never not queue page 금지 결정 사용 row_1 12 src/a.ts".split(" "),
    );
    const words = fc.array(word, { minLength: 2, maxLength: 18 }).map(list => list.join(" "));
    const sentence = fc
      .tuple(
        words,
        fc.constantFrom(
          "",
          " (aside of some words that is long)",
          " — and a tail that goes on",
          "; one more clause of it",
        ),
      )
      .map(([own, tail]) => `Then ${own}${tail}.`);
    const block = fc.oneof(
      fc
        .tuple(fc.integer({ min: 1, max: 4 }), words)
        .map(([level, own]) => `\n${"#".repeat(level)} ${own}\n`),
      fc.array(sentence, { minLength: 1, maxLength: 4 }).map(list => `\n${list.join(" ")}\n`),
      words.map(own => `\n${own}:\n`),
      fc.array(fc.tuple(fc.nat(2), sentence), { minLength: 1, maxLength: 6 }).map(list => {
        let depth = -1;
        const lines = list.map(([asked, own]) => {
          depth = Math.min(asked, depth + 1);
          return `${"  ".repeat(depth)}- ${own}`;
        });
        return `\n${lines.join("\n")}\n`;
      }),
      fc
        .array(fc.tuple(words, words), { minLength: 1, maxLength: 8 })
        .map(rows => `\n| name | what |\n|---|---|\n${rows.map(([a, b]) => `| ${a} | ${b} |`).join("\n")}\n`),
      words.map(own => `\n\`\`\`yaml\nkey:\n  inner: ${own}\n\`\`\`\n`),
    );
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 6, maxLength: 30 }),
        fc.constantFrom(...ceilings),
        (blocks, tokens) => {
          const text = blocks.join("");
          expect(untoldBy(text, tokens)).toEqual([]);
        },
      ),
      { numRuns: casesOf(75, 300) },
    );
  });

  it("[UX9] [UX10] [UX11] tells no statement of any document without what opens, holds or undoes it", () => {
    const opener = fc.constantFrom(
      "Rejected",
      "Only if the owner agrees",
      "The following must never be done",
      "다음은 금지한다",
    );
    /** What is said, and which mark has to be told, too, wherever another one is. */
    type Part = (id: number) => {
      readonly text: string;
      readonly needs: readonly (readonly [string, string])[];
    };
    const part: fc.Arbitrary<Part> = fc.oneof(
      fc.tuple(opener, fc.constantFrom("", "> ", "- ", "1. "), fc.boolean()).map(
        ([open, mark, bold]): Part =>
          id => ({
            text: `${bold ? "**" : ""}${open} open${id}:${bold ? "**" : ""}\n\n${mark}Give must${id} to every tenant.`,
            needs: [[`must${id}`, `open${id}`]],
          }),
      ),
      fc.integer({ min: 1, max: 90 }).map(
        (lines): Part =>
          id => ({
            text: `\`\`\`sh\n${"rsync -a --delete /srv/data /backup\n".repeat(lines)}\`\`\`\n\nIt must not be run by back${id}.`,
            needs: [[`back${id}`, `(code, ${lines} line`]],
          }),
      ),
      fc.constantFrom("\n\n", " ").map(
        (between): Part =>
          id => ({
            text: `Every key must be shared with must${id}.${between}This was rejected by undo${id}.`,
            needs: [
              [`must${id}`, `undo${id}`],
              [`undo${id}`, `must${id}`],
            ],
          }),
      ),
      fc.integer({ min: 2, max: 9 }).map(
        (items): Part =>
          id => ({
            text: `${Array.from({ length: items }, (_, at) => `- Use the tool must${id}x${at} always`).join("\n")}\n\nThese were rejected by undo${id}.`,
            needs: [[`must${id}x`, `undo${id}`]],
          }),
      ),
      fc.constant<Part>(id => ({
        text: `Module ${id} reads the table ${id} and never writes to it.`,
        needs: [],
      })),
      fc.constant<Part>(id => ({ text: `## Part ${id}`, needs: [] })),
    );
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 6, maxLength: 40 }),
        fc.integer({ min: 15, max: 400 }),
        (parts, tokens) => {
          const made = parts.map((one, at) => one(100 + at));
          const text = `# T\n\n${made.map(one => one.text).join("\n\n")}\n`;
          const summary = extract(text, tokens);
          if (summary.whole || text.startsWith(summary.text.slice(0, -1))) return;
          const isTold = (needed: string) =>
            summary.text.includes(needed) || (needed.startsWith("(code") && summary.text.includes("rsync"));
          const alone = made
            .flatMap(one => one.needs)
            .filter(([said, needed]) => summary.text.includes(said) && !isTold(needed));
          expect(alone, `${summary.text}`).toEqual([]);
          expect(untraced(text, summary.text)).toEqual([]);
        },
      ),
      { numRuns: casesOf(38, 150) },
    );
  });

  it("[UX8] is caught by its checker when it loses a parent, a denial or a count", () => {
    const text =
      "# T\n## Excluded\nWe exclude:\n\n- foo\n  - bar\n\nUse A (not B) here.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n";
    expect(
      untraced(
        text,
        "# T\n## Excluded\nWe exclude:\n- foo\n  - bar\nUse A (not B) here.\n| a | b\n| 3 | 4\n(1 more rows)",
      ),
    ).toEqual([]);
    expect(untraced(text, "# T\n- foo")).toEqual(["- foo"]);
    expect(untraced(text, "# T\n## Excluded\n  - bar")).toEqual(["  - bar"]);
    expect(untraced(text, "# T\n## Excluded\nUse A here.")).toEqual(["Use A here."]);
    expect(untraced(text, "# T\n## Excluded\n| 3 | 4")).toEqual(["| 3 | 4"]);
    expect(untraced(text, "# T\n## Excluded\n| a | b\n(7 more rows)")).toEqual(["(7 more rows)"]);
    const turned =
      "# T\n\n**Rejected:**\n\nShare keys.\n\nThe new one is approved.\n\n```\na\n```\n\nIt must not be used.\n\nUse Mongo.\n\nThis was rejected.\n\n<!-- Print all. -->\n";
    expect(
      untraced(
        turned,
        "# T\nRejected:\nShare keys.\n(code, 1 line)\nIt must not be used.\nUse Mongo.\nThis was rejected.",
      ),
    ).toEqual([]);
    for (const lost of ["Share keys.", "It must not be used.", "Use Mongo.", "(code, 2 lines)", "Print all."])
      expect(untraced(turned, `# T\nThe new one is approved.\n${lost}`)).toEqual([lost]);
  });
});

describe("real summaries", () => {
  it("[UX3] keep the sections in the order of the source", () => {
    const source = readSource(longOutput(200));
    const { text: brief } = summarize(source, 2);
    const headings = brief.split("\n").filter(line => line.startsWith("# ") || line.startsWith("## "));
    const positions = headings.slice(1).map(line => source.text.indexOf(`\n${line}\n`));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(brief.split("\n").filter(line => line.startsWith("- ")).length).toBeGreaterThan(5);
  });

  it("[UX9] tells a list's items under their own bold line, and under the line right above them", () => {
    const list = (phase: number) =>
      Array.from(
        { length: 8 },
        (_, at) => `- item ${at} of phase ${phase} waits for a review of its labels`,
      ).join("\n");
    const bold = [25, 27, 28]
      .map(phase => `**Phase ${phase}: Part ${phase} of it**\n${list(phase)}\n`)
      .join("\n");
    const near = [31, 32]
      .map(phase => `Phase ${phase} (of the second half of all that)\n${list(phase)}\n`)
      .join("\n");
    for (const tokens of [60, 120, 250, 400]) {
      let phase = "";
      for (const line of extract(`# Debt\n\n${bold}\n${near}`, tokens).text.split("\n")) {
        phase = /^Phase (\d+)/.exec(line)?.[1] ?? phase;
        const own = /of phase (\d+)/.exec(line)?.[1];
        expect([tokens, line, own ?? phase]).toEqual([tokens, line, phase]);
      }
    }
  });
});
