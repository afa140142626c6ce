import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openPhase, whyOf } from "./lab.ts";

/** A lock file as a killed git leaves it. */
function leave(path: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  utimesSync(path, new Date(0), new Date(0));
}

describe("locks that a killed git left behind", () => {
  it("are removed where a branch is begun, landed on, merged and cleared away", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const at = (name: string) => join(lab.root, ".git", name);
    leave(at("refs/heads/phase/1-x.lock"));
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "new\n");
    leave(at("worktrees/p1/espalier-index.lock"));
    must(await landAll(vcs, phase, phase));
    for (const name of ["index.lock", "HEAD.lock", "packed-refs.lock", "refs/heads/main.lock"])
      leave(at(name));
    const merged = must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    expect(merged.kind).toBe("merged");
    must(await vcs.retire({ ...phase, heldBy: ["main"], deleteBranch: true }));
    expect(lab.read("b.txt")).toBe("new\n");
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("are no worse than an index whose copy was cut off", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    lab.write(`${phase.path}/b.txt`, "new\n");
    for (const left of ["", "DIRC\0\0\0\u0002"]) {
      writeFileSync(join(lab.root, ".git/worktrees/p1/espalier-index"), left);
      expect(must(await vcs.snapshot(phase)).changed).toEqual(["b.txt"]);
    }
  });

  it("are left alone while a git lives that may hold them, and what stands in the way is named", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    // It waits for its input in this repository.
    const living = spawn("git", ["cat-file", "--batch"], {
      cwd: lab.root,
      stdio: ["pipe", "pipe", "ignore"],
    });
    living.stdin.write("HEAD\n");
    await once(living.stdout, "data");
    const lock = join(lab.root, ".git/refs/heads/phase/1-x.lock");
    leave(lock);
    const refused = await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD" });
    expect(refused).toMatchObject({ ok: false, failure: { kind: "failed" } });
    expect(whyOf(refused)).toContain(`Unable to create '${lock}'`);
    expect(existsSync(lock)).toBe(true);
    living.stdin.end();
    await once(living, "close");
    must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "HEAD" }));
    expect(existsSync(lock)).toBe(false);
  });

  it("are removed although a git lives in another repository", async () => {
    using lab = openGitLab();
    using other = openGitLab();
    const vcs = await lab.vcs();
    const living = spawn("git", ["cat-file", "--batch"], {
      cwd: other.root,
      env: { PATH: process.env["PATH"] ?? "", GIT_DIR: join(other.root, ".git") },
      stdio: ["pipe", "pipe", "ignore"],
    });
    living.stdin.write("HEAD\n");
    await once(living.stdout, "data");
    leave(join(lab.root, ".git/refs/heads/phase/1-x.lock"));
    await openPhase(lab, vcs);
    living.stdin.end();
    await once(living, "close");
    expect(lab.git("rev-parse", "phase/1-x")).toBe(lab.git("rev-parse", "main"));
  });
});
