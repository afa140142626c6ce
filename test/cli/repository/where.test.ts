import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({
  "0: Base": { "T0.1": ["run: echo 0 > base.txt", "verify: test -s base.txt"] },
  "1: Cart": { "T1.1": ["run: echo a > shared.txt"], "T1.2": ["run: sleep 0.4; echo b > shared.txt"] },
  "2: Ship": { "T2.1": ["run: echo 2 > two.txt"] },
  "3: Later": { "T3.1": ["run: test -e ../go && echo 3 > three.txt"] },
});
const FAST = "backoff: { first: 0s }\n";

/** The last line of an output in JSON. */
function lastOf(stdout: string) {
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

describe("the last word of a run", { timeout: 120_000 }, () => {
  it("[VR20] names branches, what is merged, unproved and set aside, and the next command, in run, resume and watch", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": FAST });
    const run = await lab.ask("run", "--yes");
    expect(run.code).toBe(5);
    const [, block = ""] = run.stdout.split("\nWhere the work is\n");
    const [where = "", next = ""] = block.split("\n\nWhat next\n");
    expect(where).toMatch(
      /^ {2}not merged {2}phase 1 on phase\/1-cart\n {14}phase 2 on phase\/2-ship\n {2}unfinished {2}phase 3 on phase\/3-later\n {2}set aside {3}T1.2 {2}espalier\/rescue\/task-1-cart-t1-2-[0-9a-f]{8}$/,
    );
    expect(next).toMatch(/\n {2}espalier phase merge --all +check what is done, and merge it\n/);
    expect(run.stdout).toContain("3 unverified: T1.1, T1.2, T2.1");

    lab.write("espalier.yaml", `${FAST}locale: ko\n`);
    lab.write("../go", "");
    expect((await lab.ask("phase", "merge", "1", "--yes")).code).toBe(0);
    await lab.ask("task", "retry", "T3.1");
    const korean = await lab.ask("resume", "--yes");
    expect(korean.code).toBe(0);
    expect(korean.stdout).toMatch(
      /작업 위치\n {2}main에 있음 {2}단계 1\n {2}병합 안 됨 {3}단계 2: phase\/2-ship\n {15}단계 3: phase\/3-later\n/,
    );
    expect(korean.stdout).toContain("espalier phase merge --all");

    const told = lastOf((await lab.ask("resume", "--yes", "--json")).stdout);
    expect(told).toMatchObject({
      outcome: "completed",
      unverified: ["T1.1", "T1.2", "T2.1", "T3.1"],
      work: {
        target: "main",
        phases: [
          { phase: "1", state: "merged" },
          { phase: "2", state: "waits", branch: "phase/2-ship" },
          { phase: "3", state: "waits", branch: "phase/3-later" },
        ],
        aside: [{ task: "T1.2" }],
      },
      next: ["espalier phase merge --all"],
    });
  });

  itWhole("[VR20] is the same in watch", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt; test -e ../go"] } }),
      "espalier.yaml": "backoff: { first: 100ms, max: 100ms }\nsameError: 0\nmaxAttempts: 1000\n",
    });
    const run = lab.start(["run", "--yes", "--json"]);
    await run.seen("attempt-failed");
    const [text, json] = [lab.start(["watch"]), lab.start(["watch", "--json"])];
    await Promise.all([text.seen("[FAIL]"), json.seen("attempt-failed")]);
    lab.write("../go", "");
    const told = lastOf((await run.ended).stdout);
    expect(told).toMatchObject({
      type: "report",
      work: { phases: [{ phase: "1", state: "waits" }], aside: [] },
    });
    expect(lastOf((await json.ended).stdout)).toEqual(told);
    expect((await text.ended).stdout).toContain("  not merged  phase 1 on phase/1-a\n");
  });

  it("[VR20] without branches names none", async () => {
    const config = `${FAST}git: { worktrees: off }\n`;
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: true"] } }),
      "espalier.yaml": config,
    });
    expect((await lab.ask("run", "--yes")).stdout).not.toContain("Where the work is");
  });
});

describe("espalier phase", { timeout: 120_000 }, () => {
  it("[VR21] [V91] what was squashed into the target is there, the next phase begins with it, and nothing is merged twice", async () => {
    const tasks = tasksFile({
      "1: Cart": { "T1.1": ["run: echo a > one.txt"], "T1.2": ["run: echo b > two.txt"] },
      "2: Ship": { "T2.1": ["run: cat one.txt two.txt > three.txt"] },
    });
    await using lab = openRepositoryLab({ "TASKS.md": tasks, "espalier.yaml": FAST });
    await lab.ask("run", "--yes", "--only", "T1.1,T1.2");
    lab.git("merge", "--quiet", "--squash", "phase/1-cart");
    lab.git("commit", "--quiet", "--message", "Cart (#1)");
    lab.write("two.txt", "c\n");
    lab.git("commit", "--quiet", "--all", "--message", "another b");
    const squashed = lab.git("rev-parse", "HEAD");
    const first = async () => (await lab.ask("phase", "list")).stdout.split("\n")[0];
    expect(await first()).toBe("1  Cart  2/2  (merged into main)");
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
    expect(lab.git("show", "phase/2-ship:three.txt")).toBe("a\nc");
    expect(lab.git("merge-base", "main", "phase/2-ship")).toBe(squashed);
    expect((await lab.ask("phase", "merge", "--all", "--yes")).stdout).not.toContain("phase 1");
    expect(lab.git("branch", "--list", "phase/*")).toBe("");
    expect(await first()).toBe("1  Cart  2/2  (merged into main)");
    expect(lab.git("rev-list", "--count", "--merges", "main")).toBe("1");
  });

  itWhole("[VR21] list tells before a merge from after it", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": FAST });
    await lab.ask("run", "--yes");
    const list = async () => (await lab.ask("phase", "list")).stdout.trimEnd().split("\n");
    const before = await list();
    expect(before.slice(0, 3)).toEqual([
      "0  Base  1/1",
      "1  Cart  2/2  (on phase/1-cart, not merged)",
      "2  Ship  1/1  (on phase/2-ship, not merged)",
    ]);
    await lab.ask("phase", "merge", "1", "--yes");
    expect((await list())[1]).toBe("1  Cart  2/2  (merged into main)");
    const { phases } = JSON.parse((await lab.ask("phase", "list", "--json")).stdout);
    expect(
      phases.map(({ merged, branch }: { merged: boolean | null; branch: string | null }) => [merged, branch]),
    ).toEqual([
      [null, null],
      [true, null],
      [false, "phase/2-ship"],
      [false, "phase/3-later"],
    ]);
  });

  it("[VR22] merge --all merges what is done in order, up to a phase that is not, and says when nothing is left", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": FAST });
    await lab.ask("run", "--yes");
    const all = () => lab.ask("phase", "merge", "--all", "--yes");
    expect((await all()).stdout).toMatch(/^phase 1: merged into main \(\w+\)\nphase 2: merged into main/);
    expect(lab.git("ls-tree", "--name-only", "main")).not.toContain("three.txt");
    expect((await all()).stdout).toBe("no phase that is done waits on its branch\n");
    const neither = await lab.ask("phase", "merge");
    expect([neither.code, neither.stderr]).toEqual([2, expect.stringContaining("name one phase, or --all")]);
    expect((await lab.ask("phase", "merge", "1", "--all")).code).toBe(2);
  });

  itWhole(
    "[VR22] merge --all stops at a conflict, and what was merged stays merged and is told",
    async () => {
      await using lab = openRepositoryLab({
        "TASKS.md": tasksFile({
          "1: Cart": { "T1.1": ["run: echo 1 > one.txt"] },
          "2: Ship": { "T2.1": ["run: echo branch > two.txt"] },
          "3: Later": { "T3.1": ["run: echo 3 > three.txt"] },
        }),
        "two.txt": "old\n",
        "espalier.yaml": FAST,
      });
      expect((await lab.ask("run", "--yes")).code).toBe(0);
      lab.write("two.txt", "a person's\n");
      lab.git("commit", "-q", "-m", "a person's", "two.txt");
      // Its completed task waits for a person after this edit: the phase is not all done any more, and still on its branch.
      lab.write("TASKS.md", lab.read("TASKS.md").replace("T3.1: work", "T3.1: other work"));
      const stopped = await lab.ask("phase", "merge", "--all", "--yes");
      expect(stopped.code).toBe(5);
      expect(stopped.stdout).toContain("phase 1: merged into main");
      expect(stopped.stderr).toContain("phase 2 is not merged: ");
      expect(stopped.stderr).toContain("still on their branches: 2, 3; what was merged before stays merged");
      expect(lab.git("ls-tree", "--name-only", "main")).toContain("one.txt");
      const tasks = lab.git("log", "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)", "main");
      expect(tasks.split("\n").filter(Boolean)).toEqual(["T1.1"]);
      // It is named although it is the only one by now.
      const again = await lab.ask("phase", "merge", "--all", "--yes");
      expect(again.code).toBe(5);
      expect(again.stderr).toContain("phase 2 is not merged: ");
      expect(again.stderr).toContain("still on their branches: 2, 3");
      lab.write("two.txt", "old\n");
      lab.git("commit", "-q", "-m", "as it was", "two.txt");
      expect((await lab.ask("phase", "merge", "--all", "--yes")).stdout).toMatch(
        /\nnot all done, still on their branches: 3; espalier status names the tasks\n$/,
      );
    },
  );
});
