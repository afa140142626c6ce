import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GitLab, landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

const PHASE = "phase/1-x";

/** A phase of two commits that is not merged. */
async function phaseOf(lab: GitLab) {
  const vcs = await lab.vcs();
  const phase = await openPhase(lab, vcs);
  for (const [path, text] of [
    ["one.txt", "1\n"],
    ["two.txt", "2\n"],
  ] as const) {
    lab.write(`${phase.path}/${path}`, text);
    must(await landAll(vcs, await openPhase(lab, vcs), phase, { attempt: path }));
  }
  return { vcs, phase, tip: lab.git("rev-parse", PHASE) };
}

/** Has what a branch does come to `main` as one commit of other commits' names. */
function squash(lab: GitLab, message = "all of it (#12)"): void {
  lab.git("merge", "--quiet", "--squash", PHASE);
  lab.commit(message);
}

const HELD = { branch: PHASE, held: true, byOthers: true };

describe("work that came to the target by other commits", () => {
  it.each(["sha1", "sha256"] as const)(
    "[V91] counts as merged when it was squashed, whatever was written there since: %s",
    async format => {
      using lab = openGitLab({ "a.txt": "one\n" }, format);
      const { vcs } = await phaseOf(lab);
      expect(must(await vcs.branches("main"))).toEqual([{ branch: PHASE, held: false }]);
      lab.write("b.txt", "of somebody else\n");
      lab.commit("other work");
      expect(must(await vcs.branches("main"))).toEqual([{ branch: PHASE, held: false }]);
      squash(lab);
      expect(must(await vcs.branches("main"))).toEqual([HELD]);
      lab.write("two.txt", "another two\n");
      lab.commit("changes the same line");
      expect(must(await vcs.branches("main"))).toEqual([HELD]);
      const before = lab.git("count-objects", "-v");
      expect(must(await (await lab.vcs()).branches("main"))).toEqual([HELD]);
      expect(lab.git("count-objects", "-v")).toBe(before);
    },
  );

  it("[V91] counts as merged when each commit is there by another name, and not while one is missing", async () => {
    using lab = openGitLab();
    const { vcs, tip } = await phaseOf(lab);
    lab.commit("other work");
    lab.git("cherry-pick", `${tip}^`);
    expect(must(await vcs.branches("main"))).toEqual([{ branch: PHASE, held: false }]);
    lab.write("one.txt", "another one\n");
    lab.commit("changes the same line");
    lab.git("cherry-pick", tip);
    expect(must(await vcs.branches("main"))).toEqual([HELD]);
  });

  it("[V91] so it does where one of them changes nothing: that one is nowhere else", async () => {
    using lab = openGitLab();
    const { vcs, phase, tip } = await phaseOf(lab);
    must(await landAll(vcs, await openPhase(lab, vcs), phase, { attempt: "nothing to do" }));
    expect(lab.git("rev-parse", `${PHASE}~1`, `${PHASE}^{tree}`)).toBe(
      `${tip}\n${lab.git("rev-parse", `${tip}^{tree}`)}`,
    );
    lab.write("b.txt", "of somebody else\n");
    lab.commit("other work");
    lab.git("cherry-pick", `${tip}^`, tip);
    lab.write("one.txt", "another one\n");
    lab.commit("changes the same line");
    expect(must(await vcs.branches("main"))).toEqual([HELD]);
  });

  it("[V91] counts as not merged where what tells that cannot be read", async () => {
    using lab = openGitLab();
    const { vcs, tip } = await phaseOf(lab);
    squash(lab);
    lab.write("two.txt", "another two\n");
    lab.commit("changes the same line");
    const blob = lab.git("rev-parse", `${tip}:two.txt`);
    rmSync(join(lab.root, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    expect(must(await vcs.branches("main"))).toEqual([{ branch: PHASE, held: false }]);
  });

  it("[V91] goes with its folder, can still be read, and is let go of when another run begins", async () => {
    using lab = openGitLab();
    const { vcs, phase, tip } = await phaseOf(lab);
    squash(lab);
    const gone = must(await vcs.retire({ ...phase, heldBy: ["main"], deleteBranch: true }));
    expect(gone).toEqual({});
    expect(must(await vcs.branches("main"))).toEqual([]);
    expect(lab.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/espalier")).toBe(
      `refs/espalier/left/was/${PHASE} ${tip}`,
    );
    must(await vcs.forgetLeft());
    expect(lab.git("for-each-ref", "refs/espalier")).toBe("");
  });

  it("[V91] is merged as ever where it changes nothing, and a single task's is never taken for it", async () => {
    using lab = openGitLab();
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    must(await landAll(vcs, phase, phase));
    const task = await openTask(lab, vcs, 1);
    lab.write(`${task.path}/one.txt`, "1\n");
    lab.gitIn(task.path, "add", "one.txt");
    lab.gitIn(task.path, "commit", "-q", "-m", "mine");
    lab.write("one.txt", "1\n");
    lab.commit("the same by somebody else");
    expect(must(await vcs.branches("main"))).toEqual([
      { branch: PHASE, held: false },
      { branch: "task/1", held: false },
    ]);
    const gone = must(await vcs.retire({ ...task, heldBy: ["main"], deleteBranch: true }));
    expect(gone).toEqual({ unmerged: "task/1" });
  });
});
