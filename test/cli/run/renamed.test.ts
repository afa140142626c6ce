import { mkdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "../repository/lab.ts";

const TASKS = tasksFile({
  "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["depends_on: [T1.1]", "run: test -e ready.txt"] },
});

/** A run that waits for a person, with one task done. */
async function openWaiting(): Promise<RepositoryLab> {
  const lab = openRepositoryLab({ "espalier.yaml": "sameError: 1\n", "TASKS.md": TASKS });
  expect((await lab.ask("run", "--yes")).code).toBe(5);
  return lab;
}

const MOVED = "PLAN.md holds the tasks of TASKS.md by now; to go on with the run there: espalier run PLAN.md";

describe("a task file that was given another name", () => {
  it.each([["resume", "--yes"], ["run"], ["run", "TASKS.md"], ["task", "resume", "T1.2"]])(
    "[HO56] is found by its tasks, and what goes on with it is told: %s %s",
    async (...args) => {
      await using lab = await openWaiting();
      lab.git("mv", "TASKS.md", "PLAN.md");
      const { code, stderr } = await lab.ask(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("TASKS_NOT_FOUND")]);
      expect(stderr).toContain(MOVED);
    },
  );

  it("[HO56] goes on with its run under the new name, edited or not, from then on too", async () => {
    await using lab = await openWaiting();
    mkdirSync(lab.path("docs"));
    renameSync(lab.path("TASKS.md"), lab.path("docs/PLAN.md"));
    lab.write("docs/PLAN.md", `${lab.read("docs/PLAN.md")}### [ ] T1.3: more\n- run: true\n`);
    lab.write("ready.txt", "");
    lab.git("add", "-A");
    lab.git("commit", "-qm", "moved");
    const { stdout, stderr } = await lab.ask("run", "docs/PLAN.md", "--yes");
    expect(stderr).toContain("TASKS.md is docs/PLAN.md by now: its run goes on");
    expect(stdout).toContain("Job: 3 tasks, resumed");
    expect((await lab.ask("task", "resume", "T1.2")).code).toBe(0);
    const { code, stdout: again } = await lab.ask("resume", "--yes");
    expect([code, again]).toEqual([0, expect.stringContaining("[DONE] T1.2")]);
    expect(again).not.toContain("by now");
    expect(lab.read("docs/PLAN.md")).toContain("### [x] T1.2");
  });

  it("[HO56] is not guessed: of several with its tasks all are named", async () => {
    await using lab = await openWaiting();
    lab.write("old/A.md", lab.read("TASKS.md"));
    lab.git("mv", "TASKS.md", "PLAN.md");
    const { code, stderr } = await lab.ask("resume", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("several files hold the tasks of TASKS.md by now: PLAN.md, old/A.md");
  });

  it("[HO56] is none where other tasks stand in the file, or its own is still there", async () => {
    await using lab = await openWaiting();
    lab.write("PLAN.md", tasksFile({ "1: b": { "T1.1": ["run: echo other > other.txt"] } }));
    expect((await lab.ask("run", "PLAN.md", "--dry-run")).stdout).toContain("T1.1");
    rmSync(lab.path("TASKS.md"));
    expect((await lab.ask("resume")).stderr).toContain("check the path");
    const other = await lab.ask("run", "PLAN.md", "--yes");
    expect(other.stderr).toContain("the earlier run of TASKS.md is put aside; this is a new run");
  });
});
