import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { complaintLine, lastLine } from "../../src/engine/attempt/last-line.ts";
import { itWhole } from "../sample.ts";

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
    [
      "npm test around node --test",
      "✖ adds (0.5ms)\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1\nnpm error path /p\nnpm error A complete log of this run can be found in: /r/.npm/_logs/2026-debug-0.log\n",
      "✖ adds (0.5ms)",
    ],
    [
      "npm of its own account",
      'npm error Missing script: "tset"\nnpm error\nnpm error A complete log of this run can be found in: /r/_logs/x.log\n',
      'npm error Missing script: "tset"',
    ],
    ["pnpm", "Tests: 1 failed\n ELIFECYCLE  Test failed. See above for more details.\n", "Tests: 1 failed"],
    [
      "yarn",
      "not there\nerror Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation\n",
      "not there",
    ],
    [
      "make",
      "a.c:1: undefined x\nmake[1]: *** [Makefile:3: all] Error 2\nmake: *** [top] Error 2\n",
      "a.c:1: undefined x",
    ],
    [
      "make of its own account",
      "make: *** No rule to make target 'tset'.  Stop.\n",
      "make: *** No rule to make target 'tset'.  Stop.",
    ],
    [
      "a runner that is all there is",
      "make: *** [Makefile:3: all] Error 2\n",
      "make: *** [Makefile:3: all] Error 2",
    ],
    ["anything else", "checking\n  not there  \n\n", "not there"],
    ["nothing", "\n \n", ""],
  ])("[E11] [E111] %s: the line that says what is wrong", (_, output, told) => {
    expect(complaintLine(output, 80)).toBe(told);
  });

  itWhole("[E11] is one safe line, and the last of the output where none complains", () => {
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
