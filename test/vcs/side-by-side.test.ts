import fs, { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { findProgram } from "../../src/adapters/process/index.ts";
import { type GitLab, landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

/** A `git` that puts no files into the folder of one task until it is let; its folder goes in front of PATH. */
function slowFor(lab: GitLab, task: string): { readonly path: string; isAtIt(): boolean; let(): void } {
  const folder = join(lab.folder, "slow");
  mkdirSync(folder);
  const real = findProgram("git", { path: process.env["PATH"] });
  if (!real.ok) throw new Error("git is not here");
  const [begun, free] = [join(folder, "begun"), join(folder, "free")];
  const script = [
    "#!/bin/sh",
    `case "$GIT_DIR $*" in *"/worktrees/${task} "*" read-tree "*)`,
    `  : > "${begun}"; n=0`,
    `  while [ ! -e "${free}" ] && [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done;;`,
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
  it("[V112] land and get folders while the files of another one's are still coming", async () => {
    using lab = openGitLab();
    const slow = slowFor(lab, "t2");
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
