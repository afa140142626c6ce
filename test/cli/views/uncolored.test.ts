import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finalState, uncolored } from "../../../src/cli/views/terminal/uncolored.ts";
import { visible } from "../../../src/text/index.ts";
import { growth, LINEAR } from "../../growth.ts";

describe("program output", () => {
  it.each([
    ["plain", "plain"],
    ["\u001b[31mred\u001b[0m text", "red text"],
    ["\u001b[38;5;196mred\u001b[m", "red"],
    ["a\u001b[2Kb\u001b[1Ac", "abc"],
    ["\u001b[31m\u001b[1m", ""],
    ["cut \u001b[31", "cut \u001b[31"],
    ["\u001b]0;title\u0007x", "\u001b]0;title\u0007x"],
    ["\u001bc", "\u001bc"],
    ["\u001b[\u0001m", "\u001b[\u0001m"],
    ["\u001b\u001b[31mx", "\u001bx"],
  ])("[VL3] %j without its colours is %j", (text, expected) => {
    expect(uncolored(text)).toBe(expected);
  });

  it("[VL3] a progress display shows its last state", () => {
    expect(finalState("10%\r20%\r\u001b[32m30%\u001b[0m\r")).toBe("30%");
    expect(finalState("  indented \r\n")).toBe("indented");
    expect(finalState("\r\r")).toBe("");
  });

  it("[VV1] never makes dangerous what was not", () => {
    const text = fc.string({
      unit: fc.constantFrom("\u001b", "[", "3", ";", "m", "A", "x", "\u001b[31m"),
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, value => {
        const clean = uncolored(value);
        expect(clean.length).toBeLessThanOrEqual(value.length);
        expect(visible(clean)).not.toContain("\u001b");
      }),
    );
  });

  it("[VV7] takes linear time on half sequences", () => {
    for (const unit of ["\u001b[1;", "\u001b[31m"])
      expect(growth(50_000, size => unit.repeat(size), uncolored)).toBeLessThan(LINEAR);
  });
});
