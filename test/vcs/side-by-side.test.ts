import fs, { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findProgram } from "../../src/adapters/process/index.ts";
import { type GitLab, landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

/** Calls of git that put files into the folder of a task, and those that begin or end its branch, as patterns of a shell. */
const filling = (task: string) => `*"/worktrees/${task} "*" read-tree "*`;
const retiring = (branch: string) => `*"update-ref -m espalier: retire ${branch} "*`;
const beginning = (branch: string) => `*"update-ref -m espalier: begin ${branch} "*`;

/** A `git` that waits with calls of one kind, or with their end, until it is let; its folder goes in front of PATH. */
function slowFor(
  lab: GitLab,
  calls: string,
  what: "call" | "end" = "call",
): { readonly path: string; isAtIt(): boolean; let(): void } {
  const folder = join(lab.folder, "slow");
  mkdirSync(folder);
  const real = findProgram("git", { path: process.env["PATH"] });
  if (!real.ok) throw new Error("git is not here");
  const [begun, free] = [join(folder, "begun"), join(folder, "free")];
  const script = [
    "#!/bin/sh",
    `case "$GIT_DIR $*" in ${calls})`,
    what === "end" ? `  "${real.value}" "$@"; code=$?` : "",
    `  : > "${begun}"; n=0`,
    `  while [ ! -e "${free}" ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done`,
    what === "end" ? "  exit $code;;" : "  ;;",
    "esac",
    `exec "${real.value}" "$@"`,
    "",
  ];
  writeFileSync(join(folder, "git"), script.join("\n"));
  chmodSync(join(folder, "git"), 0o755);
  return {
    path: `${folder}:${process.env["PATH"]}`,
    isAtIt: () => existsSync(begun),
    let: () => writeFileSync(free, ""),
  };
}

/** The files of a lab whose facts are looked at while something is done. */
async function lookedAt(lab: GitLab, work: () => Promise<unknown>): Promise<readonly string[]> {
  const paths: string[] = [];
  const calls: { statSync: typeof fs.statSync } = fs;
  const real = fs.statSync;
  calls.statSync = ((...args: Parameters<typeof real>) => {
    paths.push(String(args[0]));
    return real(...args);
  }) as typeof real;
  syncBuiltinESMExports();
  try {
    await work();
    return paths.filter(path => path.startsWith(lab.folder)).toSorted();
  } finally {
    calls.statSync = real;
    syncBuiltinESMExports();
  }
}

describe("tasks that work side by side", () => {
  it.each([
    ["[V112] land and get folders while the files of another one's are still coming", filling("t2")],
    ["[V114] land and get folders while another one's branch is not there yet", beginning("task/2")],
  ])("%s", async (_, calls) => {
    using lab = openGitLab();
    const slow = slowFor(lab, calls);
    const vcs = await lab.vcs(slow.path);
    const into = await openPhase(lab, vcs);
    const one = await openTask(lab, vcs, 1);
    lab.write(`${one.path}/one.txt`, "1\n");
    let isMade = false;
    const coming = openTask(lab, vcs, 2).then(made => {
      isMade = true;
      return made;
    });
    try {
      await vi.waitFor(() => expect(slow.isAtIt()).toBe(true), 30_000);
      expect(must(await landAll(vcs, one, into, { attempt: "first" })).kind).toBe("landed");
      expect(lab.read(`${(await openTask(lab, vcs, 3)).path}/one.txt`)).toBe("1\n");
      must(await vcs.retire({ ...one, heldBy: [into.branch], deleteBranch: true }));
      expect(lab.has(one.path)).toBe(false);
      expect(isMade).toBe(false);
    } finally {
      slow.let();
    }
    expect(lab.read(`${(await coming).path}/a.txt`)).toBe("one\n");
  });

  it("[V114] begin, land and go at once, whether their refs are files of their own or in one", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const into = await openPhase(lab, vcs);
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    const pass = async (n: number) => {
      const folder = await openTask(lab, vcs, n);
      lab.write(`${folder.path}/${n}.txt`, `${n}\n`);
      if (n % 4 === 0) lab.git("pack-refs", "--all");
      expect(must(await landAll(vcs, folder, into, { attempt: `a${n}` })).kind).toBe("landed");
      must(await vcs.retire({ ...folder, heldBy: [into.branch], deleteBranch: true }));
      expect(must(await vcs.strayed(into.branch))).toBeUndefined();
      expect(must(await vcs.gone())).toEqual([]);
    };
    await Promise.all(numbers.map(pass));
    expect(numbers.map(n => lab.read(`${into.path}/${n}.txt`))).toEqual(numbers.map(n => `${n}\n`));
    const refs = lab.git("for-each-ref", "--format=%(refname)").trim().split("\n").toSorted();
    expect(refs).toEqual(["refs/espalier/base/phase/1-x", "refs/heads/main", "refs/heads/phase/1-x"]);
  });

  it("[V114] [V84] miss no ref that goes by us while it goes", async () => {
    using lab = openGitLab();
    const before = await lab.vcs();
    const into = await openPhase(lab, before);
    const one = await openTask(lab, before, 1);
    // Nothing says any more that this branch is ours.
    lab.git("update-ref", "-d", "refs/espalier/base/task/1");
    const slow = slowFor(lab, retiring("task/1"), "end");
    const vcs = await lab.vcs(slow.path);
    expect(must(await vcs.gone())).toEqual([]);
    const going = vcs.retire({ ...one, heldBy: [into.branch], deleteBranch: true });
    try {
      await vi.waitFor(() => expect(slow.isAtIt()).toBe(true), 30_000);
      expect(lab.git("for-each-ref", "refs/heads/task/1")).toBe("");
      expect(must(await vcs.gone())).toEqual([]);
    } finally {
      slow.let();
    }
    must(await going);
    expect(must(await vcs.gone())).toEqual([]);
  });

  it("[V84] miss no ref that was going by us when people's were first looked at", async () => {
    using lab = openGitLab();
    const before = await lab.vcs();
    const into = await openPhase(lab, before);
    const one = await openTask(lab, before, 1);
    // Git takes away the note that it is ours before the branch.
    lab.git("update-ref", "-d", "refs/espalier/base/task/1");
    const slow = slowFor(lab, retiring("task/1"));
    const vcs = await lab.vcs(slow.path);
    const going = vcs.retire({ ...one, heldBy: [into.branch], deleteBranch: true });
    await vi.waitFor(() => expect(slow.isAtIt()).toBe(true), 30_000);
    const first = vcs.gone();
    slow.let();
    must(await going);
    expect(must(await first)).toEqual([]);
    expect(must(await vcs.gone())).toEqual([]);
  });

  it("[V115] leave the branch's folder alone where their work changes no file", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const into = await openPhase(lab, vcs);
    const one = await openTask(lab, vcs, 1);
    const two = await openTask(lab, vcs, 2);
    lab.write(`${one.path}/one.txt`, "1\n");
    expect(must(await landAll(vcs, one, into, { attempt: "first" })).kind).toBe("landed");
    lab.write(`${into.path}/loose.txt`, "somebody's\n");
    const kept: string[] = [];
    const told = { attempt: "second", kept: (name: string) => kept.push(name) };
    const landed = await landAll(vcs, two, into, { ...told, verify: "none" });
    expect(must(landed).kind).toBe("landed");
    expect(kept).toEqual([]);
    expect(lab.git("-C", into.path, "status", "--porcelain").trim()).toBe("?? loose.txt");
    expect(lab.read(`${into.path}/one.txt`)).toBe("1\n");
  });

  it("[V113] have no more looked at for those that were there before them", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const pass = async (n: number) => {
      const folder = await openTask(lab, vcs, n);
      must(await vcs.retire({ ...folder, heldBy: ["phase/1-x"], deleteBranch: true }));
    };
    await pass(1);
    const before = await lookedAt(lab, () => vcs.inspect());
    expect(before.length).toBeGreaterThan(3);
    for (let n = 2; n < 6; n++) await pass(n);
    expect(await lookedAt(lab, () => vcs.inspect())).toEqual(before);
  });
});
