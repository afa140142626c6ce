import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { because, few, type RunEvent } from "../../src/ports/index.ts";
import { must, openGitLab } from "../vcs/lab.ts";
import { Puppets } from "./puppets.ts";
import { openSite } from "./site.ts";

const warned = (events: readonly RunEvent[], wanted: string) =>
  events.flatMap(event => (event.type === "warning" && event.code === wanted ? [event.message] : []));

describe("an attempt that works elsewhere than in its folder", () => {
  it("[E486] is told with what changed in the main checkout meanwhile, each file once", async () => {
    const lab = openGitLab({ "a.txt": "one\n", ".gitignore": "*.log\n" });
    const tasks = ["### [ ] T1.1: a\n", "### [ ] T1.2: b\n- depends_on: [T1.1]\n"].join("");
    using site = await openSite({ lab, wall: Date.now() - 20, tasks });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T1.1");
    writeFileSync(join(lab.root, "a.txt"), "by an absolute path\n");
    writeFileSync(join(lab.root, "made.txt"), "x\n");
    writeFileSync(join(lab.root, "x.log"), "ignored\n");
    site.done(one);
    const two = await site.bench.puppets.next("T1.2");
    site.done(two);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.told.filter(({ code }) => code === "CHECKOUT_CHANGED").map(({ reason }) => reason)).toEqual([
      because("changed-elsewhere", { task: "T1.1", paths: few(["a.txt", "made.txt"]), top: lab.root }),
    ]);
  });

  it("[E486] is not told where its own folder holds work: what changes beside that is a person's", async () => {
    const lab = openGitLab({ "a.txt": "one\n", "b.txt": "one\n" });
    using site = await openSite({ lab, wall: Date.now() - 20, tasks: "### [ ] T1.1: a\n" });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T1.1");
    writeFileSync(join(lab.root, "b.txt"), "a person's\n");
    site.edit(one, "two\n");
    site.done(one);
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.told.map(({ code }) => code)).not.toContain("CHECKOUT_CHANGED");
  });

  it("[E486] is not told of a command of the plan, which writes where its author meant it to", async () => {
    const shell = new Puppets({ name: "shell", reports: "exit" });
    const lab = openGitLab({ "a.txt": "one\n" });
    const tasks = "### [ ] T1.1: a\n- run: make elsewhere\n";
    using site = await openSite({ lab, wall: Date.now() - 20, tasks, agents: { shell: shell.agent } });
    const end = site.bench.start();
    const one = await shell.next("T1.1");
    writeFileSync(join(lab.root, "made.txt"), "x\n");
    one.say("made");
    expect(await end).toMatchObject({ outcome: "completed" });
    expect(site.told.map(({ code }) => code)).not.toContain("CHECKOUT_CHANGED");
  });

  it("[E486] is none of what stood in the main checkout before", async () => {
    const lab = openGitLab({ "a.txt": "one\n", "b.txt": "one\n" });
    writeFileSync(join(lab.root, "a.txt"), "before\n");
    const vcs = await lab.vcs();
    const began = Date.now() + 20;
    await expect.poll(() => Date.now()).toBeGreaterThan(began);
    expect(must((await vcs.changedSince?.(began))!)).toEqual([]);
    await expect.poll(() => Date.now()).toBeGreaterThan(began + 20);
    writeFileSync(join(lab.root, "b.txt"), "after\n");
    expect(must((await vcs.changedSince?.(began))!)).toEqual(["b.txt"]);
  });

  it("[E486] is looked for in folders that git does not know, which are no change themselves", async () => {
    const lab = openGitLab({ "a.txt": "one\n" });
    mkdirSync(join(lab.root, "new/deep"), { recursive: true });
    for (const path of ["new/gone.txt", "new/deep/x.txt"]) writeFileSync(join(lab.root, path), "before\n");
    const vcs = await lab.vcs();
    const began = Date.now() + 20;
    await expect.poll(() => Date.now()).toBeGreaterThan(began + 20);
    rmSync(join(lab.root, "new/gone.txt"));
    expect(must((await vcs.changedSince?.(began))!)).toEqual([]);
    writeFileSync(join(lab.root, "new/deep/x.txt"), "after\n");
    expect(must((await vcs.changedSince?.(began))!)).toEqual(["new/deep/x.txt"]);
  });
});

describe("what a task of phase 0 made and git ignores", () => {
  it("[E178] is told as in a worktree", async () => {
    const lab = openGitLab({ "a.txt": "one\n", ".gitignore": "*.dat\nnode_modules/\n" });
    using site = await openSite({
      lab,
      wall: Date.now() - 20,
      tasks: "## Phase 0: s\n### [ ] T0.1: a\n### [ ] T0.2: b\n",
    });
    const end = site.bench.start();
    const one = await site.bench.puppets.next("T0.1");
    site.write(one, "lib.dat", "x\n");
    site.done(one);
    const two = await site.bench.puppets.next("T0.2");
    site.edit(two, "two\n");
    site.done(two);
    expect(await end).toMatchObject({ outcome: "completed" });
    const told = warned(site.bench.events, "NOT_COMMITTED");
    expect(told).toContainEqual(
      because("work-ignored", { task: "T0.1", paths: few(["lib.dat"]), first: "lib.dat" }),
    );
  });
});
