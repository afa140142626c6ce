import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { projectRoot } from "../../src/adapters/file/index.ts";

let top: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "espalier-root-")));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const git = (cwd: string, ...given: string[]): void => {
  execFileSync(
    "git",
    ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "init.defaultBranch=main", ...given],
    {
      cwd,
      stdio: "ignore",
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    },
  );
};
const repository = (...path: string[]): string => {
  const root = join(top, ...path);
  mkdirSync(join(root, "packages", "a", "src"), { recursive: true });
  writeFileSync(join(root, "packages", "a", "file"), "");
  writeFileSync(join(root, "packages", "a", "src", "file"), "");
  git(root, "init");
  git(root, "add", ".");
  git(root, "commit", "-m", "first");
  return root;
};
const found = (cwd: string) => {
  const result = projectRoot(cwd);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
};

describe("projectRoot", () => {
  it("[V27] is no project of whoever a `.git` file names that keeps its worktrees elsewhere", () => {
    const root = repository("project");
    const forged = join(top, "forged");
    mkdirSync(join(forged, "fake"), { recursive: true });
    writeFileSync(join(forged, ".git"), "gitdir: fake\n");
    writeFileSync(join(forged, "fake", "gitdir"), "../.git\n");
    writeFileSync(join(forged, "fake", "commondir"), `${join(root, ".git")}\n`);
    expect(found(forged)).toEqual({ root: forged, marker: ".git" });
  });

  it("finds the nearest mark from any subdirectory", () => {
    const root = repository("project");
    expect(found(root)).toEqual({ root, marker: ".git" });
    expect(found(join(root, "packages", "a", "src"))).toEqual({ root, marker: ".git" });
    writeFileSync(join(root, "packages", "espalier.yaml"), "");
    expect(found(join(root, "packages", "a"))).toEqual({
      root: join(root, "packages"),
      marker: "espalier.yaml",
    });
    mkdirSync(join(root, "packages", "a", ".espalier"));
    expect(found(join(root, "packages", "a", "src"))).toEqual({
      root: join(root, "packages", "a"),
      marker: ".espalier",
    });
  });

  it("takes the directory itself where nothing marks a project", () => {
    mkdirSync(join(top, "plain"));
    const answer = found(join(top, "plain"));
    // The machine's temporary directory may itself lie below a marked one.
    const expected = answer.marker === "cwd" ? join(top, "plain") : answer.root;
    expect(answer.root).toBe(expected);
    expect(join(top, "plain").startsWith(answer.root)).toBe(true);
  });

  it("does not take a file called .espalier or a directory called espalier.yaml for a mark", () => {
    const root = repository("project");
    const inner = join(root, "packages", "a");
    writeFileSync(join(inner, ".espalier"), "");
    mkdirSync(join(inner, "espalier.yaml"));
    expect(found(inner).root).toBe(root);
  });

  it("gives the same answer through a symbolic path", () => {
    const root = repository("project");
    symlinkSync(join(root, "packages"), join(top, "shortcut"));
    expect(found(join(top, "shortcut", "a"))).toEqual({ root, marker: ".git" });
  });

  it("leads from a linked worktree, and from inside it, to the main checkout", () => {
    const root = repository("project");
    git(root, "worktree", "add", "-b", "phase/1", join(top, "project-phase1"));
    const linkedWorktree = join(top, "project-phase1");
    expect(found(linkedWorktree)).toEqual({ root, marker: ".git", linkedWorktree });
    expect(found(join(linkedWorktree, "packages", "a", "src"))).toEqual({
      root,
      marker: ".git",
      linkedWorktree,
    });
  });

  it("keeps the place inside the checkout when a marked directory lies in a linked worktree", () => {
    const root = repository("project");
    writeFileSync(join(root, "packages", "a", "espalier.yaml"), "");
    git(root, "add", ".");
    git(root, "commit", "-m", "second");
    git(root, "worktree", "add", "-b", "other", join(top, "other"));
    const linkedWorktree = join(top, "other");
    expect(found(join(linkedWorktree, "packages", "a", "src"))).toEqual({
      root: join(root, "packages", "a"),
      marker: "espalier.yaml",
      linkedWorktree: join(linkedWorktree, "packages", "a"),
    });
    mkdirSync(join(linkedWorktree, "new"));
    writeFileSync(join(linkedWorktree, "new", "espalier.yaml"), "");
    expect(found(join(linkedWorktree, "new")).root).toBe(root);
  });

  it("follows a worktree of a worktree and relative links alike", () => {
    const root = repository("project");
    git(root, "worktree", "add", "-b", "one", join(top, "one"));
    git(join(top, "one"), "worktree", "add", "-b", "two", join(top, "two"));
    expect(found(join(top, "two")).root).toBe(root);
    writeFileSync(join(top, "two", ".git"), "gitdir: ../project/.git/worktrees/two\r\n");
    writeFileSync(join(root, ".git", "worktrees", "two", "gitdir"), "../../../../two/.git\n");
    expect(found(join(top, "two")).root).toBe(root);
  });

  it("stays in a submodule", () => {
    const inner = repository("inner");
    const root = repository("project");
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", inner, "sub");
    expect(found(join(root, "sub", "packages"))).toEqual({ root: join(root, "sub"), marker: ".git" });
  });

  it("stays in a worktree of a bare repository, which has no main checkout", () => {
    const root = repository("project");
    git(top, "clone", "--bare", root, "bare.git");
    git(join(top, "bare.git"), "worktree", "add", join(top, "checkout"), "main");
    expect(found(join(top, "checkout", "packages"))).toEqual({ root: join(top, "checkout"), marker: ".git" });
  });

  it("does not let a planted .git file lead into another project", () => {
    const root = repository("victim");
    git(root, "worktree", "add", "-b", "w", join(top, "w"));
    const planted = join(top, "downloaded");
    mkdirSync(planted);
    for (const text of [
      `gitdir: ${root}/.git/worktrees/w\n`,
      `gitdir: ${root}/.git\n`,
      "gitdir: \n",
      "gitdir: ../nowhere\n",
      "not a git file\n",
      "",
      "x".repeat(100_000),
    ]) {
      writeFileSync(join(planted, ".git"), text);
      expect(found(planted)).toEqual({ root: planted, marker: ".git" });
    }
  });

  it("stays where the main checkout is gone or the worktree was moved by hand", () => {
    const root = repository("project");
    git(root, "worktree", "add", "-b", "w", join(top, "w"));
    renameSync(join(top, "w"), join(top, "moved"));
    expect(found(join(top, "moved"))).toEqual({ root: join(top, "moved"), marker: ".git" });
    renameSync(join(top, "moved"), join(top, "w"));
    rmSync(root, { recursive: true });
    expect(found(join(top, "w"))).toEqual({ root: join(top, "w"), marker: ".git" });
  });

  it("answers for a directory that does not exist", () => {
    const path = join(top, "gone");
    expect(projectRoot(path)).toMatchObject({ ok: false, failure: { kind: "no-directory", path } });
  });
});
