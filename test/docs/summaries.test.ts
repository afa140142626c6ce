import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { addSummarize } from "../../src/cli/program-summary.ts";
import { summaryWordsFor } from "../../src/cli/views/words/summary-words.ts";
import { defaultRules, readContract, type SummaryLevel } from "../../src/summary/index.ts";
import { openLab } from "../cli/lab.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/summaries.md");

describe("docs/summaries.md", () => {
  it("gives the ceilings of the default rules", () => {
    const rows = tableOf(page, "level", "name", "tokens at most");
    expect(rows).toHaveLength(4);
    for (const [level, , tokens] of rows.slice(1)) {
      for (const locale of ["en", "ko"] as const) {
        expect(Number(tokens)).toBe(defaultRules(locale)[Number(level) as SummaryLevel].tokens);
      }
    }
  });

  it("shows a level as it is printed", async () => {
    const shown = blocksOf(page).find(({ lang }) => lang === "console")?.text ?? "";
    const [command = "", ...rest] = shown.split("\n");
    const [beginning = "", end = ""] = rest.join("\n").split("…\n");
    const [, file = "", ...flags] = command.replace("$ espalier ", "").split(" ");
    await using lab = openLab({ [file]: readPage(file) });
    const { stdout } = await lab.ask("summarize", file, ...flags);
    expect([stdout.slice(0, beginning.length), stdout.slice(-end.length)]).toEqual([beginning, end]);
  });

  it("lists exactly the flags", () => {
    const program = new Command();
    addSummarize(program, processIo(), () => {});
    const flags = program.commands[0]!.options.map(({ long }) => long);
    expect(tableOf(page, "flag", "what").map(([flag]) => spansOf(flag ?? "")[0])).toEqual(
      [...flags].sort(byDocs(page)),
    );
    expect(flags).toHaveLength(tableOf(page, "flag", "what").length);
  });

  it("names fields that are read under these names", () => {
    const told = new Map(
      tableOf(page, "field", "names, among others").map(([field, names]) => [field, spansOf(names ?? "")]),
    );
    const bare = (text: string) =>
      Object.keys(readContract(text).contract).length + JSON.stringify(readContract(text).contract).length;
    const nothing = bare("");
    for (const names of told.values())
      for (const name of names.filter(one => /^[\p{L}_ -]+$/u.test(one)))
        expect(bare(`${name}: 0.5`)).toBeGreaterThan(nothing);
    for (const share of told.get("confidence")!.slice(2))
      expect(readContract(`Confidence: ${share}`).contract.confidence).toBe(0.85);
  });

  it("names every check as the views do", () => {
    const named = tableOf(page, "check", "passes when").map(([name]) => name);
    expect(named).toEqual(Object.values(summaryWordsFor("en").checks));
  });
});

/** The order in which a page names things. */
function byDocs(text: string): (a: string | undefined, b: string | undefined) => number {
  return (a, b) => text.indexOf(`| \`${a}\``) - text.indexOf(`| \`${b}\``);
}
