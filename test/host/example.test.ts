import { spawnSync } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { openLab } from "../cli/lab.ts";

const EXAMPLE = "examples/embedding";

it("[HO2] the example runs its plan from about twenty lines, on the package as it is built", async () => {
  await using lab = openLab();
  copyFileSync(`${EXAMPLE}/TASKS.md`, lab.path("TASKS.md"));
  const { status, stdout, stderr } = spawnSync(process.execPath, [`${EXAMPLE}/run.ts`, lab.root], {
    env: lab.env,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout.split("\n")).toEqual([
    "2 tasks, 0 findings",
    "done: T1.1, taken at its word",
    "done: T1.2, proved",
    "completed: 2 of 2",
    "",
  ]);
  expect(status).toBe(0);
  expect(lab.read("bill.txt")).toBe("9\n");
  const lines = readFileSync(`${EXAMPLE}/run.ts`, "utf8")
    .split("\n")
    .filter(line => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(22);
});
