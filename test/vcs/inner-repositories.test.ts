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
