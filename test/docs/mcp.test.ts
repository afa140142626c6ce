import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { processIo } from "../../src/cli/io.ts";
import { addMcp } from "../../src/cli/program-mcp.ts";
import { CLIENTS, definitionsFor, toolsOf } from "../../src/mcp/index.ts";
import { countTokens } from "../../src/tokens/index.ts";
import { readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/mcp.md");
const rows = tableOf(page, "tool", "takes", "answers", "for");

describe("docs/mcp.md", () => {
  it("lists the tools with what they take", () => {
    const told = rows.map(([tool, takes]) => [spansOf(tool ?? "")[0], spansOf(takes ?? "")]);
    const known = definitionsFor("lead").map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema["properties"] as object),
    ]);
    expect(told).toEqual(known);
  });

  it("says for whom each tool is", () => {
    const forWorkers = rows.filter(row => row[3]?.includes("worker")).map(([tool]) => spansOf(tool ?? "")[0]);
    expect(forWorkers).toEqual(toolsOf("worker"));
    expect(rows.every(row => row[3]?.startsWith("lead"))).toBe(true);
  });

  it("names the clients that are known", () => {
    for (const client of CLIENTS) expect(page).toContain(`\`${client}\``);
    const program = new Command();
    addMcp(program, processIo(), () => {});
    expect(program.commands[0]!.options.find(({ long }) => long === "--setup")?.argChoices).toEqual([
      ...CLIENTS,
    ]);
  });

  it("states what the definitions cost", () => {
    const [, tokens] = tableOf(page, "what", "tokens")[0]!;
    expect(countTokens(JSON.stringify(definitionsFor("lead")))).toBeLessThanOrEqual(Number(tokens) + 15);
  });
});
