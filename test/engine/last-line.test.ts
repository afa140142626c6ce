import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complaintLine, lastLine } from "../../src/engine/attempt/last-line.ts";

describe("what a failed check is told by", () => {
  it.each([
    [
      "node --test",
      "✖ adds (0.5ms)\n  AssertionError [ERR_ASSERTION]: 1 !== 2\n      at x.js:1:1 {\n    code: 'ERR_ASSERTION',\n    diff: 'simple'\n  }\n",
      "AssertionError [ERR_ASSERTION]: 1 !== 2",
    ],
    [
      "a compiler",
      "a.ts(1,1): error TS2304: Cannot find name 'x'.\n\n",
      "a.ts(1,1): error TS2304: Cannot find name 'x'.",
    ],
    [
      "a runner with a summary",
      "Tests: 1 failed, 2 passed\nTime: 0.5 s\nRan all test suites.\n",
      "Tests: 1 failed, 2 passed",
    ],
    ["anything else", "checking\n  not there  \n\n", "not there"],
    ["nothing", "\n \n", ""],
  ])("[E11] %s: the line that says what is wrong", (_, output, told) => {
    expect(complaintLine(output, 80)).toBe(told);
  });

  it("[E11] is one safe line, and the last of the output where none complains", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 100 }), (text, most) => {
        const told = complaintLine(text, most);
        expect(told).not.toContain("\n");
        expect(told.length).toBeLessThanOrEqual(most);
        const complains = text.includes("FAIL") || /rror|failed|not ok|✖|✗/.test(text);
        expect(complains || told === lastLine(text, most)).toBe(true);
      }),
    );
    expect(complaintLine(`Error: early\n${"x\n".repeat(20_000)}`, 80)).toBe("x");
  });
});
