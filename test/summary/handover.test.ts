import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { handoverText, readSource, summarize, withoutHandover } from "../../src/summary/index.ts";
import { handoverAsked } from "../../src/text/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { growth, LINEAR } from "../growth.ts";
import { longOutput } from "./outputs.ts";

const SECTION = [
  "## Handover",
  "- decisions: a queue, because order matters; SQLite over Redis",
  "- must-know: 12 of 14 routes done",
  "- do-not: never write to `log/` by hand",
  "- open: -",
  "- interfaces: `enqueue(job: Job): Promise<Id>`",
].join("\n");

const TOLD = SECTION.split("\n")
  .slice(1)
  .filter(line => !line.startsWith("- open"))
  .join("\n");

/** What a text hands over, as it is told. */
const told = (text: string) => {
  const { handover } = withoutHandover(text);
  return handover === undefined ? undefined : handoverText(handover);
};

describe("what an answer hands over", () => {
  it("[UC7] is its last section of that name, in its own words; the rest stays as it was", () => {
    expect(told(`# Report\n\nText.\n\n${SECTION}\n`)).toBe(TOLD);
    expect(withoutHandover(`# Report\n\nText.\n\n${SECTION}\n`).rest).toBe("# Report\n\nText.\n\n");
    const behind = `${SECTION}\n\nThe rest is prose.\n\n## Notes\n- a: b\n`;
    expect(told(behind)).toBe(TOLD);
    expect(withoutHandover(behind).rest).toBe("The rest is prose.\n\n## Notes\n- a: b\n");
    expect(told(`${SECTION}\n\n${SECTION.replaceAll("queue", "ring")}`)).toContain("a ring");
  });

  it.each([
    ["bold labels", SECTION.replace(/- ([a-z-]+):/g, "- **$1:**")],
    ["no list", SECTION.replaceAll("\n- ", "\n")],
    ["a bold title", SECTION.replace("## Handover", "**Handover:**")],
    ["another title", SECTION.replace("## Handover", "### Contract")],
    ["a fence", `\`\`\`markdown\n${SECTION}\n\`\`\`\n`],
    ["line ends of Windows", SECTION.replaceAll("\n", "\r\n")],
  ])("[UC7] is read with %s", (_, text) => {
    expect(told(text)?.replaceAll("**", "")).toBe(TOLD);
  });

  it("[UC7] is read where its fields are lists or headings", () => {
    const nested =
      "## Handover\n- decisions:\n  - a queue\n  - SQLite\n\n### Do not\n- write to log/\n\n## Next\n- x: y";
    expect(told(nested)).toBe("- decisions:\n  - a queue\n  - SQLite\n- Do not:\n  - write to log/");
    expect(withoutHandover(nested).rest).toBe("## Next\n- x: y");
  });

  it("[UC7] is read in Korean as it is asked for", () => {
    const fields = handoverAsked("ko").split("\n").slice(1);
    const answer = fields.map((line, at) =>
      at === 0 ? line : `${line.slice(0, line.indexOf(":"))}: ${at}번`,
    );
    expect(told(answer.join("\n"))).toBe(answer.slice(1).join("\n"));
  });

  it.each(["en", "ko"] as const)("[UC7] is none where it only copies what was asked for in %s", locale => {
    const section = handoverAsked(locale).split("\n").slice(1).join("\n");
    expect(withoutHandover(`Done.\n\n${section}\n`)).toEqual({ handover: undefined, rest: "Done.\n\n" });
    const dots = section.replace(/: .*$/gm, ": …");
    expect(withoutHandover(`Done.\n\n${dots}\n`)).toEqual({ handover: undefined, rest: "Done.\n\n" });
    const one = section.replace(/: .*$/m, ": SQLite");
    expect(told(one)?.split("\n")).toHaveLength(1);
  });

  it("[UC7] says nothing where its fields say so in their own way", () => {
    const none = ["(none)", "N/A.", "`-`", "Nothing.", "...", "없음.", "해당 없음"];
    for (const one of none) expect(told(`## Handover\n- decisions: ${one}\n- open: a\n`)).toBe("- open: a");
  });

  it("[UC7] gives no field a line that is another's: it stays under the title", () => {
    const { handover, rest } = withoutHandover(
      "Done.\n\n## Handover\n- goal: a queue\n- decisions: SQLite\n- do-not: none\n- tests: 14 passed\n  - all of them\n- open: retries\n",
    );
    expect(handoverText(handover!)).toBe("- decisions: SQLite\n- open: retries");
    expect(rest).toBe("Done.\n\n## Handover\n- goal: a queue\n- tests: 14 passed\n  - all of them\n");
    const headed = withoutHandover(
      "## Handover\n### Decisions\n\nSQLite.\n\n### Tests\n\n14 passed.\n\n### Do-not\n- commit\n",
    );
    expect(handoverText(headed.handover!)).toBe("- Decisions:\n  - SQLite.\n- Do-not:\n  - commit");
    expect(headed.rest).toBe("## Handover\n### Tests\n14 passed.\n");
    const table =
      "## Handover\n| field | value |\n|---|---|\n| decisions | SQLite: one |\n| tests | 14 |\n| open | a |\n";
    expect(told(table)).toBe("- decisions: SQLite: one\n- open: a");
  });

  it("[UC7] keeps what stands under a statement there, lines that go on in one, and code as content", () => {
    const text = [
      "## Handover",
      "",
      "For whoever works next:",
      "",
      "- decisions — SQLite, as one",
      "  machine is enough",
      "- interfaces:",
      "  - `Job`:",
      "    - open: boolean",
      "  ```ts",
      "  open: boolean;",
      "  ```",
      "- open: retries",
    ].join("\n");
    expect(told(text)).toBe(
      [
        "- decisions: SQLite, as one machine is enough",
        "- interfaces:",
        "  - `Job`:",
        "    - open: boolean",
        "  - open: boolean;",
        "- open: retries",
      ].join("\n"),
    );
  });

  it("[UC5] states decisions as well as a label does", () => {
    expect(readSource(SECTION).problems).toEqual([]);
    expect(readSource(SECTION.replace(/- decisions.*\n/, "")).problems).toMatchObject([{ kind: "missing" }]);
  });

  it("[UC7] is none where a section of that name is about something else, and empty where nothing is said", () => {
    expect(told("## Contract\n\nThe API keeps its contract.\n\n- open: a file\n")).toBeUndefined();
    expect(told("## Contract\n- open: a file handle\n- close: it\n")).toBeUndefined();
    expect(told("# Report\n\n- decisions: a\n- open: b\n")).toBeUndefined();
    expect(
      told(`# How to\n\n\`\`\`text\n${SECTION}\n\`\`\`\n\n${"More of the page. ".repeat(30)}\n`),
    ).toBeUndefined();
    expect(withoutHandover("## Handover\n- decisions: -\n- open: none\n")).toEqual({
      handover: [],
      rest: "",
    });
  });

  it("[UC7] throws for no text, loses nothing of it, and takes linear time", () => {
    const piece = fc.constantFrom(SECTION, "## Handover\n", "- open: ", "\n", "a; b", "\r\n", "  - x\n", "#");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const text = pieces.join("");
        const { handover, rest } = withoutHandover(text);
        expect(handover === undefined ? rest : text).toBe(text);
        expect(rest.length).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 300 },
    );
    expect(growth(2000, size => "## Handover\n".repeat(size), withoutHandover)).toBeLessThan(LINEAR);
  });
});

describe("levels", () => {
  const output = longOutput(300);

  it.each([1, 2, 3] as const)(
    "[UL9] tell it first and word for word at level %i, within the ceiling",
    level => {
      const { text, tokens } = summarize(readSource(`${output}\n\n${SECTION}\n`, "02"), level);
      expect(text).toContain(TOLD);
      expect(text.split("a queue, because order matters")).toHaveLength(2);
      expect(tokens).toBeLessThanOrEqual({ 1: 3000, 2: 1000, 3: 300 }[level]);
      // What it leaves of the ceiling is filled with the rest.
      expect(tokens).toBeGreaterThan(0.85 * { 1: 3000, 2: 1000, 3: 300 }[level]);
    },
  );

  it("[UL9] tell each field before any field's second statement where it does not fit", () => {
    const many = Array.from({ length: 18 }, (_, at) => `rule ${at} forbids to write to folder number ${at}`);
    const long = SECTION.replace("never write to `log/` by hand", many.join("; "));
    const { text, tokens } = summarize(readSource(`${output}\n\n${long}\n`), 3);
    expect(tokens).toBeLessThanOrEqual(300);
    expect(text).toContain("- interfaces: `enqueue(job: Job): Promise<Id>`");
    expect(text).toContain("- decisions: a queue, because order matters; SQLite over Redis");
    expect(text).toContain("rule 0 forbids");
    expect(text).not.toContain("rule 17 forbids");
  });

  it("[UL9] say what it says once, and take none of it for the output's own decision", () => {
    const korean = "## 인계\n- 결정: 순서가 중요하므로 큐를 쓴다\n- 미결: 재시도\n";
    const source = readSource(`${longOutput(300).replace(/^\*\*Decision.*$/m, "")}\n\n${korean}`);
    expect(source.contract.decision ?? "").not.toContain("큐를 쓴다");
    expect(source.pieces.some(({ text }) => text.includes("큐를 쓴다"))).toBe(false);
    expect(summarize(source, 2).text.split("큐를 쓴다")).toHaveLength(2);
  });

  it("[UL9] count what asking takes: at most 80 tokens in either language", () => {
    for (const locale of ["en", "ko"] as const)
      expect(countTokens(handoverAsked(locale))).toBeLessThanOrEqual(80);
  });
});
