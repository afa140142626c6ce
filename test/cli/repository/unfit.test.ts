import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { attemptsOf, openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } });
const isRoot = process.getuid?.() === 0;

/** A `git` of our own in front of the real one: it answers one thing itself. */
function gitInFront(lab: RepositoryLab, script: string): string {
  const bin = join(lab.home, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${script}\nPATH=\${PATH#*:}\nexec git "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  return `${bin}:${process.env["PATH"]}`;
}

describe.concurrent("a repository nothing can be done with", { timeout: 120_000 }, () => {
  it("is refused with what it is and what to do: a bare one (exit 6)", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    lab.git("config", "core.bare", "true");
    const { code, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(6);
    expect(stderr).toContain("this repository is bare: it has no files to work on");
    expect(stderr).toContain("clone it");
  });

  it.runIf(isRoot)(
    "is refused where it belongs to somebody else, and the command to trust it is not run",
    async () => {
      await using lab = openRepositoryLab({ "TASKS.md": TASKS });
      for (const path of [lab.root, lab.path(".git")]) chownSync(path, 12_345, 12_345);
      const { code, stderr } = await lab.cli(["run", "--yes"]);
      expect(code).toBe(6);
      expect(stderr).toContain("dubious ownership");
      expect(stderr).toContain("git config --global --add safe.directory");
      expect(lab.has(join(lab.home, ".gitconfig"))).toBe(false);
    },
  );

  it("is refused by a git that is too old, with both versions", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    const path = gitInFront(lab, 'case "$*" in *version) echo git version 2.17.1; exit 0;; esac');
    const { code, stderr } = await lab.cli(["run", "--yes"], { env: { PATH: path } });
    expect(code).toBe(6);
    expect(stderr).toContain("git 2.17.1 is older than 2.38");
    expect(stderr).toContain("install git 2.38");
  });

  it("[CL235] without the branch that finished phases go to is told by doctor as a run refuses it, with the cure", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": "git: { target: trunk }\n" });
    const cure =
      "there is no branch trunk, where finished phases go: make it, or name another with git: { target";
    const run = await lab.ask("run", "--yes");
    expect(run.stderr).toContain(cure);
    const doctor = await lab.ask("doctor");
    expect([doctor.code, doctor.stdout]).toEqual([6, expect.stringContaining(`✗ repository      ${cure}`)]);
    lab.git("branch", "trunk");
    expect((await lab.ask("doctor")).stdout).toContain("phases are merged into trunk");
  });

  it("in the middle of a rebase is refused", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    mkdirSync(lab.path(".git/rebase-merge"));
    const { code, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(6);
    expect(stderr).toContain("a rebase is under way");
  });
});

describe.concurrent("an unusual repository", { timeout: 120_000 }, () => {
  it("that is a shallow clone is worked in, and doctor says what is not there", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    lab.git("commit", "-q", "--allow-empty", "-m", "second");
    const first = lab.git("rev-list", "--max-parents=0", "HEAD");
    lab.write(".git/shallow", `${lab.git("rev-parse", "HEAD")}\n`);
    expect(lab.git("log", "--format=%H")).not.toContain(first);
    const { code } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(lab.git("show", "main:one.txt")).toBe("1");
    expect((await lab.ask("doctor")).stdout).toContain("shallow clone: history before its first commit");
  });

  it("[V5] whose filter must exist and does not has a person look at the first attempt, and no second", async () => {
    const tasks = {
      "T1.1": ["run: echo began >> ../began; echo 1 > one.bin"],
      "T1.2": ["run: echo 2 > two"],
    };
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": tasks }),
      ".gitattributes": "*.bin filter=x\n",
    });
    lab.git("config", "filter.x.clean", "no-such-filter");
    lab.git("config", "filter.x.required", "true");
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    expect(stdout).toContain("[PAUSED] T1.1: git add: error: cannot fork to run external filter");
    expect(stdout).not.toContain("SPAWN_REFUSED");
    expect(stdout).toContain("[DONE] T1.2");
    expect(lab.text(lab.beside("began"))).toBe("began\n");
    expect(await attemptsOf(lab, "T1.1")).toHaveLength(1);
  });

  it("that is a submodule of another one is worked in alone", async () => {
    await using outer = openRepositoryLab({ "TASKS.md": TASKS });
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    const before = lab.git("rev-parse", "HEAD");
    outer.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lab.root, "inner");
    outer.git("commit", "-q", "-m", "inner");
    const { code } = await outer.cli(["run", "--yes"], { cwd: "inner" });
    expect(code).toBe(0);
    expect(outer.git("-C", "inner", "show", "main:one.txt")).toBe("1");
    expect(outer.git("log", "--format=%s", "-1")).toBe("inner");
    expect(lab.git("rev-parse", "HEAD")).toBe(before);
  });
});
