import { execFile } from "node:child_process";
import { cpSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { PACKAGE_ROOT } from "../../../src/host/package.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

it("[CL56] a run ends, and tells what became of it, where the program was replaced meanwhile", async () => {
  const wait = "run: touch ../begun; until test -e ../replaced; do sleep 0.05; done; echo 1 > one.txt";
  const tasks = { "T1.1": [wait], "T1.2": ["run: echo broken; exit 3"] };
  await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ "1: s": tasks }) });
  const copy = join(lab.home, "espalier");
  mkdirSync(copy);
  for (const name of ["bin", "dist", "package.json"])
    cpSync(join(PACKAGE_ROOT, name), join(copy, name), { recursive: true });
  const env = { PATH: process.env["PATH"], HOME: lab.home, XDG_STATE_HOME: join(lab.home, "state") };
  const args = [join(copy, "bin/espalier.js"), "run", "--yes"];
  const running = promisify(execFile)(process.execPath, args, { cwd: lab.root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, told: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, told: `${stdout}${stderr}` }),
  );
  await expect.poll(() => lab.has(lab.path("../begun")), { timeout: 60_000 }).toBe(true);
  renameSync(join(copy, "dist/shared"), join(copy, "dist/gone"));
  lab.write("../replaced", "");
  const { code, told } = await running;
  expect([code, told]).toEqual([5, expect.stringContaining("espalier task show T1.2")]);
  expect(lab.git("show", "phase/1-s:one.txt")).toBe("1");
});
