import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GitLab, landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

/** Makes a repository at a path of a worktree, with one commit; returns that. */
function makeInner(lab: GitLab, path: string, text = "x\n"): string {
  lab.write(join(path, "x.bin"), text);
  lab.gitIn(path, "init", "-q", "-b", "main");
  lab.gitIn(path, "add", "-A");
  lab.gitIn(path, "commit", "-q", "-m", "inner");
  return lab.gitIn(path, "rev-parse", "HEAD");
}

/** Has the repository at a path start a program whenever git looks at its files. */
function plant(lab: GitLab, path: string): () => boolean {
  const mark = join(lab.folder, "PWNED");
  const program = join(lab.folder, "bait");
  writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
  chmodSync(program, 0o755);
  lab.gitIn(path, "config", "filter.x.clean", program);
  lab.gitIn(path, "config", "core.fsmonitor", program);
  lab.write(join(path, ".gitattributes"), "* filter=x\n");
  lab.write(join(path, "x.bin"), "changed\n");
  rmSync(mark, { force: true });
  return () => existsSync(mark);
}

/** A lab whose target has a submodule at `lib`, as an empty folder. */
function openSubmoduleLab(): GitLab {
  const lab = openGitLab();
  makeInner(lab, join(lab.root, "lib"));
  lab.commit("with lib");
  return lab;
}

describe("a repository in a worktree", () => {
  it("starts nothing that its own configuration names, when the agent made it", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    makeInner(lab, join(task.path, "inner"));
    const wasTaken = plant(lab, join(task.path, "inner"));
    for (const _ of [1, 2, 3])
      expect(await vcs.snapshot(task)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(wasTaken()).toBe(false);
  });

  it("[V98] in the place of the worktree's own is moved out, and the files are work", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    rmSync(join(task.path, ".git"));
    const inner = makeInner(lab, task.path);
    const sealed = must(await vcs.snapshot(task));
    expect(sealed).toMatchObject({ changed: ["x.bin"], unresolved: [] });
    expect(lab.gitIn(sealed.entry ?? "", "rev-parse", "HEAD")).toBe(inner);
    expect(lab.gitIn(task.path, "rev-parse", "--abbrev-ref", "HEAD")).toBe("task/1");
    must(await landAll(vcs, task, phase));
    rmSync(join(task.path, ".git"));
    const gone = must(await vcs.retire({ ...task, heldBy: ["phase/1-x"], deleteBranch: true }));
    expect([gone.entry, existsSync(task.path)]).toEqual([undefined, false]);
    expect(lab.git("worktree", "list")).not.toContain(task.path);
  });

  it("[V98] in that place lets the next attempt have the folder, and others after it", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    rmSync(join(task.path, ".git"));
    makeInner(lab, task.path);
    const anew = { branch: task.branch, path: task.path, from: "phase/1-x", anew: "task/1" };
    const again = must(await vcs.open(anew));
    expect(again).toMatchObject({ path: task.path, left: { kind: "kept" } });
    expect(existsSync(join(again.entry ?? "", ".git/HEAD"))).toBe(true);
    expect(lab.gitIn(task.path, "status", "--porcelain")).toBe("");
    rmSync(join(task.path, ".git"));
    lab.write(join(task.path, ".git"), "gitdir: /tmp\n");
    expect(must(await vcs.open(anew)).entry).not.toBe(again.entry);
    rmSync(join(task.path, ".git"));
    makeInner(lab, task.path);
    const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(existsSync(join(gone.entry ?? "", ".git/HEAD"))).toBe(true);
    expect(existsSync(task.path)).toBe(false);
  });

  it("[V78] is moved out whole before the next attempt, whether it has a commit or not", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    makeInner(lab, join(task.path, "made"));
    lab.write(join(task.path, "un born", "y.txt"), "y\n");
    lab.gitIn(join(task.path, "un born"), "init", "-q");
    lab.write(`${task.path}/b.txt`, "b\n");
    expect(await vcs.snapshot(task)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    rmSync(join(task.path, "made"), { recursive: true });
    expect(await vcs.snapshot(task)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    makeInner(lab, join(task.path, "made"));
    const anew = { branch: task.branch, path: task.path, from: "phase/1-x", anew: "task/1" };
    const again = must(await vcs.open(anew));
    expect(again.left?.kind).toBe("kept");
    const files = again.left?.kind === "kept" ? (again.left.files ?? "") : "";
    expect([existsSync(join(files, "made/.git")), existsSync(join(files, "un born/y.txt"))]).toEqual([
      true,
      true,
    ]);
    expect(lab.gitIn(task.path, "status", "--porcelain")).toBe("");
    expect(must(await vcs.snapshot(again)).changed).toEqual([]);
    makeInner(lab, join(task.path, "made"));
    const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(existsSync(join(gone.files ?? "", "made/.git"))).toBe(true);
  });

  it("[V78] is work as soon as it is none any more", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/app/y.txt`, "y\n");
    lab.gitIn(join(phase.path, "app"), "init", "-q");
    expect(await vcs.snapshot(phase)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    rmSync(join(phase.path, "app/.git"), { recursive: true });
    expect(must(await vcs.snapshot(phase)).changed).toEqual(["app/y.txt"]);
    must(await landAll(vcs, phase, phase));
    expect(lab.git("show", "phase/1-x:app/y.txt")).toBe("y");
  });

  it("[V78] stays where it is a person's in the main checkout, and an attempt's is moved out of that", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    makeInner(lab, join(lab.root, "mine"));
    lab.gitIn(lab.root, "init", "-q", "fresh");
    const open = { branch: "main", path: lab.root, from: "main", claimant: "one", anew: "task/one" };
    const folder = must(await vcs.open(open));
    lab.write("b.txt", "b\n");
    lab.write("mine/x.bin", "newer\n");
    lab.gitIn(join(lab.root, "mine"), "commit", "-q", "-a", "-m", "newer");
    expect(must(await vcs.snapshot(folder)).changed).toEqual(["b.txt"]);
    lab.gitIn(lab.root, "init", "-q", "its");
    expect(await vcs.snapshot(folder)).toMatchObject({ ok: false, failure: { kind: "strayed" } });
    const { files = "" } = must(await vcs.setAside(folder, "task/one"));
    expect([lab.has("mine/x.bin"), lab.has("fresh/.git"), lab.has("its"), lab.has("b.txt")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(existsSync(join(files, "its/.git"))).toBe(true);
    const again = must(await vcs.open(open));
    lab.write("b.txt", "b\n");
    must(await landAll(vcs, again, again));
    expect(lab.git("show", "--format=", "--name-only", "HEAD")).toBe("b.txt");
    expect(lab.git("status", "--porcelain")).toBe("?? fresh/\n?? mine/");
  });

  it("starts nothing either when it is a submodule, and lands at the commit it stands on", async () => {
    using lab = openSubmoduleLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    rmSync(join(task.path, "lib"), { recursive: true, force: true });
    const commit = makeInner(lab, join(task.path, "lib"), "newer\n");
    const wasTaken = plant(lab, join(task.path, "lib"));
    lab.write(`${task.path}/b.txt`, "b\n");
    expect(must(await vcs.snapshot(task)).changed).toEqual(["b.txt", "lib"]);
    must(await landAll(vcs, task, phase));
    expect(lab.git("ls-tree", "phase/1-x", "lib")).toBe(`160000 commit ${commit}\tlib`);
    expect(wasTaken()).toBe(false);
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(lab.read("b.txt")).toBe("b\n");
  });

  it("is no change while it is empty, and its going is one", async () => {
    using lab = openSubmoduleLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    expect(must(await vcs.snapshot(phase)).changed).toEqual([]);
    rmSync(join(phase.path, "lib"), { recursive: true });
    expect(must(await vcs.snapshot(phase)).changed).toEqual(["lib"]);
    lab.write(`${phase.path}/lib`, "a file now\n");
    must(await landAll(vcs, phase, phase));
    expect(lab.git("show", "phase/1-x:lib")).toBe("a file now");
  });
});
