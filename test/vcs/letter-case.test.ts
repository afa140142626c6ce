import { expect, it } from "vitest";
import { inTheWay } from "../../src/adapters/vcs/git/files/collide.ts";
import { landAll, must, openGitLab, openTeam } from "./lab.ts";

const FILES = { "src/Button.js": "b\n", "docs/d.md": "d\n" };

it.each([false, true])(
  "[V156] what an agent renames to another case lands so, where case does not tell names apart (committed: %s)",
  async isCommitted => {
    using lab = openGitLab(FILES);
    lab.git("config", "core.ignoreCase", "true");
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.gitIn(one.path, "mv", "src/Button.js", "src/button.js");
    lab.gitIn(one.path, "mv", "docs", "Docs");
    if (isCommitted) lab.gitIn(one.path, "commit", "-q", "-m", "renamed");
    lab.write(`${one.path}/Docs/d.md`, "changed\n");
    lab.write(`${two.path}/new.txt`, "2\n");
    must(await landAll(vcs, two, phase));
    must(await landAll(vcs, one, phase, { task: "T1.2" }));
    expect(lab.git("ls-tree", "-r", "--name-only", phase.branch).split("\n")).toEqual([
      "Docs/d.md",
      "new.txt",
      "src/button.js",
    ]);
    expect(lab.git("show", `${phase.branch}:Docs/d.md`)).toBe("changed");
    expect(lab.gitIn(phase.path, "status", "--porcelain")).toBe("");
  },
);

it("[V156] … and is no rename that only an attempt before has left there", async () => {
  using lab = openGitLab(FILES);
  lab.git("config", "core.ignoreCase", "true");
  const { vcs, one } = await openTeam(lab);
  lab.gitIn(one.path, "mv", "src/Button.js", "src/button.js");
  const again = must(
    await vcs.open({ branch: one.branch, path: one.path, from: "phase/1-x", anew: "task/1" }),
  );
  expect(again.left).toMatchObject({ kind: "kept" });
  expect(lab.gitIn(one.path, "status", "--porcelain")).toBe("");
  expect(must(await vcs.snapshot(again)).changed).toEqual([]);
});

it("[V156] … and what somebody renames so in a phase's folder is kept when other work is looked at there", async () => {
  using lab = openGitLab(FILES);
  lab.git("config", "core.ignoreCase", "true");
  const { vcs, phase, one, two } = await openTeam(lab);
  lab.write(`${two.path}/new.txt`, "2\n");
  must(await landAll(vcs, two, phase, { task: "T1.2" }));
  lab.gitIn(phase.path, "mv", "src/Button.js", "src/button.js");
  // Both names lead to it.
  lab.write(`${phase.path}/src/Button.js`, "b\n");
  lab.write(`${one.path}/more.txt`, "1\n");
  const kept: string[] = [];
  must(await landAll(vcs, one, phase, { kept: branch => kept.push(branch) }));
  expect(kept.map(branch => lab.git("ls-tree", "-r", "--name-only", branch, "src/"))).toEqual([
    "src/button.js",
  ]);
});

it("[V157] a file that goes is in nobody's way under the same name in another case", () => {
  using lab = openGitLab(FILES);
  const fresh = ["src/Button.js", "docs/d.md"];
  expect(inTheWay(lab.root, { fresh, gone: ["SRC/button.js"] })).toEqual(["docs/d.md"]);
});
