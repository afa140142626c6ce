import { describe, expect, it } from "vitest";
import { PACKAGE_LIMITS } from "../../src/assembly/index.ts";
import { readPlan } from "../../src/plan/index.ts";
import { SCAN_LIMITS, scanOutput } from "../../src/tree/index.ts";
import { blocksOf, readPage } from "./page.ts";

const page = readPage("docs/context-tree.md");
const blocks = blocksOf(page);

describe("docs/context-tree.md", () => {
  it("declares a tree whose edges are those it tells of", () => {
    const file = blocks.find(({ lang }) => lang === "markdown")?.text ?? "";
    const { plan, diagnostics } = readPlan(Buffer.from(file), { path: "TASKS.md" });
    expect(diagnostics).toEqual([]);
    expect(plan.contextNodes.map(({ id, parent }) => [id, parent])).toEqual([
      ["ctx-root", undefined],
      ["ctx-api", "ctx-root"],
    ]);
    expect(plan.tasks.map(({ id, preparedBy }) => [id, preparedBy])).toEqual([
      ["T0.1", undefined],
      ["T1.1", ["T0.1"]],
      ["T1.2", ["T0.1"]],
    ]);
  });

  it("shows a block that is read as one", () => {
    const message = blocks.find(({ text }) => text.startsWith("[ADD_CONTEXT:"))?.text ?? "";
    expect(scanOutput(message)).toMatchObject({
      additions: [{ node: "ctx-api", text: "- token: lives for an hour" }],
      refused: 0,
    });
    expect(scanOutput("[SPAWN:research] which header carries the token?").requests).toHaveLength(1);
  });

  it("shows a receipt that adds up", () => {
    const receipt = blocks.find(({ text }) => text.includes("context receipt"))?.text ?? "";
    const tokens = receipt.split("\n").flatMap(line => /^ {2,}(\d+) {2}\w/.exec(line)?.[1] ?? []);
    const told = Number(/: (\d+) of (\d+) tokens/.exec(receipt)?.[1]);
    expect(tokens.reduce((sum, count) => sum + Number(count), 0)).toBe(told);
    expect(receipt).toContain(`of ${PACKAGE_LIMITS.tokens} tokens`);
  });

  it("tells the limits as they are", () => {
    const { blocks: most, blockLength, totalLength } = SCAN_LIMITS;
    const numbers = [`${most} blocks`, blockLength.toLocaleString("en"), totalLength.toLocaleString("en")];
    for (const number of numbers) expect(page).toContain(number);
  });
});
