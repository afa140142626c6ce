import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Test files that hold properties. */
function files(): string[] {
  return globSync("test/**/*.test.{ts,tsx}", { cwd: ROOT, exclude: ["test/agents/**"] }).filter(path =>
    readFileSync(join(ROOT, path), "utf8").includes('from "fast-check"'),
  );
}

/** Runs every property with so many other seeds. Returns what failed, one sentence for each seed. */
export async function runProperties(seeds: number, first: number): Promise<readonly string[]> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const broken: string[] = [];
  for (let seed = first + 1000; seed < first + 1000 + seeds; seed++) {
    const { status, stdout } = spawnSync(process.execPath, [vitest, "run", "--reporter=dot", ...files()], {
      cwd: ROOT,
      env: { ...process.env, ESPALIER_SEED: `${seed}`, NO_COLOR: "1" },
      encoding: "utf8",
      maxBuffer: 256 * 1024 ** 2,
    });
    if (status === 0) continue;
    const names = stdout.split("\n").filter(line => line.includes("FAIL"));
    broken.push(`ESPALIER_SEED=${seed}: ${[...new Set(names)].join("; ") || "vitest did not end well"}`);
  }
  return broken;
}
