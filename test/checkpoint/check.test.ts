import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCheckpoint, checkDelta, misTold, proveDelta } from "../../src/checkpoint/index.ts";
import { ANY_TEXT, CHECKPOINT, deltaOf, LATER } from "./documents.ts";

/** Code, weight and line of every departure. */
function told(text: string): string[] {
  return checkCheckpoint(text).map(({ code, severity, line }) => `${severity} ${code} ${line}`);
}

describe("checking a checkpoint", () => {
  it("[KC4] a whole one has no departure", () => {
    expect(checkCheckpoint(CHECKPOINT)).toEqual([]);
    expect(checkCheckpoint(LATER)).toEqual([]);
    expect(checkCheckpoint(CHECKPOINT.replaceAll("\n", "\r\n"))).toEqual([]);
  });

  it("[KC4] one without front matter is a warning", () => {
    expect(told(CHECKPOINT.slice(CHECKPOINT.indexOf("# Bakery")))).toEqual(["warning NO_FRONT_MATTER 1"]);
  });

  it.each([
    ["checkpoint: chk-002\n", "", "error MISSING_FIELD 1"],
    ["created: 2026-03-01T09:00:00Z\n", "created:\n", "error MISSING_FIELD 1"],
    ["checkpoint: chk-002", "checkpoint: ../etc/passwd", "error BAD_ID 2"],
    ["parent: chk-001", "parent: a b", "error BAD_ID 5"],
    ["parent: chk-001", "parent: chk-002", "error OWN_PARENT 5"],
    ["2026-03-01T09:00:00Z", "last Tuesday", "error BAD_DATE 3"],
    ["status: active", "status: great", "warning BAD_STATUS 6"],
    ["status: active", "status: active\nstatus: current", "error DUPLICATE_FIELD 7"],
    ["status: active", "status active", "error BAD_FRONT_MATTER 6"],
    ["## Problem\n\nSell bread online.\n", "", "error MISSING_SECTION 0"],
    ["### Decisions", "### Something else", "error MISSING_SECTION 0"],
    ["1. Finish T1.2\n", "", "error EMPTY_SECTION 60"],
    ["## User Rules", "## Problem", "error DUPLICATE_SECTION 64"],
    ["## User Rules", "## Problema", "warning DUPLICATE_SECTION 64"],
    ["| `src/menu.ts` | created | the menu |", "| `src/menu.ts` | created |", "error BROKEN_ROW 47"],
    ["a \\| b", "a | b", "error BROKEN_ROW 48"],
    ["### Next Actions", "## Next Actions", "warning MISPLACED_SECTION 60"],
  ])("[KC4] %j as %j is %s", (from, to, expected) => {
    const broken = CHECKPOINT.replace(from, to);
    expect(broken).not.toBe(CHECKPOINT);
    expect(told(broken)).toContain(expected);
  });

  it("[KC7] both sides of an unfinished merge are told where they begin, and shown in a fence they are a text", () => {
    const both = "<<<<<<< HEAD\n- D-2: cents\n=======\n- D-2: euros\n>>>>>>> theirs\n";
    const at = CHECKPOINT.indexOf("### Technical Context");
    const line = CHECKPOINT.slice(0, at).split("\n").length;
    const within = (text: string) => CHECKPOINT.slice(0, at) + text + CHECKPOINT.slice(at);
    expect(told(within(both))).toContain(`error CONFLICT_MARKERS ${line}`);
    expect(told(within(both.replaceAll("\n", "\r\n")))).toContain(`error CONFLICT_MARKERS ${line}`);
    for (const begun of [`<<<<<<< HEAD\n${both}`, "<<<<<<< HEAD\n"])
      expect(told(within(begun))).toContain(`error CONFLICT_MARKERS ${line}`);
    for (const whole of [`\`\`\`text\n${both}\`\`\`\n`, "Title\n=======\n", both.slice(12)])
      expect(told(within(whole)).join()).not.toContain("CONFLICT_MARKERS");
  });

  it("[KC13] so are they where both have added a block, whose last line git leaves to both", () => {
    const side = (words: string, info: string) => `${words}\n\n\`\`\`${info}\n${words}\n`;
    const ended = ">>>>>>> theirs\n```\n\n";
    const at = CHECKPOINT.indexOf("### Technical Context");
    const line = CHECKPOINT.slice(0, at).split("\n").length;
    for (const info of ["", "js"]) {
      const both = `<<<<<<< HEAD\n${side("ours", "")}=======\n${side("theirs", info)}${ended}`;
      expect(told(CHECKPOINT.slice(0, at) + both + CHECKPOINT.slice(at))).toContain(
        `error CONFLICT_MARKERS ${line}`,
      );
    }
  });

  it("[KC4] the same title below another heading is another section, below the same one a second", () => {
    const delta = (time: string) => `\n## Delta: ${time}\n\n### What Changed\n\n- a test\n`;
    expect(told(CHECKPOINT + delta("09:00") + delta("10:00"))).toEqual([]);
    expect(told(CHECKPOINT + delta("09:00") + delta("09:00"))).toEqual([
      expect.stringContaining("DUPLICATE_SECTION"),
    ]);
    expect(told(`${CHECKPOINT}${delta("09:00")}\n### What Changed\n\n- more\n`)).toEqual([
      expect.stringContaining("DUPLICATE_SECTION"),
    ]);
  });

  it("[KC4] departures come by line, and say what to do about a bar", () => {
    const broken = CHECKPOINT.replace("a \\| b", "a | b").replace("status: active", "status: great");
    const found = checkCheckpoint(broken);
    expect(found.map(({ line }) => line)).toEqual([6, 48]);
    expect(found[1]?.message).toBe(
      'A row of 4 cells in a table of 3 columns (a "|" within a cell is written "\\|")',
    );
  });

  it("[KC4] tables within fences are not looked at", () => {
    expect(told(`${CHECKPOINT}\n\`\`\`\n| a | b |\n|---|---|\n| 1 |\n\`\`\`\n`)).toEqual([]);
  });

  it("[KC4] an empty file lacks everything", () => {
    expect(told("")).toEqual([
      "error MISSING_SECTION 0",
      "error MISSING_SECTION 0",
      "error MISSING_SECTION 0",
      "error MISSING_SECTION 0",
      "error MISSING_SECTION 0",
      "warning NO_FRONT_MATTER 1",
    ]);
  });

  it("[KC4] foreign words in messages are made visible", () => {
    const [found] = checkCheckpoint(CHECKPOINT.replace("chk-002", "\u001b[2Jx"));
    expect(found?.message).not.toContain("\u001b");
    expect(found?.message).toContain("\\x1b");
  });

  it("[KC4] never throws, whatever the text", () => {
    fc.assert(
      fc.property(ANY_TEXT, text => {
        for (const { line, code } of [...checkCheckpoint(text), ...checkDelta(text)]) {
          expect(line).toBeGreaterThanOrEqual(0);
          expect(line).toBeLessThanOrEqual(text.split("\n").length);
          expect(code).toMatch(/^[A-Z_]+$/);
        }
      }),
    );
  });
});

describe("checking a delta", () => {
  const delta = deltaOf(CHECKPOINT, LATER, ["chk-002", "chk-003"]);
  const codes = (text: string) => checkDelta(text).map(({ code, line }) => `${code} ${line}`);

  it("[KD1] one of ours has no departure", () => {
    expect(checkDelta(delta)).toEqual([]);
  });

  it.each([
    ["delta: chk-002-to-chk-003", "delta: chk-002-to-chk-004", "BAD_ID 2"],
    ["from: chk-002", "from: ", "MISSING_FIELD 1"],
    ["created: 2026-03-01T09:00:00Z", "created: soon", "BAD_DATE 3"],
    ["## Changes", "## Whatever", "MISSING_SECTION 0"],
    ["completed", "complete", "EDITED 0"],
    ["[CONTEXT-UPDATE]", "CONTEXT-UPDATE", "NOT_APPLIABLE 59"],
  ])("[KD4] %j as %j is %s", (from, to, expected) => {
    expect(
      codes(delta.replace(from, to)).map(one => one.replace(/NOT_APPLIABLE \d+/, "NOT_APPLIABLE 59")),
    ).toContain(expected);
  });

  it("[KD30] an editor's line ends and byte-order mark are no edit", () => {
    for (const text of [
      delta.replaceAll("\n", "\r\n"),
      `\uFEFF${delta}`,
      `\uFEFF${delta.replaceAll("\n", "\r\n")}`,
    ]) {
      expect(checkDelta(text)).toEqual([]);
      expect(proveDelta(text, CHECKPOINT, LATER)).toEqual([]);
      expect(misTold(text, CHECKPOINT, LATER)).toBeUndefined();
    }
  });

  it("[KD4] the sentence of the Summary may be rewritten", () => {
    const start = delta.indexOf("## Summary\n\n") + 12;
    const rewritten = `${delta.slice(0, start)}Prices are done.\nReally.${delta.slice(delta.indexOf("\n\n## Changes"))}`;
    expect(checkDelta(rewritten)).toEqual([]);
  });

  it("[KD4] line ends and blanks at the end do not break the seal, one letter does", () => {
    expect(checkDelta(delta.replaceAll("\n", "\r\n"))).toEqual([]);
    expect(checkDelta(`${delta}\n\n`)).toEqual([]);
    for (const at of [20, delta.indexOf("### Added") + 30, delta.length - 40]) {
      const letter = delta[at] === "x" ? "y" : "x";
      expect(checkDelta(delta.slice(0, at) + letter + delta.slice(at + 1)).length).toBeGreaterThan(0);
    }
  });
});
