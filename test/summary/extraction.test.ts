import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { scanMarkdown } from "../../src/markdown/index.ts";
import { choose, type Piece, piecesOf, render } from "../../src/summary/extract/index.ts";
import { sentencesOf } from "../../src/summary/extract/sentences.ts";
import { scanWords } from "../../src/summary/extract/words.ts";
import { readSource, summarize } from "../../src/summary/index.ts";
import { longOutput } from "./outputs.ts";

const kindsOf = (text: string) =>
  piecesOf(scanMarkdown(text)).map(({ kind, text: own }) => `${kind}: ${own}`);
const bare = (text: string) => text.replace(/\s/g, "");

describe("pieces", () => {
  it("[X1] takes a document apart by what it is made of", () => {
    const text =
      "---\ntitle: x\n---\n# Top\n\nOne. Two is here.\nSoft break.\n\n- item `a`\n- key: value\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n\nlet b;\n```\n";
    expect(kindsOf(text)).toEqual([
      "line: title: x",
      "heading: # Top",
      "sentence: One. Two is here. Soft break.",
      "list-item: - item `a`",
      "list-item: - key: value",
      "table-head: | A | B |\n|---|---|",
      "table-row: | 1 | 2 |",
      "fence: ```ts",
      "code: const a = 1;",
      "code: let b;",
    ]);
  });

  it("[X1] splits long prose into sentences, in English and Korean", () => {
    const english =
      "The first sentence names src/a.ts and e.g. nothing else. The second took 3.5 s! Is there a third? There is.";
    expect(sentencesOf(english)).toEqual([
      "The first sentence names src/a.ts and e.g. nothing else.",
      "The second took 3.5 s!",
      "Is there a third?",
      "There is.",
    ]);
    const korean = `${"첫 문장은 여기서 끝난다. ".repeat(1)}두 번째 문장은 3.5초가 걸렸다. ${"그리고 마지막 문장이 아주 길게 이어진다 ".repeat(4)}.`;
    expect(sentencesOf(korean).slice(0, 2)).toEqual([
      "첫 문장은 여기서 끝난다.",
      "두 번째 문장은 3.5초가 걸렸다.",
    ]);
  });

  it("[X1] keeps a code mark in one sentence", () => {
    const text = `${"Words before it to be long enough, certainly. ".repeat(2)}Call \`a. B. c\` now. Then rest.`;
    expect(sentencesOf(text)).toContain("Call `a. B. c` now.");
  });

  it("[X1] loses no character of prose and makes no piece too long", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 60 }), { maxLength: 30 }), parts => {
        const text = parts.join(". ");
        const sentences = sentencesOf(text);
        expect(bare(sentences.join(""))).toBe(bare(text));
        for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(401);
      }),
    );
    for (const unbroken of ["a", "가", "😀"]) {
      const sentences = sentencesOf(unbroken.repeat(50_000));
      expect(sentences.join("")).toBe(unbroken.repeat(50_000));
      expect(Math.max(...sentences.map(one => one.length))).toBeLessThanOrEqual(401);
    }
  });

  it("[X1] knows words in both languages", () => {
    const words: string[] = [];
    scanWords("The queues and the queue: 대기열을 대기열이 policies 123 2nd it", word => words.push(word));
    expect(words).toEqual(["queue", "queue", "대기열", "대기열", "policy"]);
  });
});

/** Pieces with one feature each, of the worth and cost given. */
function toy(rows: readonly (readonly [worth: number, cost: number, under?: number])[]) {
  const pieces = rows.map(
    ([, , under = -1], at): Piece => ({ kind: "sentence", text: `p${at}`, under, block: at, title: "" }),
  );
  const weights = {
    features: rows.map((_, at) => [at]),
    index: new Map(),
    worth: rows.map(([worth]) => worth),
    factor: rows.map(() => 1),
  };
  return { pieces, weights, costs: rows.map(([, cost]) => cost) };
}

describe("choice", () => {
  it("[X2] takes what is worth most for its cost", () => {
    const { pieces, weights, costs } = toy([
      [1, 10],
      [9, 10],
      [5, 2],
      [2, 30],
    ]);
    expect(choose(pieces, weights, costs, 12, new Set())).toEqual({ pieces: [1, 2], tokens: 12 });
  });

  it("[X2] counts a fact once", () => {
    const { pieces, weights, costs } = toy([
      [5, 5],
      [5, 5],
      [1, 5],
    ]);
    const same = { ...weights, features: [[0], [0], [2]] };
    expect(choose(pieces, same, costs, 10, new Set()).pieces).toEqual([0, 2]);
    expect(choose(pieces, same, costs, 10, new Set([0])).pieces).toEqual([2]);
  });

  it("[X5] leaves out labels without their lists, tables of contents and addresses of links", () => {
    const contents = Array.from({ length: 40 }, (_, at) => `- [Export part ${at}](#export-part-${at})`);
    const addresses = Array.from({ length: 40 }, (_, at) => `[part ${at}]: https://example.org/part/${at}`);
    const facts = Array.from(
      { length: 40 },
      (_, at) => `- The export of part ${at} reads \`src/part${at}.ts\``,
    );
    const text = [...contents, "", "**Export coverage:**", "", ...facts, "", "범위：", "", ...addresses].join(
      "\n",
    );
    const brief = summarize(readSource(text), 3).text;
    expect(brief).toContain("src/part10.ts");
    for (const left of ["](#", "]: https", "Export coverage", "범위"]) expect(brief).not.toContain(left);
    const whole = summarize(readSource(`${text}\n\n**Export of \`lost.ts\`:**\n`), 3).text;
    expect(whole).toContain("lost.ts");
  });

  it("[X3] takes what must stand above with it, and pays for it once", () => {
    const { pieces, weights, costs } = toy([
      [0, 6],
      [4, 2, 0],
      [4, 2, 0],
      [1, 4],
    ]);
    expect(choose(pieces, weights, costs, 10, new Set())).toEqual({ pieces: [0, 1, 2], tokens: 10 });
    expect(choose(pieces, weights, costs, 7, new Set()).pieces).toEqual([3]);
    expect(choose(pieces, weights, costs, 14, new Set()).pieces).toEqual([0, 1, 2, 3]);
  });

  it("[X2] never exceeds its tokens and never leaves a parent out", () => {
    const row = fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 30 }), fc.integer({ min: -1, max: 30 }));
    fc.assert(
      fc.property(fc.array(row, { maxLength: 40 }), fc.nat(200), (rows, budget) => {
        const { pieces, weights, costs } = toy(
          rows.map(([worth, cost, under], at) => [worth, cost, under < at ? under : -1]),
        );
        const choice = choose(pieces, weights, costs, budget, new Set());
        expect(choice.tokens).toBeLessThanOrEqual(budget);
        expect(choice.tokens).toBe(choice.pieces.reduce((sum, at) => sum + costs[at]!, 0));
        const parents = choice.pieces.map(at => pieces[at]!.under).filter(under => under >= 0);
        expect(choice.pieces).toEqual(expect.arrayContaining(parents));
      }),
    );
  });

  it("[X2] is no worse than half of the best, found by trying all", () => {
    const row = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4 }));
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 4, max: 16 }),
        (rows, budget) => {
          const { pieces, weights, costs } = toy(rows);
          const worth = (list: readonly number[]) => list.reduce((sum, at) => sum + rows[at]![0], 0);
          let best = 0;
          for (let mask = 0; mask < 1 << rows.length; mask++) {
            const list = rows.map((_, at) => at).filter(at => (mask >> at) & 1);
            if (list.reduce((sum, at) => sum + costs[at]!, 0) <= budget) best = Math.max(best, worth(list));
          }
          expect(worth(choose(pieces, weights, costs, budget, new Set()).pieces)).toBeGreaterThanOrEqual(
            best / 2,
          );
        },
      ),
    );
  });
});

describe("rendering", () => {
  const text =
    "# Top\n\nOne sentence. Two sentences.\n\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n\n````md\n# no heading\n```\nx\n````\n\n- end\n";
  const pieces = piecesOf(scanMarkdown(text));

  it("[X3] writes everything back in order, tables and fences closed", () => {
    const all = render(
      pieces,
      pieces.map((_, at) => at),
    );
    expect(all).toBe(
      "# Top\nOne sentence. Two sentences.\n| A | B |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n````md\n# no heading\n```\nx\n````\n- end",
    );
  });

  it("[X3] closes a fence that is the last thing", () => {
    const fence = pieces.findIndex(({ kind }) => kind === "fence");
    expect(render(pieces, [fence, fence + 1])).toBe("````md\n# no heading\n````");
  });

  it("[X3] keeps the sections of a real summary in the order of the source", () => {
    const source = readSource(longOutput(200));
    const { text: brief } = summarize(source, 2);
    const headings = brief.split("\n").filter(line => line.startsWith("# ") || line.startsWith("## "));
    const positions = headings.slice(1).map(line => source.text.indexOf(`\n${line}\n`));
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    const lines = brief.split("\n").filter(line => line.startsWith("- "));
    expect(lines.length).toBeGreaterThan(5);
    for (const line of lines) expect(source.text).toContain(line);
  });
});
