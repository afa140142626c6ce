import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./repository-lab.ts";

const SETTINGS = "phase: { merge: never }\nbackoff: { first: 0s }\n";

/** A project whose first task writes and whose second leaves half a file behind. */
function project(name: string): Record<string, string> {
  return {
    [`${name}/espalier.yaml`]: SETTINGS,
    [`${name}/TASKS.md`]: tasksFile({
      "1: all": {
        "T1.1": [`run: echo ${name} > one.txt`],
        "T1.2": [`run: echo ${name} >> half.txt; false`],
      },
    }),
  };
}

describe("projects in folders of one repository", { timeout: 120_000 }, () => {
  it("[E173] have branches, worktrees and what was set aside for themselves, also side by side", async () => {
    await using lab = openRepositoryLab({ ...project("api"), ...project("web") });
    const names = ["api", "web"] as const;
    const ended = await Promise.all(names.map(cwd => lab.cli(["run", "--yes"], { cwd })));
    expect(ended.map(({ code }) => code)).toEqual([5, 5]);
    for (const [at, name] of names.entries()) {
      const other = names[1 - at]!;
      const branch = `phase/${name}/1-all`;
      expect(ended[at]!.stdout).toContain(`unfinished  phase 1 on ${branch}`);
      const files = lab.git("ls-tree", "-r", "--name-only", branch);
      expect(files).toContain(`${name}/one.txt`);
      expect(files).not.toContain(`${other}/one.txt`);
      const left = /refs\/espalier\/left\/\S+/.exec(ended[at]!.stdout)?.[0] ?? "";
      expect(lab.git("show", `${left}:${name}/half.txt`)).toBe(name);
      expect(lab.git("ls-tree", "-r", "--name-only", left)).not.toContain(`${other}/half.txt`);
    }
  });
});
