import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { attemptsOf, openRepositoryLab, tasksFile } from "./lab.ts";

const count = (text: string) => (text === "" ? 0 : text.split("\n").length);

describe("a run in a repository", () => {
  it("[E30] [HO42] lands every task once, phase by phase, and leaves nothing lying about", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "0: base": { "T0.1": ["run: echo base > base.txt", "verify: test -s base.txt"] },
        "1: parts": {
          "T1.1": ["run: sleep 0.2; echo 1 > one.txt", "verify: test -s one.txt; echo c > coverage.txt"],
          "T1.2": ["run: sleep 0.2; echo 2 > two.txt", "verify: test -s two.txt"],
          "T1.3": ["depends_on: [T1.1, T1.2]", "run: cat base.txt one.txt two.txt > all.txt"],
        },
        "2: end": { "T2.1": ["depends_on: [T1.3]", "run: cp all.txt end.txt", "verify: grep -q 2 end.txt"] },
      }),
    });
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "phase 0 works in this checkout: what its tasks do is committed to main; later phases have branches of their own\n",
    });
    expect(stdout).toContain("[MERGE] Phase 2 merged into main");
    const landed = lab.git("log", "--format=%(trailers:key=Espalier-Task,valueonly,separator=%x20)", "main");
    expect(landed.split("\n").filter(Boolean).sort()).toEqual(["T0.1", "T1.1", "T1.2", "T1.3", "T2.1"]);
    expect(lab.git("ls-files").split("\n")).not.toContain("coverage.txt");
    expect(lab.read("end.txt")).toBe("base\n1\n2\n");
    expect(lab.git("status", "--porcelain")).toBe("");
    expect(lab.git("show", "HEAD:TASKS.md").match(/\[x\]/g)).toHaveLength(5);
    expect(count(lab.git("worktree", "list"))).toBe(1);
    expect(lab.git("branch", "--format=%(refname:short)")).toBe("main");
    const [attempt] = await attemptsOf(lab, "T1.3");
    expect(attempt?.branch).toBe("phase/1-parts");
    expect(lab.git("log", "-1", "--format=%s", attempt?.commit ?? "")).toBe("T1.3: work");
  });

  itWhole(
    "[E33] leaves a phase on its branch where nobody can be asked, and merges it when told",
    async () => {
      await using lab = openRepositoryLab({
        "espalier.yaml": "phase: { verify: test -s one.txt }\n",
        "TASKS.md": tasksFile({
          "1: parts": { "T1.1": ["run: echo 1 > one.txt"] },
          "2: more": { "T2.1": ["run: cp one.txt two.txt"] },
        }),
      });
      const { code, stdout } = await lab.ask("run", "--yes");
      expect(code).toBe(0);
      expect(stdout).toContain("[MERGE] Phase 1 stays on phase/1-parts; to merge it: espalier phase merge 1");
      expect(lab.git("ls-files")).not.toContain("one.txt");
      expect(lab.git("show", "phase/2-more:two.txt")).toBe("1");
      expect((await lab.ask("worktrees", "list")).stdout).toContain("not merged");
      expect((await lab.ask("phase", "merge", "1")).stdout).toContain("phase 1: merged into main");
      expect((await lab.ask("phase", "merge", "2")).stdout).toContain("phase 2: merged into main");
      expect((await lab.ask("phase", "merge", "2")).stdout).toContain("there is nothing to merge");
      expect(lab.read("two.txt")).toBe("1\n");
      expect(count(lab.git("worktree", "list"))).toBe(1);
    },
  );

  itWhole(
    "[E33] stops before the next phase when a phase's own check fails, and goes on once that is mended",
    async () => {
      await using lab = openRepositoryLab({
        "espalier.yaml": "phase: { merge: auto, verify: 'test -e ../allowed' }\n",
        "TASKS.md": tasksFile({
          "1: a": { "T1.1": ["run: echo 1 > one.txt"] },
          "2: b": { "T2.1": ["run: echo 2 > two.txt"] },
        }),
      });
      const first = await lab.ask("run", "--yes");
      expect(first.code).toBe(5);
      expect(first.stdout).toContain("[GATE] Phase 1 cannot be closed: phase.verify exit 1");
      expect(first.stdout).not.toContain("T2.1");
      lab.write("../allowed", "");
      const second = await lab.ask("resume", "--yes");
      expect(second.code).toBe(0);
      expect(lab.read("two.txt")).toBe("2\n");
    },
  );

  it("[E30] keeps the work of a failed task out of the others', and on a branch of its own", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "phase: { merge: auto }\nmaxAttempts: 1\nphaseGate: 0.5\nparallel: 1\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["run: echo half > half.txt; exit 1"],
          "T1.2": ["run: ls > seen.txt"],
          "T1.3": ["run: echo 3 > three.txt"],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(1);
    expect(lab.read("seen.txt")).not.toContain("half.txt");
    const [rescued = ""] = /espalier\/rescue\/task-1-a-t1-1-[0-9a-f]+/.exec(stdout) ?? [];
    expect(lab.git("show", `${rescued}:half.txt`)).toBe("half");
    expect(lab.git("ls-files")).not.toContain("half.txt");
  });
});

describe("conflicts", () => {
  const tasks = tasksFile({ "1: a": { "T1.1": [], "T1.2": [], "T1.3": [] } });
  const CONFIG = "phase: { merge: auto }\nagents: { mine: { command: sh agent } }\nagent: mine\n";
  /** An agent that meets the marks of a conflict does what `solve` says. */
  const agentThat = (solve: string) =>
    [
      "case $ESPALIER_TASK in",
      "T1.1) echo first > shared.txt ;;",
      `T1.2) sleep 0.4; if grep -q '<<<<<<<' shared.txt; then ${solve}; else echo second > shared.txt; fi ;;`,
      "T1.3) echo 3 > three.txt ;;",
      "esac",
      'echo "DONE:$ESPALIER_SIGNAL_ID"',
    ].join("\n");

  it("give the work back to its own task with both sides, and cost no attempt", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasks,
      "shared.txt": "none\n",
      "espalier.yaml": CONFIG,
      agent: agentThat("echo both > shared.txt"),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("[CONFLICT] T1.2: shared.txt (also changed by T1.1)");
    expect(stdout).not.toContain("[FAIL]");
    expect(lab.read("shared.txt")).toBe("both\n");
    const [first, second] = await attemptsOf(lab, "T1.2");
    expect(first).toMatchObject({ outcome: "unproven" });
    expect(first?.feedback).toContain("first");
    expect(first?.feedback).toContain("second");
    expect(second).toMatchObject({ outcome: "done" });
  });

  it("wait for a person where that is configured, while everything else goes on (exit 5)", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasks,
      "shared.txt": "none\n",
      "espalier.yaml": `${CONFIG}git: { conflicts: person }\n`.replace("phase: { merge: auto }\n", ""),
      agent: agentThat("true"),
    });
    const { code } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    const { stdout } = await lab.ask("task", "show", "T1.2");
    expect(stdout).toContain("conflict with T1.1 in shared.txt");
    expect(lab.git("show", "phase/1-a:three.txt")).toBe("3");
    expect(lab.git("show", "phase/1-a:shared.txt")).toBe("first");
    expect(lab.text(lab.beside("project-phase1-a--t1-2/shared.txt"))).toContain("second");
  });

  it("do not land while both sides stand in a file", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasks,
      "shared.txt": "none\n",
      "espalier.yaml": `${CONFIG}maxAttempts: 2\nbackoff: { first: 0s }\n`,
      agent: agentThat("true"),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(1);
    expect(stdout).toContain("both sides of a conflict are left in shared.txt");
    expect(lab.git("show", "phase/1-a:shared.txt")).toBe("first");
  });

  itWhole("are not met by tasks whose declared paths overlap", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["files: src/**", "run: sleep 0.3; mkdir -p src; echo 1 >> src/a.ts"],
          "T1.2": ["files: src/a.ts", "run: mkdir -p src; echo 2 >> src/a.ts"],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).not.toContain("CONFLICT");
    expect(lab.read("src/a.ts")).toBe("1\n2\n");
  });
});
