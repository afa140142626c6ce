import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openStage } from "../../puppet/stage.ts";
import { type Lab, openLab } from "../lab.ts";
import { openRepositoryLab, tasksFile } from "../repository/lab.ts";

const TASKS = tasksFile({ 1: { "T1.1": ["run: true"], "T1.2": ["run: true"] } });
const NOTE = "all tasks work in this folder, so they go out one at a time";

const git = (lab: Lab, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: lab.root });
const waves = async (lab: Lab, ...args: readonly string[]) =>
  JSON.parse((await lab.ask("run", "--dry-run", "--json", ...args)).stdout).waves as readonly string[][];

describe("tasks that would write one folder", () => {
  it("[E83] go out one at a time, which is said in one line, until another number is asked for", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": TASKS.replaceAll("run: true", `run: ${stage.script}`) });
    expect(await waves(lab, "--parallel", "2")).toEqual([["T1.1", "T1.2"]]);
    const run = lab.start(["run", "--yes"]);
    const one = await stage.nextCall("T1.1");
    await run.seen(`no git repository: ${NOTE}`);
    const { tasks } = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(tasks).toEqual([
      expect.objectContaining({ id: "T1.1", status: "in_progress" }),
      expect.objectContaining({ id: "T1.2", status: "ready" }),
    ]);
    await one.exit(0);
    await (await stage.nextCall("T1.2")).exit(0);
    expect((await run.ended).code).toBe(0);
  });

  it("[E83] are told of by plan and run --dry-run, with why", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const told = async (...args: readonly string[]) => (await lab.ask(...args)).stderr;
    for (const [why, prepare] of [
      ["no git repository", () => {}],
      ["the git repository has no commit yet", () => git(lab, "init", "-q")],
    ] as const) {
      prepare();
      expect(await waves(lab)).toEqual([["T1.1"], ["T1.2"]]);
      expect(await told("run", "--dry-run")).toContain(`${why}: ${NOTE}`);
      expect(await told("plan")).toContain(`${why}: ${NOTE}`);
      expect((await lab.ask("plan")).stdout).toMatch(/Widest front +1 at once +T1\.1\n/);
    }
    expect((await lab.ask("init", "--yes")).stdout).toContain(
      "git           no commit yet: tasks go out one at a time",
    );
    lab.write("espalier.yaml", "locale: ko\n");
    expect(await told("plan")).toContain("모든 태스크가 이 폴더에서 작업하므로 하나씩 실행됩니다");
    lab.write("espalier.yaml", "parallel: 5\n");
    expect(await told("plan")).toBe("");
    expect(await waves(lab)).toEqual([["T1.1", "T1.2"]]);
  });

  it("[E83] have folders of their own from the first commit on, unless that is off", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    expect(await waves(lab)).toEqual([["T1.1", "T1.2"]]);
    expect((await lab.ask("plan")).stderr).toBe("");
    lab.write("espalier.yaml", "git: { worktrees: off }\n");
    expect(await waves(lab)).toEqual([["T1.1"], ["T1.2"]]);
    expect((await lab.ask("plan")).stderr).toContain(`git.worktrees: off: ${NOTE}`);
  });

  it("[E83] are not spoken of where only one can go at a time", async () => {
    const chain = tasksFile({ 1: { "T1.1": ["run: true"], "T1.2": ["run: true", "depends_on: [T1.1]"] } });
    await using lab = openLab({ "TASKS.md": chain });
    expect((await lab.ask("run", "--yes")).stderr).toBe("");
  });
});
