import { describe, expect, it } from "vitest";
import { type GitLab, landAll, must, openGitLab } from "./lab.ts";

const BRANCHES = ["phase/1-a", "phase/2-b", "phase/3-c"] as const;
const [FIRST, SECOND, THIRD] = BRANCHES;

/** Three phases that stand on each other; each writes a file of its own and changes the same line. */
async function stackOf(lab: GitLab) {
  const vcs = await lab.vcs();
  const open = (branch: string, from: string) =>
    vcs.open({ branch, path: lab.place(branch.slice(-1)), from });
  let from = "HEAD";
  for (const branch of BRANCHES) {
    const folder = must(await open(branch, from));
    for (const text of [`begun by ${branch}\n`, `${branch}\n`]) {
      lab.write(`${folder.path}/shared.txt`, text);
      lab.write(`${folder.path}/${branch.slice(-1)}.txt`, text);
      must(await landAll(vcs, must(await open(branch, from)), folder, { attempt: `${branch} ${text}` }));
    }
    from = branch;
  }
  const merge = (branch: string) => vcs.merge({ branch, into: "main", message: `Merge ${branch}` });
  const onMain = (...paths: string[]) => paths.map(path => lab.git("show", `main:${path}`));
  return { vcs, open, merge, onMain };
}

function squash(lab: GitLab, branch: string): string {
  lab.git("merge", "--quiet", "--squash", branch);
  return lab.commit(`${branch} as one commit`);
}

const said = (...branches: string[]) => branches.map(branch => ({ branch, held: true, byOthers: true }));
const open = (...branches: string[]) => branches.map(branch => ({ branch, held: false }));
const PATHS = ["a.txt", "b.txt", "c.txt", "shared.txt"];
const ALL = [FIRST, SECOND, THIRD, THIRD];

describe("phases that stand on each other, and came to the target by other commits", () => {
  it("[V92] what stands on a squashed phase joins the target without what both say", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { vcs, merge, onMain } = await stackOf(lab);
    squash(lab, FIRST);
    expect(must(await vcs.branches("main"))).toEqual([...said(FIRST), ...open(SECOND, THIRD)]);
    expect(must(await merge(SECOND)).kind).toBe("merged");
    expect(must(await merge(THIRD)).kind).toBe("merged");
    expect(onMain(...PATHS)).toEqual(ALL);
  });

  it("[V92] so it does once the branch of that phase is gone, by us or by a person", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { vcs, merge, onMain } = await stackOf(lab);
    squash(lab, FIRST);
    const names = { branch: FIRST, path: lab.place("a") };
    expect(must(await vcs.retire({ ...names, heldBy: ["main"], deleteBranch: true }))).toEqual({});
    expect(must(await merge(SECOND)).kind).toBe("merged");
    expect(onMain("a.txt", "b.txt", "shared.txt")).toEqual([FIRST, SECOND, SECOND]);
    using other = openGitLab({ "shared.txt": "nobody\n" });
    const second = await stackOf(other);
    squash(other, FIRST);
    other.git("worktree", "remove", "--force", other.place("a"));
    other.git("branch", "-D", FIRST);
    expect(must(await second.merge(SECOND)).kind).toBe("merged");
    expect(must(await second.merge(THIRD)).kind).toBe("merged");
    expect(second.onMain(...PATHS)).toEqual(ALL);
  });

  it("[V92] what came to the target besides is kept, and what both changed stays in conflict", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { merge, onMain } = await stackOf(lab);
    squash(lab, FIRST);
    lab.write("a.txt", "mended by somebody\n");
    lab.commit("mends what was squashed");
    expect(must(await merge(SECOND)).kind).toBe("merged");
    expect(onMain("a.txt", "b.txt")).toEqual(["mended by somebody", SECOND]);
    lab.write("shared.txt", "of somebody else\n");
    lab.commit("changes what the next one changes");
    expect(must(await merge(THIRD))).toMatchObject({ kind: "conflict", files: [{ path: "shared.txt" }] });
  });

  it("[V92] it is brought up to the target in the same way", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { vcs, open: reopen } = await stackOf(lab);
    squash(lab, FIRST);
    lab.write("more.txt", "more\n");
    const tip = lab.commit("more");
    const folder = must(await reopen(SECOND, FIRST));
    const before = lab.git("rev-parse", SECOND);
    expect(must(await vcs.bringUp(folder, "main")).kind).toBe("brought");
    expect(lab.git("rev-parse", `${SECOND}^1`, `${SECOND}^2`).split("\n")).toEqual([before, tip]);
    expect(lab.read(`${folder.path}/shared.txt`)).toBe(`${SECOND}\n`);
    expect(lab.read(`${folder.path}/more.txt`)).toBe("more\n");
  });

  it("[V91] each that was squashed after the one below it counts as merged, whatever was written there since", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { vcs } = await stackOf(lab);
    const merged: string[] = [];
    for (const [at, branch] of BRANCHES.entries()) {
      const diff = lab.git("diff", "--binary", BRANCHES[at - 1] ?? "main", branch);
      lab.write("the.patch", `${diff}\n`);
      lab.git("apply", "--index", "the.patch");
      lab.git("commit", "--quiet", "-m", `${branch} as one`);
      merged.push(branch);
      expect(must(await vcs.branches("main"))).toEqual([
        ...said(...merged),
        ...open(...BRANCHES.slice(at + 1)),
      ]);
    }
    for (const path of PATHS) lab.write(path, "written anew\n");
    lab.commit("changes everything");
    expect(must(await (await lab.vcs()).branches("main"))).toEqual(said(FIRST, SECOND, THIRD));
  });

  it("[V91] with the last one those below it count as merged", async () => {
    using lab = openGitLab({ "shared.txt": "nobody\n" });
    const { vcs } = await stackOf(lab);
    squash(lab, THIRD);
    expect(must(await vcs.branches("main"))).toEqual(said(FIRST, SECOND, THIRD));
    const heldBy = ["main", SECOND, THIRD];
    const names = { branch: FIRST, path: lab.place("a"), heldBy, deleteBranch: true };
    expect(must(await vcs.retire(names))).toEqual({});
    expect(lab.git("for-each-ref", "--format=%(refname)", "refs/espalier/left")).toBe(
      `refs/espalier/left/was/${FIRST}`,
    );
  });
});
