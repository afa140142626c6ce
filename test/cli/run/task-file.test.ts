import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { openStage, type Stage } from "../../puppet/stage.ts";
import { type Lab, openLab, type Running } from "../lab.ts";

const FAST = "parallel: 5\nbackoff: { first: 0s }\nlimits: { grace: 500ms }\n";
const FIRST = "### [ ] T1.1: first\n- run: echo x >> first\n";

function plan(...tasks: readonly string[]): string {
  return `# F\n## Phase 1: p\n${tasks.join("")}`;
}

function puppet(stage: Stage, id: string): string {
  return `### [ ] ${id}: puppet\n- depends_on: [T1.1]\n- run: ${stage.script}\n`;
}

/** A run that stands at its puppet T1.2, with T1.1 done and ticked. */
async function standing(
  lab: Lab,
  stage: Stage,
  args: readonly string[] = [],
): Promise<{ run: Running; finish(): Promise<void> }> {
  const run = lab.start(["run", "--yes", ...args]);
  const call = await stage.nextCall("T1.2");
  await ticked(lab, "T1.1");
  return { run, finish: () => call.exit(0) };
}

/** Our own ticks are written by renaming, so a look at the file sees it before or after. */
async function ticked(lab: Lab, id: string): Promise<void> {
  while (!lab.read("TASKS.md").includes(`[x] ${id}`)) await new Promise(setImmediate);
}

describe.concurrent("a task file that changes while its run goes on", { timeout: 120_000 }, () => {
  it("takes in added tasks, lets removed ones go, and knows changed ones", async () => {
    await using stage = await openStage();
    const third = "### [ ] T1.3: third\n- depends_on: [T1.2]\n- run: touch third\n";
    await using lab = openLab({
      "TASKS.md": plan(FIRST, puppet(stage, "T1.2"), third),
      "espalier.yaml": FAST,
    });
    const { run, finish } = await standing(lab, stage);
    const fourth = "### [ ] T1.4: fourth\n- depends_on: [T1.1]\n- run: touch fourth\n";
    lab.write("TASKS.md", lab.read("TASKS.md").replace(third, fourth));
    await run.seen("[PLAN] task file changed: 1 added, 1 removed, 0 changed");
    // A block nobody has approved yet: what was approved was what stood there at the start.
    await run.seen("[PAUSED] T1.4: its run: block is not approved yet");
    await finish();
    const { code } = await run.ended;
    expect(code).toBe(5);
    expect([existsSync(lab.path("third")), existsSync(lab.path("fourth"))]).toEqual([false, false]);
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
    expect(existsSync(lab.path("fourth"))).toBe(true);
    const status = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(status.tasks.map((row: { id: string }) => row.id)).toEqual(["T1.1", "T1.2", "T1.4"]);
  });

  it("puts a completed task before a person when its text changed (exit 5)", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": plan(FIRST, puppet(stage, "T1.2")), "espalier.yaml": FAST });
    const { run, finish } = await standing(lab, stage);
    lab.write("TASKS.md", lab.read("TASKS.md").replace("T1.1: first", "T1.1: first, and better"));
    await run.seen("[PAUSED] T1.1: its text changed after the work was done");
    await finish();
    const { code, stdout } = await run.ended;
    expect(code).toBe(5);
    expect(stdout).toContain("espalier task done T1.1");
    expect((await lab.ask("task", "done", "T1.1")).code).toBe(0);
    expect((await lab.cli(["resume"])).code).toBe(0);
    expect(lab.read("first")).toBe("x\n");
  });

  it("goes on with the plan it has while the file is missing, unreadable or wrong, and ticks once it is back", async () => {
    await using stage = await openStage();
    const third = "### [ ] T1.3: third\n- run: while ! test -e third; do sleep 0.02; done\n";
    await using lab = openLab({
      "TASKS.md": plan(FIRST, puppet(stage, "T1.2"), third),
      "espalier.yaml": FAST,
    });
    const { run, finish } = await standing(lab, stage);
    const good = lab.read("TASKS.md");
    rmSync(lab.path("TASKS.md"));
    await run.seen("[WARN] TASK_FILE the task file cannot be read");
    lab.write("third", "");
    await run.seen("[DONE] T1.3");
    await run.seen("[WARN] BOX_NOT_TICKED");
    lab.write("TASKS.md", good.replace("T1.2: puppet", "T1.1: puppet"));
    await run.seen("[WARN] TASK_FILE the task file has an error now (line 3: ");
    lab.write("TASKS.md", good);
    await ticked(lab, "T1.3");
    await finish();
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("[PLAN]");
    expect(lab.read("TASKS.md")).toBe(good.replaceAll("[ ]", "[x]"));
  });

  it("never writes through a link that stands in its place", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": plan(FIRST, puppet(stage, "T1.2")), "espalier.yaml": FAST });
    const { run, finish } = await standing(lab, stage);
    const victim = `${lab.home}/victim`;
    const text = lab.read("TASKS.md");
    writeFileSync(victim, text);
    rmSync(lab.path("TASKS.md"));
    symlinkSync(victim, lab.path("TASKS.md"));
    await finish();
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("[WARN] BOX_NOT_TICKED");
    expect(readFileSync(victim, "utf8")).toBe(text);
    expect(lstatSync(lab.path("TASKS.md")).isSymbolicLink()).toBe(true);
    const { tasks } = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(tasks.map((row: { status: string }) => row.status)).toEqual(["completed", "completed"]);
  });

  it("does not believe a box that a hand ticked, and ticks again what a hand unticked", async () => {
    await using stage = await openStage();
    const third = "### [ ] T1.3: third\n- depends_on: [T1.2]\n- run: true\n";
    await using lab = openLab({
      "TASKS.md": plan(FIRST, puppet(stage, "T1.2"), third),
      "espalier.yaml": FAST,
    });
    const { run, finish } = await standing(lab, stage);
    lab.write("TASKS.md", lab.read("TASKS.md").replaceAll(/\[ \] (?=T1\.[23])/g, "[x] "));
    // T1.2 is at work in this folder: it may have been its own agent.
    await run.seen("[WARN] BOX_NOT_OURS ticked in the file, but not by Espalier, so not believed: T1.3.");
    lab.write("TASKS.md", lab.read("TASKS.md").replace("[x] T1.1", "[ ] T1.1"));
    await run.seen("[WARN] BOX_TICKED_AGAIN unticked in the file, but completed: T1.1.");
    await ticked(lab, "T1.1");
    await finish();
    expect((await run.ended).code).toBe(0);
    expect(lab.read("first")).toBe("x\n");
  });

  it("sees an editor that replaces the file by renaming, and one that writes it in pieces", async () => {
    await using stage = await openStage();
    await using lab = openLab({ "TASKS.md": plan(FIRST, puppet(stage, "T1.2")), "espalier.yaml": FAST });
    const { run, finish } = await standing(lab, stage);
    lab.write(".TASKS.md.swp", `${lab.read("TASKS.md")}### [x] T1.3: by rename\n- run: touch renamed\n`);
    renameSync(lab.path(".TASKS.md.swp"), lab.path("TASKS.md"));
    await run.seen("[PLAN] task file changed: 1 added");
    const text = `${lab.read("TASKS.md")}### [ ] T1.4: in pieces\n- run: true\n`;
    writeFileSync(lab.path("TASKS.md"), text.slice(0, 40));
    writeFileSync(lab.path("TASKS.md"), text);
    await run.seen("[PLAN] task file changed: 1 added, 0 removed, 0 changed", 2);
    await finish();
    expect((await run.ended).code).toBe(5);
  });

  it("is not looked at with --plan frozen, nor with plan: frozen", async () => {
    await using stage = await openStage();
    await using lab = openLab({
      "TASKS.md": plan(FIRST, puppet(stage, "T1.2")),
      "espalier.yaml": `${FAST}plan: frozen\n`,
    });
    const { run, finish } = await standing(lab, stage);
    lab.write("TASKS.md", `${lab.read("TASKS.md")}### [ ] T1.3: late\n- run: touch late\n`);
    await finish();
    const { code, stdout } = await run.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain("[PLAN]");
    expect(lab.read("TASKS.md")).toContain("[x] T1.2");
    const frozen = await lab.cli(["resume", "--yes"]);
    expect(frozen.code).toBe(3);
    expect(frozen.stderr).toContain(
      "PLAN_CHANGED: TASKS.md has changed since the run read it: 1 added (T1.3)\n  put the file back, or leave out --plan frozen to reconcile",
    );
    expect((await lab.cli(["resume", "--yes", "--plan", "reconcile"])).code).toBe(0);
    expect(existsSync(lab.path("late"))).toBe(true);
  });
});

describe.concurrent("a task file that changes between two starts", { timeout: 120_000 }, () => {
  it("is reconciled, and what changed is told", async () => {
    await using stage = await openStage();
    const third = "### [ ] T1.3: third\n- depends_on: [T1.2]\n- run: touch third\n";
    await using lab = openLab({
      "TASKS.md": plan(FIRST, puppet(stage, "T1.2"), third),
      "espalier.yaml": FAST,
    });
    const { run } = await standing(lab, stage);
    run.signal("SIGKILL");
    await run.ended;
    const edited = lab
      .read("TASKS.md")
      .replace("T1.1: first", "T1.1: first and foremost")
      .replace(third, "### [x] T1.4: fourth\n- depends_on: [T1.2]\n- run: touch fourth\n");
    lab.write("TASKS.md", edited);
    const resumed = lab.start(["resume", "--yes"]);
    await run.ended;
    const { code, stdout, stderr } = await resumed.ended;
    expect(stderr).toContain(
      "TASKS.md has changed since the run read it: 1 added (T1.4), 1 removed (T1.3), 1 changed (T1.1)",
    );
    expect(stderr).toContain(
      'completed under another text: T1.1. Keep the work with "espalier task done ID"',
    );
    expect(stderr).toContain("so not believed: T1.4.");
    // T1.2 waits for T1.1, which waits for a person.
    expect(code).toBe(5);
    expect(stdout).not.toContain("[DISPATCH]");
  });

  it("is rid of what a process left beside it that was killed while it ticked a box", async () => {
    await using lab = openLab({ "docs/TASKS.md": plan(FIRST), "espalier.yaml": FAST });
    const name = `docs/.espalier-${"0a".repeat(16)}.tmp`;
    lab.write(name, "# F\n## Pha");
    const before = new Date(Date.now() - 5000);
    utimesSync(lab.path(name), before, before);
    expect((await lab.ask("run", "docs/TASKS.md", "--yes")).code).toBe(0);
    expect(readdirSync(lab.path("docs"))).toEqual(["TASKS.md"]);
  });

  it("may lie elsewhere: another file begins another run, and says so", async () => {
    await using lab = openLab({
      "TASKS.md": plan(FIRST),
      "other.md": plan("### [ ] T9.1: other\n- run: touch other\n"),
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const other = await lab.cli(["run", "--yes", "other.md"]);
    expect(other.code).toBe(0);
    expect(other.stderr).toContain("the earlier run of TASKS.md is put aside; this is a new run");
    expect((await lab.cli(["resume"])).stdout).toContain("F: 1 task, resumed");
  });

  it("is the same file however it is named", async () => {
    await using lab = openLab({ "TASKS.md": plan(FIRST), ".git/HEAD": "", "sub/x": "" });
    symlinkSync(lab.root, `${lab.root}-link`);
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    for (const [name, cwd] of [
      ["./TASKS.md", "."],
      ["../TASKS.md", "sub"],
      [`${lab.root}-link/TASKS.md`, "."],
    ] as const) {
      const { code, stdout } = await lab.cli(["run", name], { cwd });
      expect([name, code, stdout.includes("resumed")]).toEqual([name, 0, true]);
    }
  });
});
