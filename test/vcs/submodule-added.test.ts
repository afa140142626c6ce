import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GitLab, landAll, must, openGitLab, openPhase, openTask } from "./lab.ts";

const FETCHED = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];

function add(lab: GitLab, folder: string, from: GitLab): string {
  lab.gitIn(folder, ...FETCHED, "add", from.root, "vendor/lib");
  return lab.gitIn(join(folder, "vendor/lib"), "rev-parse", "HEAD");
}

describe("a submodule that an attempt adds", () => {
  it.each(["a task's folder", "the folder of a phase"])("[V321] lands as one, from %s", async where => {
    using lab = openGitLab();
    using library = openGitLab({ "l.txt": "1\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const own = where === "a task's folder" ? await openTask(lab, vcs, 1) : phase;
    const stands = add(lab, own.path, library);
    lab.write(`${own.path}/b.txt`, "b\n");
    expect(must(await vcs.snapshot(own)).changed).toEqual([".gitmodules", "b.txt", "vendor/lib"]);
    must(await landAll(vcs, own, phase));
    expect(lab.git("ls-tree", phase.branch, "vendor/lib")).toBe(`160000 commit ${stands}\tvendor/lib`);
    expect(lab.git("show", `${phase.branch}:.gitmodules`)).toContain(library.root);
    const gone = must(await vcs.retire({ ...own, heldBy: [phase.branch, "main"], deleteBranch: false }));
    expect([gone.branch, gone.files, gone.kept, existsSync(own.path)]).toEqual([
      undefined,
      undefined,
      undefined,
      false,
    ]);
    const later = must(await vcs.open({ branch: "task/2", path: lab.place("t2"), from: phase.branch }));
    lab.gitIn(later.path, ...FETCHED, "update", "--init");
    expect(lab.read(join(later.path, "vendor/lib/l.txt"))).toBe("1\n");
    expect(must(await vcs.snapshot(later)).changed).toEqual([]);
  });

  it("[V321] does not where it stands on a commit that nobody else has", async () => {
    using lab = openGitLab();
    using library = openGitLab({ "l.txt": "1\n" });
    const vcs = await lab.vcs();
    await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    add(lab, task.path, library);
    lab.gitIn(join(task.path, "vendor/lib"), "commit", "-q", "--allow-empty", "-m", "more");
    const reason = { code: "submodule-unpushed", args: { path: "vendor/lib" } };
    expect(await vcs.snapshot(task)).toMatchObject({ ok: false, failure: { kind: "strayed", reason } });
    lab.gitIn(join(task.path, "vendor/lib"), "push", "-q", "origin", "HEAD:more");
    expect(must(await vcs.snapshot(task)).changed).toEqual([".gitmodules", "vendor/lib"]);
    lab.write(`${task.path}/.gitmodules`, "");
    expect(await vcs.snapshot(task)).toMatchObject({
      failure: { kind: "strayed", reason: { code: "repository-within" } },
    });
  });

  it("[V321] is added again by the next attempt, and kept whole where the one before failed", async () => {
    using lab = openGitLab();
    using library = openGitLab({ "l.txt": "1\n" });
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    const task = await openTask(lab, vcs, 1);
    const stood = add(lab, task.path, library);
    lab.write(`${task.path}/vendor/lib/new.txt`, "new\n");
    const anew = { branch: task.branch, path: task.path, from: phase.branch, anew: "task/1" };
    const again = must(await vcs.open(anew));
    const files = again.left?.kind === "kept" ? (again.left.files ?? "") : "";
    expect(lab.read(join(files, "vendor/lib/new.txt"))).toBe("new\n");
    expect(
      lab.gitIn(
        files,
        "--git-dir",
        join(files, "modules/vendor/lib"),
        "--work-tree",
        ".",
        "rev-parse",
        "HEAD",
      ),
    ).toBe(stood);
    expect(add(lab, task.path, library)).toBe(stood);
    must(await landAll(vcs, again, phase));
    expect(lab.git("rev-parse", `${phase.branch}:vendor/lib`)).toBe(stood);
  });
});
