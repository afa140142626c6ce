import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createGitVcs, openRepository, surveyFolders } from "../../src/adapters/vcs/git/index.ts";
import { type GitLab, landAll, must, openGitLab, openPhase, whyOf } from "./lab.ts";

/** A bare clone of a lab with a checkout of the person's, as some keep one folder for each branch. */
async function openBare(lab: GitLab, ...branches: readonly string[]) {
  const bare = lab.place("bare");
  lab.gitIn(lab.folder, "clone", "-q", "--bare", lab.root, bare);
  for (const branch of branches)
    lab.gitIn(
      bare,
      "worktree",
      "add",
      "-q",
      ...(branch === "main" ? [] : ["-b", branch]),
      lab.place(branch),
      "main",
    );
  const open = async (branch: string) =>
    must(
      await openRepository({
        root: lab.place(branch),
        env: { PATH: process.env["PATH"], HOME: lab.folder },
        leaveOut: () => ["TASKS.md"],
        rescueDir: lab.place("rescued"),
        allows: () => false,
      }),
    );
  return { bare, open };
}

describe("[V81] a checkout of a bare repository", () => {
  it("is moved by a merge, and its task file is committed there", async () => {
    using lab = openGitLab({ "a.txt": "one\n", "TASKS.md": "[ ]\n" });
    const { bare, open } = await openBare(lab, "main");
    const vcs = createGitVcs(await open("main"));
    const phase = await openPhase(lab, vcs);
    lab.write(join(phase.path, "a.txt"), "two\n");
    must(await landAll(vcs, phase, phase));
    const merged = must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "Merge phase 1" }));
    expect(merged).toMatchObject({ kind: "merged", already: false });
    expect(lab.read(join(lab.place("main"), "a.txt"))).toBe("two\n");
    const rewrite = () => Buffer.from("[x]\n");
    expect(must(await vcs.record({ path: "TASKS.md", into: "main", message: "Tick", rewrite }))).toBe(true);
    expect(lab.gitIn(bare, "show", "main:TASKS.md")).toBe("[x]");
    expect(lab.gitIn(lab.place("main"), "status", "--porcelain")).toBe(" M TASKS.md");
  });

  it("still stands in the way of a merge into the branch of another one", async () => {
    using lab = openGitLab();
    const { open } = await openBare(lab, "main", "other");
    const vcs = createGitVcs(await open("main"));
    const phase = await openPhase(lab, vcs);
    lab.write(join(phase.path, "a.txt"), "two\n");
    must(await landAll(vcs, phase, phase));
    const refused = await vcs.merge({ branch: "phase/1-x", into: "other", message: "m" });
    expect(whyOf(refused)).toContain("other is checked out in");
  });
});

describe("[V82] whose worktree one is", () => {
  it("is a person's, whatever attempts have done in it, and where it holds a branch of ours", async () => {
    using lab = openGitLab();
    const { bare, open } = await openBare(lab, "main", "other");
    for (const branch of ["main", "other"]) {
      const vcs = createGitVcs(await open(branch));
      const here = must(await vcs.open({ branch, path: lab.place(branch), from: branch, claimant: "T0.1" }));
      lab.write(join(here.path, `${branch}.txt`), "made\n");
      must(await landAll(vcs, here, here));
    }
    const repository = await open("main");
    expect(existsSync(join(bare, "worktrees/other/espalier-index"))).toBe(true);
    expect(must(await surveyFolders(repository, "main"))).toEqual([]);
    const vcs = createGitVcs(repository);
    const phase = await openPhase(lab, vcs);
    const found = async () => must(await surveyFolders(repository, "main")).map(({ path }) => path);
    expect(await found()).toEqual([phase.path]);
    const retired = await vcs.retire({
      branch: "phase/1-x",
      path: phase.path,
      heldBy: [],
      deleteBranch: false,
    });
    expect(must(retired)).toEqual({});
    lab.gitIn(bare, "worktree", "add", "-q", lab.place("look"), "phase/1-x");
    expect(await found()).toEqual([]);
  });
});
