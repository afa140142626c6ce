import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

describe("[V84] what people keep in a repository", () => {
  it("is told once when it has gone: branches, tags, notes, stashed work", async () => {
    using lab = openGitLab();
    lab.git("branch", "mine");
    lab.git("branch", "deep/er/one");
    lab.git("branch", "stays");
    lab.git("tag", "-a", "-m", "release", "v1");
    lab.git("tag", "light");
    lab.git("notes", "add", "-m", "a note", "HEAD");
    lab.git("pack-refs", "--all");
    lab.git("branch", "loose");
    const stashed = ["first", "second"].map(text => {
      lab.write("a.txt", `${text}\n`);
      lab.git("stash", "push", "-q", "-m", text);
      return lab.git("rev-parse", "stash@{0}");
    });
    const vcs = await lab.vcs();
    expect(must(await vcs.gone())).toEqual([]);
    const [tag, note] = [lab.git("rev-parse", "v1"), lab.git("rev-parse", "refs/notes/commits")];
    const head = lab.git("rev-parse", "main");
    // It is told where they stood last.
    const moved = lab.git("commit-tree", "-p", "main", "-m", "more", "main^{tree}");
    lab.git("update-ref", "refs/heads/loose", moved);
    expect(must(await vcs.gone())).toEqual([]);
    for (const branch of ["mine", "deep/er/one", "loose"]) lab.git("branch", "-q", "-D", branch);
    lab.git("tag", "-d", "v1", "light");
    lab.git("update-ref", "-d", "refs/notes/commits");
    lab.git("stash", "drop", "-q", "stash@{1}");
    const gone = must(await vcs.gone());
    expect(gone).toHaveLength(7);
    expect(gone).toEqual(
      expect.arrayContaining([
        { kind: "branch", name: "mine", object: head },
        { kind: "branch", name: "deep/er/one", object: head },
        { kind: "branch", name: "loose", object: moved },
        { kind: "tag", name: "v1", object: tag },
        { kind: "tag", name: "light", object: head },
        { kind: "note", name: "commits", object: note },
        { kind: "stash", name: "On main: first", object: stashed[0] },
      ]),
    );
    expect(must(await vcs.gone())).toEqual([]);
    lab.git("stash", "pop", "-q");
    expect(must(await vcs.gone())).toEqual([{ kind: "stash", name: "On main: second", object: stashed[1] }]);
  });

  it("has not gone where refs are packed, and what has come since is nobody's to keep", async () => {
    using lab = openGitLab();
    lab.git("branch", "mine");
    lab.git("branch", "theirs");
    const vcs = await lab.vcs();
    must(await vcs.gone());
    lab.git("branch", "later");
    lab.git("pack-refs", "--all");
    lab.git("branch", "-f", "mine", "HEAD");
    expect(must(await vcs.gone())).toEqual([]);
    lab.git("branch", "-q", "-D", "later");
    expect(must(await vcs.gone())).toEqual([]);
  });

  it("is not what we make and remove, in this process or an earlier one", async () => {
    using lab = openGitLab();
    const before = await lab.vcs();
    const phase = await openPhase(lab, before);
    const task = await openTask(lab, before, 1);
    const other = await openTask(lab, before, 2);
    // Somebody has deleted the note that says whose the branch is.
    lab.git("update-ref", "-d", "refs/espalier/base/task/2");
    const vcs = await lab.vcs();
    must(await vcs.gone());
    lab.write(join(task.path, "b.txt"), "b\n");
    must(await landAll(vcs, task, phase));
    must(await vcs.retire({ branch: "task/1", path: task.path, heldBy: ["phase/1-x"], deleteBranch: true }));
    must(await vcs.retire({ branch: "task/2", path: other.path, heldBy: ["phase/1-x"], deleteBranch: true }));
    must(await vcs.merge({ branch: "phase/1-x", into: "main", message: "m" }));
    must(await vcs.retire({ branch: "phase/1-x", path: phase.path, heldBy: ["main"], deleteBranch: true }));
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("main");
    expect(must(await vcs.gone())).toEqual([]);
  });
});
