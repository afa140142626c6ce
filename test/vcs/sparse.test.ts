import { describe, expect, it } from "vitest";
import { landAll, must, openGitLab, openPhase } from "./lab.ts";

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
});
