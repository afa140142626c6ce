import { globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** A reading of a clock or a measured time, compared with what it may be at most. */
const BOUNDED = /(?:\.now\(\)|cpuUsage\([^)]*\)|\b(?:ms|elapsed|duration)\b)[^;\n]*\)\s*\.toBeLessThan/;

describe("tests", () => {
  const files = globSync(["test/**/*.test.ts", "src/testing/*.ts"], {
    exclude: path => path.endsWith("node_modules"),
  }).filter(path => path !== "test/house/clocks.test.ts");

  it("know no time that must not be exceeded: a busy machine would break them", () => {
    expect(files.length).toBeGreaterThan(100);
    const bounded = files.flatMap(file =>
      readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line, at) => (BOUNDED.test(line) ? [`${file}:${at + 1}: ${line.trim()}`] : [])),
    );
    expect(bounded).toEqual([]);
  });

  it.each([
    "expect(performance.now() - began).toBeLessThan(500);",
    "expect(end.ms).toBeLessThan(2_000);",
    "expect((performance.now() - start) / 10).toBeLessThan(100);",
    "expect(Date.now() - before).toBeLessThanOrEqual(9);",
  ])("that do are found: %s", line => {
    expect(BOUNDED.test(line)).toBe(true);
  });

  it.each(["expect(performance.now() - began).toBeGreaterThan(700);", "expect(rooms).toBeLessThan(3);"])(
    "and others are left alone: %s",
    line => {
      expect(BOUNDED.test(line)).toBe(false);
    },
  );
});
