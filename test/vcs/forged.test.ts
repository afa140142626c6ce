import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { mendFolders, openRepository, surveyFolders } from "../../src/adapters/vcs/git/index.ts";
import { inEnglish } from "../reasons.ts";
import { type GitLab, must, openGitLab, openPhase, openTask } from "./lab.ts";

function openAt(lab: GitLab, root: string): ReturnType<typeof openRepository> {
  return openRepository({
    root,
    env: { PATH: process.env["PATH"] ?? "", HOME: lab.folder },
    leaveOut: () => [],
    rescueDir: join(lab.folder, "rescued"),
    allows: () => false,
  });
}

/** A project of the same person beside the lab's, with a file that its repository does not hold. */
function openNeighbour(lab: GitLab): string {
  const path = join(lab.folder, "neighbour");
  lab.gitIn(lab.folder, "init", "-q", "-b", "main", "neighbour");
  lab.write(join(path, "a.txt"), "");
  lab.write(join(path, "draft.txt"), "mine\n");
  return path;
}

/** A record of a worktree of ours, as somebody would write it who hands on a whole repository. */
function forgeRecord(lab: GitLab, gitFile: string, commondir = "../.."): void {
  const admin = join(lab.root, ".git/worktrees/w1");
  lab.git("branch", "phase/1-x");
  lab.git("update-ref", "refs/espalier/base/phase/1-x", "main");
  lab.write(join(admin, "HEAD"), "ref: refs/heads/phase/1-x\n");
  lab.write(join(admin, "gitdir"), `${gitFile}\n`);
  lab.write(join(admin, "commondir"), `${commondir}\n`);
  lab.write(join(admin, "espalier-ready"), "phase/1-x");
  for (const index of ["index", "espalier-index"]) cpSync(join(lab.root, ".git/index"), join(admin, index));
}

describe("[V27] the repository is that of the checkout's own `.git`", () => {
  it("and no folder among its files that is laid out as one", async () => {
    using lab = openGitLab({ "sub/TASKS.md": "x\n" });
    const sub = join(lab.root, "sub");
    cpSync(join(lab.root, ".git"), sub, { recursive: true });
    lab.gitIn(sub, "--git-dir=.", "config", "core.bare", "false");
    lab.gitIn(sub, "--git-dir=.", "config", "core.worktree", "..");
    expect(await openAt(lab, sub)).toMatchObject({ ok: false, failure: { code: "BARE" } });
  });

  it("and no other that a `commondir` in it names", async () => {
    using lab = openGitLab();
    const neighbour = openNeighbour(lab);
    lab.gitIn(neighbour, "commit", "-q", "--allow-empty", "-m", "x");
    writeFileSync(join(lab.root, ".git/commondir"), join(neighbour, ".git"));
    expect(await openAt(lab, lab.root)).toMatchObject({ ok: false, failure: { code: "GIT_REFUSED" } });
  });

  it("and none that a `.git` file names and that keeps its worktrees elsewhere", async () => {
    using lab = openGitLab();
    const forged = join(lab.folder, "forged");
    lab.write(join(forged, ".git"), "gitdir: fake\n");
    lab.write(join(forged, "fake/gitdir"), join(forged, ".git"));
    lab.write(join(forged, "fake/commondir"), join(lab.root, ".git"));
    lab.write(join(forged, "fake/HEAD"), "ref: refs/heads/main\n");
    const opened = await openAt(lab, forged);
    expect(opened).toMatchObject({ ok: false, failure: { code: "GIT_REFUSED" } });
    expect(opened.ok ? "" : inEnglish(opened.failure.reason)).toContain("does not know of it");
  });

  it("and one in a place of its own, once it was told where its files are, as the error says", async () => {
    using lab = openGitLab();
    const top = join(lab.folder, "it's apart");
    lab.gitIn(
      lab.folder,
      "init",
      "-q",
      "-b",
      "main",
      `--separate-git-dir=${join(lab.folder, "apart.git")}`,
      top,
    );
    lab.gitIn(top, "commit", "-q", "--allow-empty", "-m", "x");
    const refused = await openAt(lab, top);
    expect(refused).toMatchObject({ ok: false, failure: { code: "GIT_REFUSED" } });
    const hint = refused.ok ? "" : inEnglish(refused.failure.advice);
    const remedy = /: (git -C .*); if you did not/.exec(hint)?.[1] ?? "";
    execFileSync("sh", ["-c", remedy]);
    expect((await openAt(lab, top)).ok).toBe(true);
  });

  it("and the repository that a worktree names which it does not know is told nothing", async () => {
    using lab = openGitLab();
    const forged = join(lab.folder, "forged");
    lab.write(join(forged, ".git"), `gitdir: ${join(lab.root, ".git")}\n`);
    const refused = await openAt(lab, forged);
    expect(refused.ok ? "" : inEnglish(refused.failure.reason)).toContain("does not know of it");
    lab.git("worktree", "add", "-q", lab.place("two"), "-b", "two");
    lab.write(join(forged, ".git"), `gitdir: ${join(lab.root, ".git/worktrees/two")}\n`);
    const other = await openAt(lab, forged);
    expect(other.ok ? "" : inEnglish(other.failure.reason)).toContain("does not know of it");
    expect(other.ok ? "" : inEnglish(other.failure.advice)).not.toContain("core.worktree");
  });

  it("whatever the environment says of another one, and where objects are lent by one", async () => {
    using lab = openGitLab({ "a.txt": "x\n" });
    const neighbour = openNeighbour(lab);
    lab.gitIn(neighbour, "commit", "-q", "--allow-empty", "-m", "x");
    const led = await openRepository({
      root: lab.root,
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: lab.folder,
        GIT_DIR: join(neighbour, ".git"),
        GIT_WORK_TREE: neighbour,
        GIT_INDEX_FILE: join(lab.folder, "elsewhere"),
      },
      leaveOut: () => [],
      rescueDir: join(lab.folder, "rescued"),
      allows: () => false,
    });
    expect(must(led).facts.top).toBe(realpathSync(lab.root));
    expect(existsSync(join(lab.folder, "elsewhere"))).toBe(false);
    lab.gitIn(lab.folder, "clone", "-q", "--shared", lab.root, "lent");
    expect((await openAt(lab, join(lab.folder, "lent"))).ok).toBe(true);
  });

  it("also where it is a worktree's or a submodule's", async () => {
    using lab = openGitLab();
    lab.git("worktree", "add", "-q", lab.place("two"), "-b", "two");
    expect((await openAt(lab, lab.place("two"))).ok).toBe(true);
    lab.gitIn(lab.folder, "clone", "-q", "project", "other");
    lab.git(
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      join(lab.folder, "other"),
      "lib",
    );
    expect((await openAt(lab, join(lab.root, "lib"))).ok).toBe(true);
  });
});

describe("[V28] a record is of a worktree only if the folder's `.git` file names it", () => {
  it.each(["a project's", "a folder's"])("so no file is put back into %s", async whose => {
    using lab = openGitLab({ "a.txt": "planted\n" });
    const neighbour = openNeighbour(lab);
    if (whose === "a folder's") rmSync(join(neighbour, ".git"), { recursive: true, force: true });
    forgeRecord(lab, "../../../../neighbour/.git");
    const repository = must(await openAt(lab, lab.root));
    expect(must(await mendFolders(repository))).toEqual([]);
    expect(must(await surveyFolders(repository, "main"))).toEqual([]);
    expect(readFileSync(join(neighbour, "a.txt"), "utf8")).toBe("");
  });

  it("and leads to this repository, whose configuration alone was looked at", async () => {
    using lab = openGitLab({ "a.txt": "one\n" });
    const work = lab.place("work");
    const mark = join(lab.folder, "PWNED");
    const program = join(lab.folder, "bait");
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
    chmodSync(program, 0o755);
    lab.git("clone", "-q", "--bare", ".", ".git/evil");
    lab.gitIn(lab.root, "--git-dir=.git/evil", "config", "filter.evil.clean", program);
    lab.write(join(lab.root, ".git/evil/info/attributes"), "* filter=evil\n");
    forgeRecord(lab, join(work, ".git"), "../../evil");
    lab.write(join(work, ".git"), `gitdir: ${join(lab.root, ".git/worktrees/w1")}\n`);
    lab.write(join(work, "a.txt"), "changed\n");
    const repository = must(await openAt(lab, lab.root));
    must(await surveyFolders(repository, "main"));
    must(await mendFolders(repository));
    expect(existsSync(mark)).toBe(false);
  });

  it("so nothing else is removed for one", async () => {
    using lab = openGitLab();
    const neighbour = openNeighbour(lab);
    forgeRecord(lab, "../../../../neighbour/.git");
    const vcs = await lab.vcs();
    await vcs.retire({ path: neighbour, branch: "phase/1-x", heldBy: ["main"], deleteBranch: true });
    await vcs.open({ path: neighbour, branch: "phase/1-x", from: "main" });
    expect(readFileSync(join(neighbour, "draft.txt"), "utf8")).toBe("mine\n");
  });
});

describe("[V29] a submodule's own filter is not started where the index", () => {
  it.each(["--split-index", "--sparse"])("keeps it in another form: %s", async how => {
    using lab = openGitLab({ "a.txt": "one\n", "in/b.txt": "b\n" });
    const inner = join(lab.root, "in/lib");
    lab.write(join(inner, "x.bin"), "x\n");
    lab.gitIn(inner, "init", "-q", "-b", "main");
    lab.gitIn(inner, "add", "-A");
    lab.gitIn(inner, "commit", "-q", "-m", "inner");
    lab.commit("with a submodule");
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    rmSync(join(task.path, "in/lib"), { recursive: true, force: true });
    cpSync(inner, join(task.path, "in/lib"), { recursive: true });
    if (how === "--sparse") {
      lab.gitIn(task.path, "sparse-checkout", "set", "--cone", "--sparse-index", "other");
      cpSync(inner, join(task.path, "in/lib"), { recursive: true });
    } else lab.gitIn(task.path, "update-index", "--split-index");
    const mark = join(lab.folder, "PWNED");
    const program = join(lab.folder, "bait");
    writeFileSync(program, `#!/bin/sh\ntouch ${mark}\ncat\n`);
    chmodSync(program, 0o755);
    lab.gitIn(join(task.path, "in/lib"), "config", "filter.x.clean", program);
    lab.write(join(task.path, "in/lib/.gitattributes"), "* filter=x\n");
    lab.write(join(task.path, "in/lib/x.bin"), "y\n");
    const admin = join(lab.root, ".git/worktrees/t1");
    cpSync(join(admin, "index"), join(admin, "espalier-index"));
    await (await lab.vcs()).snapshot(task);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("[V30] nothing is written elsewhere", () => {
  it("through a link, however deep it lies", async () => {
    using lab = openGitLab();
    const deep = join(lab.root, ".git/refs/heads", "a/".repeat(20), "z");
    mkdirSync(dirname(deep), { recursive: true });
    mkdirSync(join(lab.folder, "elsewhere"));
    symlinkSync(join(lab.folder, "elsewhere"), deep);
    const opened = await openAt(lab, lab.root);
    expect(opened.ok ? "" : inEnglish(opened.failure.reason)).toContain(`${deep} is a symbolic link`);
  });

  it("through another name of a reflog", async () => {
    using lab = openGitLab();
    const diary = join(lab.folder, "diary.txt");
    writeFileSync(diary, "mine\n");
    const log = join(lab.root, ".git/logs/refs/heads/phase/1-x");
    mkdirSync(dirname(log), { recursive: true });
    linkSync(diary, log);
    const opened = await openAt(lab, lab.root);
    expect(opened.ok ? "" : inEnglish(opened.failure.reason)).toContain(`${log} has another name`);
  });
});

describe("[V111] a repository whose path has a line break", () => {
  it.each([
    ["with a commit", true],
    ["without one", false],
  ])("is refused in words, %s", async (_, hasCommit) => {
    using lab = openGitLab();
    for (const name of ["one\nbreak", "two\nline\nbreaks"]) {
      const root = join(lab.folder, name);
      lab.gitIn(lab.folder, "init", "-q", "-b", "main", name);
      if (hasCommit) lab.gitIn(root, "commit", "-q", "--allow-empty", "-m", "begin");
      const opened = await openAt(lab, root);
      if (opened.ok) throw new Error("it was opened");
      expect(opened.failure.code).toBe("GIT_REFUSED");
      expect(inEnglish(opened.failure.reason)).toContain("the path of the repository has a line break (");
      expect(inEnglish(opened.failure.advice)).toContain("rename the folder, or let all tasks work");
    }
  });

  it("is not one whose files have one in their names", async () => {
    using lab = openGitLab({ "sub\nfolder/TASKS.md": "x\n" });
    expect((await openAt(lab, join(lab.root, "sub\nfolder"))).ok).toBe(true);
  });
});
