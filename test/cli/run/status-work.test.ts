import { expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

it("[CL13] status tells where the work of a run is that nobody works on, and what merges it", async () => {
  await using lab = openRepositoryLab({
    "espalier.yaml": "sameError: 1\n",
    "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: exit 1"] } }),
  });
  expect((await lab.ask("run", "--yes")).code).toBe(5);
  expect((await lab.ask("status")).stdout).toContain("unfinished  phase 1 on phase/1-a");
  await lab.ask("task", "done", "T1.2");
  const { stdout } = await lab.ask("status");
  expect(stdout).toContain("Job  completed");
  expect(stdout).toContain("not merged  phase 1 on phase/1-a");
  expect(stdout).toContain("espalier phase merge 1");
  expect((await lab.ask("phase", "merge", "1", "--yes")).code).toBe(0);
  const merged = (await lab.ask("status")).stdout;
  expect(merged).toContain("in main  Phase 1");
  expect(merged).not.toContain("What next");
});
