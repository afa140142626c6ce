import { uncolored } from "../../text/index.ts";

/** What a test runner says of its tests at the end of its output. */
export interface TestReport {
  readonly runner: string;
  /** Tests that ran; undefined where the runner counts none. */
  readonly ran: number | undefined;
  /** Tests that ran and failed; what could not even be loaded is none. */
  readonly failed: number;
}

type Reader = (text: string) => Omit<TestReport, "runner"> | undefined;

/** The sum of what a pattern's first group counts; undefined where it is nowhere. */
function sum(text: string, pattern: RegExp): number | undefined {
  let total: number | undefined;
  for (const [, count] of text.matchAll(pattern)) total = (total ?? 0) + Number(count);
  return total;
}

/** The counts of a line such as `1 failed, 2 passed in 0.3s`. */
function counted(line: string, passes: RegExp, fails: RegExp): ReturnType<Reader> {
  const failed = sum(line, fails) ?? 0;
  return { ran: failed + (sum(line, passes) ?? 0), failed };
}

const PASSED = /\b(\d{1,9}) passed/g;
const FAILED = /\b(\d{1,9}) failed/g;

/** `Tests  1 failed | 5 passed (6)`, `Tests  no tests`. */
const vitest: Reader = text => {
  const line = /^ *Tests {2,}((?:\d+ |no tests).*)$/m.exec(text)?.[1];
  if (line !== undefined) return counted(line, PASSED, FAILED);
  return text.includes("No test files found") ? { ran: 0, failed: 0 } : undefined;
};

/** `Tests:       1 failed, 5 passed, 6 total`. */
const jest: Reader = text => {
  const line = /^Tests: .*$/m.exec(text)?.[0];
  if (line?.endsWith(" total") === true) return counted(line, PASSED, FAILED);
  return text.includes("No tests found, exiting with code") ? { ran: 0, failed: 0 } : undefined;
};

/**
 * `# tests 3` and `# fail 1`, or `ℹ tests 3` and `ℹ fail 1`. A file that cannot be loaded counts as a failed test there, and one that is
 * skipped as a test.
 */
const node: Reader = text => {
  const tests = sum(text, /^[#ℹ] tests (\d+)$/gm);
  const failed = sum(text, /^[#ℹ] fail (\d+)$/gm);
  if (tests === undefined || failed === undefined) return undefined;
  const ran = tests - (sum(text, /^[#ℹ] skipped (\d+)$/gm) ?? 0);
  const broken = text.match(/^ +(?:error: )?'test failed'$/gm)?.length ?? 0;
  return { ran: Math.max(0, ran - broken), failed: Math.max(0, failed - broken) };
};

/** `2 passing (8ms)` and `1 failing`. */
const mocha: Reader = text => {
  const passed = sum(text, /^ +(\d+) passing \(/gm);
  if (passed === undefined) return undefined;
  const failed = sum(text, /^ +(\d+) failing$/gm) ?? 0;
  return { ran: passed + failed, failed };
};

/** `=== 1 failed, 2 passed in 0.12s ===`, `no tests ran in 0.01s`. */
const pytest: Reader = text => {
  for (const line of text.split("\n")) {
    const told = line.replace(/^=+/, "").trim();
    const at = told.indexOf(" in ");
    if (at < 0 || !/^\d[\d.]*s/.test(told.slice(at + " in ".length))) continue;
    const counts = told.slice(0, at);
    const isReport = counts.split(", ").every(one => /^\d{1,9} \w+$/.test(one));
    if (isReport || counts === "no tests ran") return counted(counts, PASSED, FAILED);
  }
  return undefined;
};

/** `--- FAIL: TestCart`, `ok  example/cart  0.01s`, `?  example/cart  [no test files]`. It counts no tests that pass. */
const go: Reader = text => {
  const packages = text.match(/^(?:ok|FAIL|\?)? *\t\S+/gm) ?? [];
  if (packages.length === 0) return undefined;
  const failed = text.match(/^--- FAIL: /gm)?.length ?? 0;
  const isEmpty = packages.every(line => line.startsWith("?"));
  return { ran: isEmpty ? 0 : undefined, failed };
};

/** `test result: FAILED. 1 passed; 1 failed; 0 ignored`, one line for each crate. */
const cargo: Reader = text => {
  const lines = text.match(/^test result: .*$/gm);
  return lines === null ? undefined : counted(lines.join("\n"), PASSED, FAILED);
};

const RUNNERS: Readonly<Record<string, Reader>> = {
  vitest,
  jest,
  "node --test": node,
  mocha,
  pytest,
  "go test": go,
  "cargo test": cargo,
};

/** Reads the report of a known test runner at the end of an output; undefined where none is found. */
export function readTestReport(output: string): TestReport | undefined {
  const text = uncolored(output);
  for (const [runner, read] of Object.entries(RUNNERS)) {
    const found = read(text);
    if (found !== undefined) return { runner, ...found };
  }
  return undefined;
}

/** What a report says, in a few words; empty where there is none. */
export function reportText(report: TestReport | undefined): string {
  if (report === undefined) return "";
  const { runner, ran, failed } = report;
  return `${runner}: ${ran === undefined ? "" : `${ran} ran, `}${failed} failed`;
}
