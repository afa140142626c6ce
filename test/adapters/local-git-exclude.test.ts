import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excludeFromGit } from "../../src/adapters/local/git-exclude.ts";

let root: string;
const exclude = () => readFileSync(join(root, ".git", "info", "exclude"), "utf8");
const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "espalier-exclude-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe("excludeFromGit", () => {
  it("hides the state directory from real git, once", () => {
    git("init", "-q");
    mkdirSync(join(root, ".espalier"));
    writeFileSync(join(root, ".espalier", "espalier.db"), "x");
    expect(git("status", "--porcelain")).toContain(".espalier/");
    excludeFromGit(root, join(root, ".espalier"));
    excludeFromGit(root, join(root, ".espalier"));
    expect(git("status", "--porcelain")).toBe("");
    expect(
      exclude()
        .split("\n")
        .filter(line => line === "/.espalier/"),
    ).toHaveLength(1);
  });

  it("names the place of a project inside a larger repository", () => {
    git("init", "-q");
    const project = join(root, "packages", "app");
    mkdirSync(join(project, ".espalier"), { recursive: true });
    excludeFromGit(project, join(project, ".espalier"));
    expect(exclude()).toContain("/packages/app/.espalier/\n");
  });

  it("keeps what stands there, also without a final newline", () => {
    mkdirSync(join(root, ".git", "info"), { recursive: true });
    writeFileSync(join(root, ".git", "info", "exclude"), "*.log");
    excludeFromGit(root, join(root, ".espalier"));
    expect(exclude()).toBe("*.log\n/.espalier/\n");
  });

  it("does nothing outside a repository, in a linked worktree, or where it may not write", () => {
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    writeFileSync(join(root, ".git"), "gitdir: /nowhere\n");
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    rmSync(join(root, ".git"));
    mkdirSync(join(root, ".git"));
    writeFileSync(join(root, ".git", "info"), "a file where a folder should be");
    chmodSync(join(root, ".git"), 0o500);
    expect(() => excludeFromGit(root, join(root, ".espalier"))).not.toThrow();
    chmodSync(join(root, ".git"), 0o700);
  });
});
