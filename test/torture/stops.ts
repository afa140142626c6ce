import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Findings } from "./proof.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Milliseconds after which a stop is told of as slow: how long it takes is the machine's, too. */
const SLOW = 5000;

/** Stops runs in pairs of a state and a way to stop it, from the one of that number on. */
export async function stopRuns(count: number, from: number, say: (line: string) => void): Promise<Findings> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const times = join(tmpdir(), `espalier-stops-${process.pid}`);
  const { status, stdout } = spawnSync(
    process.execPath,
    [vitest, "run", "test/cli/run/stop-states.test.ts"],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        ESPALIER_STOPS: `${from}-${from + count}`,
        ESPALIER_STOP_TIMES: times,
        NO_COLOR: "1",
      },
      encoding: "utf8",
      maxBuffer: 256 * 1024 ** 2,
    },
  );
  const told = existsSync(times) ? readFileSync(times, "utf8").trimEnd().split("\n") : [];
  rmSync(times, { force: true });
  const all = told.map(line => JSON.parse(line) as { how: string; at: string; ms: number });
  const slow = all.filter(({ ms }) => ms > SLOW);
  for (const { how, at, ms } of slow) say(`${how} while ${at}: gone after ${ms} ms`);
  const names = stdout.split("\n").filter(line => line.includes("FAIL"));
  const broken = status === 0 ? [] : [[...new Set(names)].join("; ") || "vitest did not end well"];
  return { counts: { stops: all.length, slow: slow.length }, broken };
}
