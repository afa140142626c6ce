import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { inThrowaway } from "../../src/adapters/vcs/git/index.ts";
import { ok } from "../../src/ports/index.ts";
import { landAll, must, openGitLab, openPhase, openTask, openTeam } from "./lab.ts";

describe("a sparse checkout", () => {
  it.each([false, true])(
    "[V93] work outside of what it shows lands, and what is not there stays: with a submodule %s",
    async hasSubmodule => {
      using lab = openGitLab({ "src/a.txt": "a\n", "docs/d.txt": "d\n", "docs/e.txt": "e\n" });
      if (hasSubmodule) {
        lab.git("update-index", "--add", "--cacheinfo", `160000,${lab.git("rev-parse", "HEAD")},src/sub`);
        lab.git("commit", "--quiet", "-m", "a submodule");
      }
      lab.git("sparse-checkout", "set", "src");
      const vcs = await lab.vcs();
      const phase = await openPhase(lab, vcs);
      lab.write(`${phase.path}/docs/new/n.txt`, "new\n");
      lab.write(`${phase.path}/docs/d.txt`, "changed\n");
      must(await landAll(vcs, phase, phase));
      expect(lab.git("diff", "--name-status", "main", phase.branch)).toBe("M\tdocs/d.txt\nA\tdocs/new/n.txt");
      expect(must(await vcs.snapshot(await openPhase(lab, vcs))).changed).toEqual([]);
    },
  );

  const PAGES = { "src/a.txt": "a\n", "docs/d.txt": "d\n", "docs/e.txt": "e\n" };

  it("[V151] joined work is there, where it is proved and where others go on from it", async () => {
    using lab = openGitLab(PAGES);
    lab.git("sparse-checkout", "set", "src");
    const { vcs, phase, one, two } = await openTeam(lab);
    lab.write(`${one.path}/docs/d.txt`, "changed\n");
    lab.write(`${one.path}/new/one.txt`, "1\n");
    lab.write(`${two.path}/new/two.txt`, "2\n");
    const seen: (readonly boolean[])[] = [];
    const verify = async (path: string) => {
      seen.push(["new/one.txt", "new/two.txt", "docs/d.txt"].map(name => lab.has(`${path}/${name}`)));
      return undefined;
    };
    must(await landAll(vcs, one, phase, { verify }));
    must(await landAll(vcs, two, phase, { task: "T1.2", verify }));
    expect(seen.at(-1)).toEqual([true, true, true]);
    const three = await openTask(lab, vcs, 3);
    expect(["new/one.txt", "docs/d.txt", "docs/e.txt"].map(name => lab.has(`${three.path}/${name}`))).toEqual(
      [true, true, false],
    );
    expect(lab.read(`${three.path}/docs/d.txt`)).toBe("changed\n");
    expect(must(await vcs.snapshot(three)).changed).toEqual([]);
    const looked = await inThrowaway(
      await lab.open(),
      lab.place("look"),
      async () => lab.has(`${lab.place("look")}/new/two.txt`),
      { commit: phase.branch },
    );
    expect(looked).toEqual(ok(true));
    lab.write(`${three.path}/new/one.txt`, "1\n3\n");
    must(await landAll(vcs, three, phase, { task: "T1.3", verify }));
    expect(lab.git("diff", "--name-status", "main", phase.branch)).toBe(
      "M\tdocs/d.txt\nA\tnew/one.txt\nA\tnew/two.txt",
    );
    expect(lab.git("show", `${phase.branch}:new/one.txt`)).toBe("1\n3");
  });

  it("[V152] what git hides again when an agent resets its folder is not deleted; what the agent deletes is", async () => {
    using lab = openGitLab(PAGES);
    lab.git("sparse-checkout", "set", "src");
    const vcs = await lab.vcs();
    const phase = await openPhase(lab, vcs);
    for (const name of ["x", "y"]) lab.write(`${phase.path}/new/${name}.txt`, "new\n");
    must(await landAll(vcs, phase, phase));
    const again = await openPhase(lab, vcs);
    rmSync(join(again.path, "new/y.txt"));
    expect(must(await vcs.snapshot(again)).changed).toEqual(["new/y.txt"]);
    lab.gitIn(again.path, "reset", "-q", "--hard");
    expect(lab.has(`${again.path}/new/x.txt`)).toBe(false);
    expect(must(await vcs.snapshot(again)).changed).toEqual([]);
  });
});
