import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findProgram } from "../../src/adapters/process/index.ts";
import { type GitLab, landAll, must, openGitLab, whyOf } from "./lab.ts";

const COMMANDS = new Set(
  "add commit-tree config diff-tree for-each-ref log ls-files merge-base merge-tree read-tree rev-parse status symbolic-ref update-ref version worktree write-tree".split(
    " ",
  ),
);

/** A `git` that writes down what it is called with; its folder goes in front of PATH. */
function counted(lab: GitLab): { readonly path: string; calls(): readonly string[] } {
  const folder = join(lab.folder, "counted");
  mkdirSync(folder);
  const real = findProgram("git", { path: process.env["PATH"] });
  if (!real.ok) throw new Error("git is not here");
  writeFileSync(
    join(folder, "git"),
    `#!/bin/sh\necho "$*" >> "${folder}/calls"\nexec "${real.value}" "$@"\n`,
  );
  chmodSync(join(folder, "git"), 0o755);
  writeFileSync(join(folder, "calls"), "");
  let seen = 0;
  return {
    path: `${folder}:${process.env["PATH"]}`,
    calls() {
      const lines = readFileSync(join(folder, "calls"), "utf8").trimEnd().split("\n");
      const fresh = lines.slice(seen);
      seen = lines.length;
      return fresh.map(line => line.split(" ").find(word => COMMANDS.has(word)) ?? line);
    },
  };
}

describe("git is asked for no more than a task needs", () => {
  it("[V90] a repository as it usually is in three calls, and one that is otherwise as far as it takes", async () => {
    using lab = openGitLab();
    const git = counted(lab);
    expect((await lab.open(git.path)).facts).toMatchObject({
      branch: "main",
      head: lab.git("rev-parse", "HEAD"),
    });
    expect(git.calls()).toEqual(["version", "rev-parse", "config"]);
    lab.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    lab.git("symbolic-ref", "HEAD", "refs/heads/alias");
    expect((await lab.open(git.path)).facts.branch).toBe("main");
    expect(git.calls()).toEqual(["version", "rev-parse", "symbolic-ref", "config"]);
    lab.git("checkout", "--quiet", "--detach");
    expect((await lab.open(git.path)).facts.branch).toBe(undefined);
    lab.git("checkout", "--quiet", "main");
    lab.git("pack-refs", "--all");
    git.calls();
    expect((await lab.open(git.path)).facts.branch).toBe("main");
    expect(git.calls()).toEqual(["version", "rev-parse", "config"]);
  });

  it("[V90] its own branches in none, and whether they are merged in two where they stand elsewhere", async () => {
    using lab = openGitLab();
    const git = counted(lab);
    const vcs = await lab.vcs(git.path);
    git.calls();
    expect(must(await vcs.branches("main"))).toEqual([]);
    const open = async (branch: string) =>
      must(await vcs.open({ branch, path: lab.place(branch), from: "main" }));
    const [held, loose] = [await open("held"), await open("apart")];
    must(await landAll(vcs, held, held, { attempt: "first" }));
    git.calls();
    expect(must(await vcs.branches("main"))).toEqual([
      { branch: "apart", held: true },
      { branch: "held", held: false },
    ]);
    expect(git.calls()).toEqual(["for-each-ref", "for-each-ref"]);
    must(await landAll(vcs, loose, loose, { attempt: "second" }));
    lab.git("merge", "--quiet", "--ff-only", "held");
    lab.git("commit", "--quiet", "--allow-empty", "-m", "more");
    lab.git("pack-refs", "--all");
    lab.git("branch", "mine");
    git.calls();
    expect(must(await vcs.branches("main"))).toEqual([
      { branch: "held", held: true },
      { branch: "apart", held: false },
    ]);
    expect(git.calls()).toEqual(["for-each-ref", "for-each-ref", "merge-base", "rev-parse"]);
  });

  it("a task's way from its folder to the phase's branch, others having landed in between", async () => {
    using lab = openGitLab();
    const git = counted(lab);
    const vcs = await lab.vcs(git.path);
    const into = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    const open = (n: number) =>
      vcs.open({ branch: `task/${n}`, path: lab.place(`t${n}`), from: into.branch });
    const [one, two, three] = [must(await open(1)), must(await open(2)), must(await open(3))];
    for (const folder of [one, two, three]) lab.write(`${folder.path}/${folder.branch}.txt`, "x\n");
    const by = { how: "rebase", into } as const;
    const land = async (folder: typeof one, attempt: string) => {
      const { tree } = must(await vcs.snapshot(folder));
      const who = { task: attempt, title: "x", attempt, verified: true };
      expect(must(await vcs.land({ ...by, folder, tree, by: who })).kind).toBe("landed");
      must(await vcs.retire({ ...folder, heldBy: [into.branch], deleteBranch: true }));
    };
    await land(one, "T1.1");
    await land(two, "T1.2");
    git.calls();
    await land(three, "T1.3");
    const steps = [
      "add write-tree diff-tree",
      "merge-tree",
      "ls-files diff-tree read-tree update-ref",
      "status update-ref",
    ];
    expect(git.calls().join(" ")).toBe(steps.join(" "));
    await open(4);
    expect(git.calls()).toEqual(["update-ref", "worktree", "read-tree"]);
  });

  it("work that changes nothing is joined without asking", async () => {
    using lab = openGitLab();
    const git = counted(lab);
    const vcs = await lab.vcs(git.path);
    const into = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    must(await landAll(vcs, into, into, { attempt: "first" }));
    const open = (n: number) =>
      vcs.open({ branch: `task/${n}`, path: lab.place(`t${n}`), from: into.branch });
    const at = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    const [one, two] = [must(await open(1)), must(await open(2))];
    must(await landAll(vcs, one, at, { attempt: "second" }));
    git.calls();
    expect(must(await landAll(vcs, two, at, { attempt: "third" })).kind).toBe("landed");
    expect(git.calls()).not.toContain("merge-tree");
    const found = must(await vcs.attemptsIn(into.branch)).map(({ attempt }) => attempt);
    expect(found).toEqual(["third", "second", "first"]);
  });
});

describe("a call that nobody answers", () => {
  it("[E152] is made once more where it only reads, and is told where it may have been done", async () => {
    using lab = openGitLab();
    const real = findProgram("git", { path: process.env["PATH"] });
    if (!real.ok) throw new Error("git is not here");
    const folder = join(lab.folder, "deadly");
    mkdirSync(folder);
    const armed = join(folder, "armed");
    // Ends the small process that calls it, never this one, at the command that is written down.
    const script = [
      "#!/bin/sh",
      `if [ "$PPID" != ${process.pid} ] && [ -e "${armed}" ]; then`,
      `  case "$*" in *" $(cat "${armed}") "*) rm "${armed}"; kill -9 "$PPID"; exec sleep 0.2;; esac`,
      "fi",
      `exec "${real.value}" "$@"`,
    ];
    writeFileSync(join(folder, "git"), `${script.join("\n")}\n`);
    chmodSync(join(folder, "git"), 0o755);
    const vcs = await lab.vcs(`${folder}:${process.env["PATH"]}`);
    const into = must(await vcs.open({ branch: "phase/1-x", path: lab.place("p1"), from: "main" }));
    const one = must(await vcs.open({ branch: "task/1", path: lab.place("t1"), from: into.branch }));
    lab.write(`${one.path}/one.txt`, "x\n");
    const manyCalls = async () => {
      for (let calls = 0; calls < 20; calls++) must(await vcs.attemptsIn("main"));
    };
    await manyCalls();
    writeFileSync(armed, "diff-tree");
    expect(must(await vcs.snapshot(one)).changed).toEqual(["one.txt"]);
    expect(existsSync(armed)).toBe(false);
    await manyCalls();
    writeFileSync(armed, "worktree");
    const two = await vcs.open({ branch: "task/2", path: lab.place("t2"), from: into.branch });
    expect(whyOf(two)).toContain("its caller died");
  });
});
