import { describe, expect, it } from "vitest";
import { readDelta, readFindings } from "../../src/checkpoint/index.ts";
import { PARTS } from "../../src/checkpoint/parts.ts";
import type { Io } from "../../src/cli/io.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { configSchema, defaultConfig } from "../../src/config/index.ts";
import { blocksOf, readPage, spansOf, tableOf } from "./page.ts";

const page = readPage("docs/checkpoints.md");

describe("docs/checkpoints.md", () => {
  it("names the moments of the configuration, and no other", () => {
    const keys = tableOf(page, "moment").flatMap(([, key = ""]) => spansOf(key));
    expect(keys).toEqual(["phase", "exit", "saturation", "decision"]);
    expect([...defaultConfig().checkpoints.when].toSorted()).toEqual(keys.toSorted());
    expect(() => configSchema().parse({ checkpoints: { when: keys } })).not.toThrow();
  });

  it("has a row for every command, and no other", () => {
    const program = buildProgram(
      { stdout: process.stdout, stderr: process.stderr } as unknown as Io,
      () => {},
    );
    const commands = program.commands.find(command => command.name() === "checkpoint")?.commands ?? [];
    expect(commands.length).toBe(11);
    const told = tableOf(page, "command").map(([name = ""]) => spansOf(name)[0]);
    expect(new Set(told)).toEqual(new Set(commands.map(command => `espalier checkpoint ${command.name()}`)));
    for (const command of commands) expect(command.options.map(({ long }) => long)).toContain("--json");
  });

  it("tells the source of every section", () => {
    const told = tableOf(page, "section").flatMap(([name = ""]) => name.split(", "));
    const known = PARTS.map(({ title }) => title).filter(
      title => !["Essential Information", "Completion"].includes(title),
    );
    expect(told.toSorted()).toEqual(known.toSorted());
  });

  it("names words that declare a change of direction", () => {
    for (const key of ["Direction", "Pivot", "Major decision", "방향 전환"]) {
      expect(page).toContain(`${key}:`);
      expect(readFindings(`${key}: x`).shift).toBe("x");
    }
  });

  it("shows the head of a delta as it is read", () => {
    const example = blocksOf(page).find(({ lang }) => lang === "markdown")?.text ?? "";
    expect(readDelta(example)).toMatchObject({ delta: "chk-001-to-chk-002", from: "chk-001", to: "chk-002" });
    expect(readDelta(example).summary).toContain("T2.1 Orders → completed");
    expect([...readDelta(example).headings.keys()]).toEqual([
      "summary",
      "changes",
      "added",
      "modified",
      "transitions",
      "instructions",
    ]);
  });
});
