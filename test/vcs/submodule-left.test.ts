import { join } from "node:path";
import { expect, it } from "vitest";
import { because, type WorkFolder } from "../../src/ports/index.ts";
import { landAll, must, openGitLab, openTeam } from "./lab.ts";

it("[V159] a submodule that a move leaves where it stood is no part of the work that follows", async () => {
  using lab = openGitLab();
  using library = openGitLab({ "l.txt": "1\n" });
  const fetched = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
  lab.git(...fetched, "add", library.root, "lib");
  lab.commit("a submodule");
  const { vcs, phase, one, two } = await openTeam(lab);
  for (const { path } of [phase, one]) lab.gitIn(path, ...fetched, "update", "--init");
  lab.gitIn(`${one.path}/lib`, "commit", "-q", "--allow-empty", "-m", "more");
  const more = lab.gitIn(`${one.path}/lib`, "rev-parse", "HEAD");
  lab.write(`${two.path}/b.txt`, "b\n");
  must(await landAll(vcs, two, phase, { task: "T1.2" }));
  must(await landAll(vcs, one, phase));
  const stands = () => lab.git("rev-parse", `${phase.branch}:lib`);
  expect(stands()).toBe(more);
  const later = await lab.vcs();
  const next = must(await later.open({ branch: phase.branch, path: phase.path, from: "HEAD" }));
  lab.write(`${phase.path}/c.txt`, "c\n");
  expect(must(await later.snapshot(next)).changed).toEqual(["c.txt"]);
  must(await landAll(later, next, next, { task: "T1.3" }));
  expect(stands()).toBe(more);
  lab.gitIn(`${phase.path}/lib`, "commit", "-q", "--allow-empty", "-m", "other");
  const other = lab.gitIn(`${phase.path}/lib`, "rev-parse", "HEAD");
  const last = must(await later.open({ branch: phase.branch, path: phase.path, from: "HEAD" }));
  expect(must(await later.snapshot(last)).changed).toEqual(["lib"]);
  must(await landAll(later, last, last, { task: "T1.4" }));
  expect(stands()).toBe(other);
});

it("[V159] … and neither is one that is in the folder's commit no more", async () => {
  using lab = openGitLab();
  using library = openGitLab({ "l.txt": "1\n" });
  const fetched = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
  lab.git(...fetched, "add", library.root, "lib");
  lab.commit("a submodule");
  const { vcs, phase, one, two } = await openTeam(lab);
  for (const { path } of [phase, one, two]) lab.gitIn(path, ...fetched, "update", "--init");
  lab.gitIn(one.path, "rm", "-q", "lib");
  const told: string[] = [];
  const kept = (branch: string) => told.push(branch);
  lab.write(`${two.path}/b.txt`, "b\n");
  must(await landAll(vcs, two, phase, { task: "T1.2", kept }));
  const no = because("said", { by: "git", text: "no" });
  expect(must(await landAll(vcs, one, phase, { verify: async () => no, kept })).kind).toBe("unproven");
  expect(lab.read(`${phase.path}/lib/l.txt`)).toBe("1\n");
  expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
  must(await landAll(vcs, one, phase, { attempt: "again", kept }));
  const next = must(await vcs.open({ branch: phase.branch, path: phase.path, from: "HEAD" }));
  expect(must(await vcs.snapshot(next)).changed).toEqual([]);
  lab.write(`${phase.path}/c.txt`, "c\n");
  must(await landAll(vcs, next, next, { task: "T1.3", kept }));
  expect(lab.git("ls-tree", "--name-only", phase.branch).split("\n")).not.toContain("lib");
  expect(told).toEqual([]);
});

it("[V160] what was done in a submodule of a worktree that goes is kept, its commits too", async () => {
  using lab = openGitLab();
  using library = openGitLab({ "l.txt": "1\n" });
  const fetched = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
  lab.git(...fetched, "add", library.root, "lib");
  lab.commit("a submodule");
  const vcs = await lab.vcs();
  const opened = async (name: string) => {
    const prepare = async (path: string) => void lab.gitIn(path, ...fetched, "update", "--init");
    return must(await vcs.open({ branch: `task/${name}`, path: lab.place(name), from: "HEAD", prepare }));
  };
  const gone = async ({ path, branch }: WorkFolder) =>
    must(await vcs.retire({ path, branch, heldBy: ["main"], deleteBranch: true }));
  const worked = await opened("worked");
  lab.write(`${worked.path}/lib/l.txt`, "2\n");
  lab.gitIn(`${worked.path}/lib`, "commit", "-q", "-am", "more");
  lab.write(`${worked.path}/lib/new/n.txt`, "new\n");
  const more = lab.gitIn(`${worked.path}/lib`, "rev-parse", "HEAD");
  const { files = "" } = await gone(worked);
  expect(lab.read(join(files, "lib/new/n.txt"))).toBe("new\n");
  const kept = ["--git-dir", join(files, "modules/lib"), "--work-tree", "."];
  expect(lab.git(...kept, "log", "-1", "--format=%H", more)).toBe(more);
  // One that is filled after the work began holds what its own repository does.
  const later = must(await vcs.open({ branch: "task/later", path: lab.place("later"), from: "HEAD" }));
  lab.gitIn(later.path, ...fetched, "update", "--init");
  expect(lab.has(join(later.path, "lib/l.txt"))).toBe(true);
  expect(await gone(later)).toEqual({});
  const untouched = await opened("untouched");
  expect(await gone(untouched)).toEqual({});
  expect(lab.has(untouched.path)).toBe(false);
});
