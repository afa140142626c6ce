import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lineOf } from "../../src/adapters/process/index.ts";
import { judge } from "../../src/engine/control/decider.ts";
import { scratchFolder } from "../scratch.ts";

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = scratchFolder("espalier-line-");
});
afterEach(() => {
  child?.stdin?.destroy();
  rmSync(folder, { recursive: true });
});

/** A line of shells below this process; the last tells its number and waits for the end of its input. */
async function deepest(shells: number): Promise<number> {
  const script = join(folder, "deep.sh");
  writeFileSync(script, 'if test $1 -gt 1; then sh "$0" $(($1 - 1)); else echo $$; read -r end; fi; :\n');
  child = spawn("sh", [script, String(shells)], { stdio: ["pipe", "pipe", "ignore"] });
  return new Promise(resolve => child?.stdout?.once("data", said => resolve(Number(said))));
}

it("[E51] a line leads from a process to one whose parent is none here", async () => {
  const line = await lineOf(await deepest(20));
  expect(line.findIndex(({ pid }) => pid === process.pid)).toBe(20);
  expect(line.map(({ isOutermost = false }) => isOutermost)).toEqual(
    line.map((_, at) => at === line.length - 1),
  );
});

it("[E51] a line that is too long to be read to its end proves nobody", async () => {
  const line = await lineOf(await deepest(270));
  const own = (await lineOf(process.pid))[0]!;
  const around = { since: own.startTime - 1, adopters: [1], user: process.getuid?.() };
  expect(judge(line, { ...around, holder: own })).toEqual({ kind: "unproven" });
  expect(judge(line, { ...around, since: Number.MAX_SAFE_INTEGER })).toEqual({ kind: "unproven" });
});
