import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Test files that hold this text, in the order of their names. */
export function testFilesWith(text: string): string[] {
  return globSync("test/**/*.test.{ts,tsx}", { cwd: ROOT, exclude: ["test/agents/**"] })
    .filter(path => readFileSync(join(ROOT, path), "utf8").includes(text))
    .sort();
}

/** Runs test files with more environment; returns the names of what failed, none where all passed. */
export function runTestFiles(
  files: readonly string[],
  env: Readonly<Record<string, string>>,
): readonly string[] {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--reporter=dot", ...files], {
    cwd: ROOT,
    env: { ...process.env, ...env, NO_COLOR: "1" },
    encoding: "utf8",
    maxBuffer: 256 * 1024 ** 2,
  });
  if (status === 0) return [];
  const names = stdout.split("\n").filter(line => line.includes("FAIL"));
  return names.length === 0 ? ["vitest did not end well"] : [...new Set(names)];
}
