import { describe, expect, it } from "vitest";
import { sampleOf } from "../../sample.ts";
import { Random } from "../../torture/random.ts";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

/** A run in which tasks fail, go on, are alone or side by side, in some order. */
function someTasks(random: Random): string {
  const ways = ["true", "sleep 0.1", "test -e ../again || { touch ../again; exit 1; }"];
  const phase = (label: string) =>
    Object.fromEntries(
      Array.from({ length: 1 + random.below(3) }, (_, n) => [
        `T${label}.${n + 1}`,
        [
          `run: echo x >> f${label}-${n}; cp TASKS.md copy-${label}-${n}; ${random.pick(ways)}`,
          ...(random.chance(0.3) ? ["retry: continue"] : []),
        ],
      ]),
    );
  return tasksFile({ "0: base": phase("0"), "1: a": phase("1"), "2: b": phase("2") });
}

/** Paths of every commit that a branch holds. */
function committed(lab: RepositoryLab): string[] {
  return lab.git("log", "--branches", "--format=", "--name-only").split("\n").filter(Boolean);
}

describe("commits", { timeout: 120_000 }, () => {
  it.each(sampleOf([1, 2, 3], 0))(
    "[V48] hold nothing of ours, also where git is told of nothing (seed %i)",
    async seed => {
      const random = new Random(seed);
      await using lab = openRepositoryLab({ "TASKS.md": someTasks(random) });
      // A list that is too long to be added to.
      if (seed > 1) lab.write(".git/info/exclude", "# a person's own\n".repeat(100_000));
      if (seed > 2) lab.write(".espalier-0123456789abcdef0123456789abcdef.tmp", "left by a killed process");
      const { code, stdout } = await lab.ask("run", "--yes");
      expect([code, stdout.includes("[ULTRA-THIN] All done")]).toEqual([0, true]);
      const paths = committed(lab);
      expect(paths).toContain("f0-0");
      expect(paths.filter(path => path.includes(".espalier"))).toEqual([]);
    },
  );
});
