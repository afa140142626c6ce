import { describe, expect, it } from "vitest";
import { readTestReport } from "../../src/engine/attempt/test-report.ts";

const lines = (...text: readonly string[]) => text.join("\n");

describe("the report of a test runner", () => {
  it.each([
    [
      "vitest",
      lines(
        "\u001b[2m Test Files \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[90m (1)\u001b[39m",
        "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[31m1 failed\u001b[39m\u001b[22m\u001b[2m | \u001b[22m\u001b[1m\u001b[32m4 passed\u001b[39m\u001b[22m\u001b[90m (5)\u001b[39m",
        "   Duration  2.17s",
      ),
      { ran: 5, failed: 1 },
    ],
    ["vitest", lines(" Test Files  1 failed (1)", "      Tests  no tests"), { ran: 0, failed: 0 }],
    ["vitest", "\nNo test files found, exiting with code 1\n", { ran: 0, failed: 0 }],
    [
      "jest",
      lines("Test Suites: 1 failed, 1 total", "Tests:       2 failed, 1 skipped, 5 passed, 8 total"),
      { ran: 7, failed: 2 },
    ],
    ["jest", lines("Test Suites: 1 failed, 1 total", "Tests:       0 total"), { ran: 0, failed: 0 }],
    ["node --test", lines("ℹ tests 2", "ℹ pass 1", "ℹ fail 1", "", "✖ x (1.3ms)"), { ran: 2, failed: 1 }],
    ["node --test", lines("ℹ tests 3", "ℹ pass 1", "ℹ fail 0", "ℹ skipped 2"), { ran: 1, failed: 0 }],
    ["node --test", lines("not ok 1 - x", "# tests 3", "# pass 1", "# fail 2"), { ran: 3, failed: 2 }],
    [
      "node --test",
      lines("ℹ tests 1", "ℹ pass 0", "ℹ fail 1", "", "test at b.test.mjs:1:1", "  'test failed'"),
      { ran: 0, failed: 0 },
    ],
    [
      "node --test",
      lines("not ok 1 - b.test.mjs", "  error: 'test failed'", "  ...", "# tests 4", "# pass 2", "# fail 2"),
      { ran: 3, failed: 1 },
    ],
    ["mocha", lines("  5 passing (12ms)", "  1 failing", "", "  1) cart"), { ran: 6, failed: 1 }],
    ["mocha", "  0 passing (1ms)\n", { ran: 0, failed: 0 }],
    ["pytest", "===== 1 failed, 2 passed, 1 skipped in 0.12s =====", { ran: 3, failed: 1 }],
    ["pytest", "1 failed in 0.02s", { ran: 1, failed: 1 }],
    ["pytest", "===== 1 error in 0.09s =====", { ran: 0, failed: 0 }],
    ["pytest", "no tests ran in 0.01s", { ran: 0, failed: 0 }],
    [
      "go test",
      lines("--- FAIL: TestCart (0.00s)", "FAIL", "FAIL\texample/cart\t0.002s", "ok  \texample/shop\t0.001s"),
      { ran: undefined, failed: 1 },
    ],
    ["go test", "?   \texample/cart\t[no test files]", { ran: 0, failed: 0 }],
    ["go test", "FAIL\texample/cart [build failed]", { ran: undefined, failed: 0 }],
    [
      "cargo test",
      lines(
        "test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out",
        "test result: ok. 2 passed; 0 failed; 0 ignored",
      ),
      { ran: 6, failed: 1 },
    ],
  ])("[E91] of %s is read: %j", (runner, text, report) => {
    expect(readTestReport(text)).toEqual({ runner, ...report });
  });

  it.each(["", "Error: 1 failed", "FAIL", "tests 3\nfail 1", "all 5 tests passed", "Tests failed: 3"])(
    "[E91] is not seen in other words: %j",
    text => {
      expect(readTestReport(text)).toBeUndefined();
    },
  );
});
