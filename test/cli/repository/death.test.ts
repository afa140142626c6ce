import { cpSync, readdirSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openStage, type Stage } from "../../puppet/stage.ts";
import { asEspalier } from "../safety/as-espalier.ts";
import { attemptsOf, openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

/** Puts the state where it was when a task's work had landed, and the process died before it had written that down. */
function forgetEnd(lab: RepositoryLab, task: string): void {
  asEspalier(
    lab,
    `UPDATE attempts SET ended_at = 0, outcome = 'running', commit_id = NULL WHERE task = '${task}';
     UPDATE tasks SET status = 'in_progress', verified = NULL WHERE id = '${task}'`,
  );
}

/** A run whose process died when the work of T0.1 had landed, and while T0.2 was worked on. */
async function dieLanded(stage: Stage): Promise<RepositoryLab> {
  const tasks = { "T0.1": ["run: echo x >> base.txt"], "T0.2": [`run: ${stage.script}`] };
  const lab = openRepositoryLab({ "TASKS.md": tasksFile({ "0: base": tasks }) });
  const run = lab.start(["run", "--yes"]);
  await stage.nextCall("T0.2");
  run.signal("SIGKILL");
  await run.ended;
  forgetEnd(lab, "T0.1");
  return lab;
}

describe("a process that died", { timeout: 120_000 }, () => {
  it("[E38] after its work had landed is believed the repository, whatever dies next", async () => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    const second = lab.start(["resume", "--yes"]);
    await stage.nextCall("T0.2");
    second.signal("SIGKILL");
    const { stderr } = await second.ended;
    expect(stderr).toContain("had landed when the last process died, so completed: T0.1");

    const third = lab.start(["resume", "--yes"]);
    await (await stage.nextCall("T0.2")).exit(0);
    const { code, stdout } = await third.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("[DISPATCH] T0.1");
    expect(lab.read("base.txt")).toBe("x\n");
    const landed = lab.git("log", "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)", "main");
    expect(landed.split("\n").filter(Boolean)).toEqual(["T0.2", "T0.1"]);
  });

  it.each([
    ["another one is checked out", ["switch", "-q", "-c", "elsewhere", "main~1"]],
    ["it has got another name", ["branch", "-m", "main", "trunk"]],
  ])("[E38] after its work had landed on a branch is believed so also when %s", async (_when, git) => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    lab.git(...git);
    expect((await lab.ask("task", "pause", "T0.2")).stderr).toContain("so completed: T0.1");
  });

  it("[E38] after its work had landed is believed so also when work on branches is switched off", async () => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    lab.write("espalier.yaml", "git: { worktrees: off }\n");
    expect((await lab.ask("task", "pause", "T0.2")).stderr).toContain("so completed: T0.1");
  });

  it("[E38] after its work had landed is believed so also when the project was moved, on a person's word for its state", async () => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    const moved = lab.beside("moved");
    // As a copy that comes from a hub: without a backup.
    cpSync(lab.root, moved, { recursive: true });
    for (const name of readdirSync(`${moved}/.espalier`))
      if (name.endsWith(".bak")) rmSync(`${moved}/.espalier/${name}`);
    // Nothing is written down of it before its commands are approved.
    const refused = await lab.cli(["run", "--adopt"], { cwd: "../moved" });
    expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining("APPROVAL_NEEDED")]);
    const second = lab.start(["run", "--yes"], { cwd: "../moved" });
    await (await stage.nextCall("T0.2")).exit(0);
    const { code, stdout, stderr } = await second.ended;
    expect([code, stderr]).toEqual([0, expect.stringContaining("so completed: T0.1")]);
    expect(stdout).not.toContain("[DISPATCH] T0.1");
    expect(lab.text(`${moved}/base.txt`)).toBe("x\n");
  });

  it("[E38] while its work was landing is not closed where git is not found", async () => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    const blind = await lab.cli(["task", "pause", "T0.2"], { env: { PATH: lab.home } });
    expect([blind.code, blind.stderr]).toEqual([6, expect.stringContaining("T0.1 was landing")]);
    expect((await attemptsOf(lab, "T0.1")).map(({ outcome }) => outcome)).toEqual(["running"]);
    const paused = await lab.ask("task", "pause", "T0.2");
    expect(paused.stderr).toContain("so completed: T0.1");
  });

  it("[E38] after its work had landed is believed the repository by whoever comes first, a lead or a person", async () => {
    await using stage = await openStage();
    await using lab = await dieLanded(stage);

    const paused = await lab.ask("task", "pause", "T0.2");
    expect(paused.stderr).toContain("had landed when the last process died, so completed: T0.1");
    expect((await lab.ask("next")).stdout).not.toContain("T0.1");
    expect((await attemptsOf(lab, "T0.1")).map(({ outcome }) => outcome)).toEqual(["done"]);
    await lab.ask("task", "resume", "T0.2");
    const second = lab.start(["resume", "--yes"]);
    await (await stage.nextCall("T0.2")).exit(0);
    expect((await second.ended).code).toBe(0);
    expect(lab.read("base.txt")).toBe("x\n");
    expect(lab.read(".espalier/orchestrate.log").match(/\[DONE\] T0\.1/g)).toHaveLength(2);
  });
});
