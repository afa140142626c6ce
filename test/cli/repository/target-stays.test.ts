import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({
  "1: Cart": { "T1.1": ["run: echo 1 > one.txt"] },
  "2: Ship": { "T2.1": ["run: test -e ../go && echo 2 > two.txt"] },
});
const CONFIG = "backoff: { first: 0s }\n";

describe("another branch is checked out than when the run began", { timeout: 120_000 }, () => {
  it("[HO79] finished phases go to the one on which it began, and that is told", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": CONFIG });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    lab.git("checkout", "-q", "-b", "hotfix");
    lab.write("hotfix.txt", "not for the plan\n");
    lab.git("add", "hotfix.txt");
    lab.git("commit", "-q", "-m", "hotfix");
    const tip = lab.git("rev-parse", "hotfix");
    expect((await lab.ask("phase", "merge", "1", "--yes")).stdout).toMatch(/^phase 1: merged into main \(/);
    lab.write("../go", "");
    await lab.ask("task", "retry", "T2.1");
    const resumed = await lab.ask("resume", "--yes");
    expect(resumed.code).toBe(0);
    expect(resumed.stdout + resumed.stderr).toContain(
      "finished phases go to main, which was checked out when the run began; git: { target: … } in espalier.yaml names another branch",
    );
    expect(resumed.stdout).toContain("  in main     Phase 1\n  not merged  phase 2 on phase/2-ship\n");
    expect((await lab.ask("phase", "merge", "--all", "--yes")).code).toBe(0);
    expect(lab.git("rev-parse", "hotfix")).toBe(tip);
    expect(lab.git("ls-tree", "--name-only", "main")).toBe("TASKS.md\nespalier.yaml\none.txt\ntwo.txt");
    expect(lab.git("status", "--porcelain", "--untracked-files=no")).toBe(" M TASKS.md");
  });

  it("[HO79] where that one is gone or renamed they go to what is checked out", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": CONFIG });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    lab.git("branch", "-m", "main", "trunk");
    lab.write("../go", "");
    await lab.ask("task", "retry", "T2.1");
    const resumed = await lab.ask("resume", "--yes");
    expect(resumed.stdout + resumed.stderr).toContain(
      "the run began on main, and there is no such branch any more: finished phases go to trunk",
    );
    expect((await lab.ask("phase", "merge", "--all", "--yes")).code).toBe(0);
    expect(lab.git("ls-tree", "--name-only", "trunk")).toBe("TASKS.md\nespalier.yaml\none.txt\ntwo.txt");
  });

  it("[HO79] another run goes to what is checked out when it begins", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": TASKS,
      "OTHER.md": tasksFile({ "1: Other": { "T1.1": ["run: echo o > other.txt"] } }),
      "espalier.yaml": `${CONFIG}phase: { merge: auto }\n`,
    });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    const tip = lab.git("rev-parse", "main");
    lab.git("checkout", "-q", "-b", "feature");
    const other = await lab.ask("run", "OTHER.md", "--yes");
    expect(other.stdout).toContain("Phase 1 merged into feature (");
    expect(other.stdout + other.stderr).not.toContain("finished phases go to");
    expect(lab.git("rev-parse", "main")).toBe(tip);
  });

  it("[HO79] what is added to a run that had ended, and is merged, goes to what is checked out", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": TASKS,
      "espalier.yaml": `${CONFIG}phase: { merge: auto }\n`,
    });
    lab.write("../go", "");
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const tip = lab.git("rev-parse", "main");
    lab.git("checkout", "-q", "-b", "more");
    lab.write(
      "TASKS.md",
      `${lab.read("TASKS.md")}\n${tasksFile({ "3: More": { "T3.1": ["run: echo 3 > three.txt"] } })
        .split("\n")
        .slice(1)
        .join("\n")}`,
    );
    const more = await lab.ask("run", "--yes");
    expect(more.stdout).toContain("Phase 3 merged into more (");
    expect(lab.git("rev-parse", "main")).toBe(tip);
  });
});
