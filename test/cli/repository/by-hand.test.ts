import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const GIT = "git -c user.name=a -c user.email=a@b";

/** A phase with two landed tasks and a third one to come, and its worktree. */
async function openBetween(): Promise<{ lab: RepositoryLab; worktree: string }> {
  const lab = openRepositoryLab({
    "espalier.yaml": "sameError: 1\n",
    "a.txt": "start\n",
    "TASKS.md": tasksFile({
      "1: a": {
        "T1.1": ["run: echo task > a.txt"],
        "T1.2": ["run: echo 2 > two.txt"],
        "T1.3": ["depends_on: [T1.1, T1.2]", "run: echo 3 > three.txt"],
      },
    }),
  });
  expect((await lab.ask("run", "--yes", "--only", "T1.1,T1.2")).stdout).toContain("[DONE] T1.2");
  return { lab, worktree: lab.beside("project-phase1-a") };
}

const subjects = (lab: RepositoryLab) => lab.git("log", "--format=%s", "phase/1-a").split("\n");

describe("what a person does in the worktree of a phase", () => {
  it("[E165] commits stay as they are, below what lands after them", async () => {
    const { lab, worktree } = await openBetween();
    await using _ = lab;
    lab.write("../project-phase1-a/mine.txt", "mine\n");
    lab.git("-C", worktree, "add", "mine.txt");
    lab.git("-C", worktree, "commit", "-qm", "by hand");
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(subjects(lab).slice(0, 2)).toEqual(["T1.3: work", "by hand"]);
    expect(lab.git("show", "--format=", "--name-only", "phase/1-a")).toBe("three.txt");
  });

  it("[E165] what is in no commit is no attempt's work: it is saved on a branch, which is told", async () => {
    const { lab } = await openBetween();
    await using _ = lab;
    lab.write("../project-phase1-a/mine.txt", "mine\n");
    const { code, stdout } = await lab.ask("run", "--yes");
    const [, branch = ""] = /RESCUED uncommitted work .* was saved on branch (\S+)/u.exec(stdout) ?? [];
    expect([code, lab.git("show", `${branch}:mine.txt`)]).toEqual([0, "mine"]);
    expect(lab.git("show", "--format=", "--name-only", "phase/1-a")).toBe("three.txt");
  });

  it("[E165] what is left open there while tasks are at work is saved when one of them lands, which is told", async () => {
    const worktree = "../project-phase1-a";
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [`run: echo mine > ${worktree}/mine.txt; echo 1 > one.txt`],
          "T1.2": ["run: echo 2 > two.txt"],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    const [, branch = ""] = /RESCUED uncommitted work .* was saved on branch (\S+)/u.exec(stdout) ?? [];
    expect([code, lab.git("show", `${branch}:mine.txt`)]).toEqual([0, "mine"]);
    expect(lab.git("ls-tree", "--name-only", "main")).not.toContain("mine.txt");
  });

  it("[E165] a merge that is not ended lands nowhere: tasks wait for its end, and what ends it is told", async () => {
    const { lab, worktree } = await openBetween();
    await using _ = lab;
    lab.write("a.txt", "mine\n");
    lab.git("commit", "-qam", "mine");
    expect(() => lab.git("-C", worktree, "merge", "-q", "main")).toThrow("Command failed");
    const waits = await lab.ask("run", "--yes");
    expect([waits.code, waits.stdout]).toEqual([
      5,
      expect.stringContaining(
        `[PAUSED] T1.3: a merge was begun in ${worktree} and is not ended; "git commit" there ends it, "git merge --abort" undoes it`,
      ),
    ]);
    expect(lab.git("-C", worktree, "status", "--porcelain")).toContain("UU a.txt");
    lab.write("../project-phase1-a/a.txt", "both\n");
    lab.git("-C", worktree, "commit", "-qam", "joined");
    await lab.ask("task", "resume", "T1.3");
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
    expect(subjects(lab).slice(0, 2)).toEqual(["T1.3: work", "joined"]);
    expect(lab.git("show", "phase/1-a:a.txt")).toBe("both");
  });

  it("[E165] a merge that an attempt has left is no person's: the next one begins without it", async () => {
    const lab = openRepositoryLab({
      "espalier.yaml": "maxAttempts: 2\nbackoff: { first: 0s }\n",
      "a.txt": "start\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [
            `run: if test -e ../again; then test ! -e "$(git rev-parse --git-path MERGE_HEAD)"; else touch ../again; echo mine > a.txt; ${GIT} commit -qam mine; ${GIT} merge -q other; exit 1; fi`,
          ],
        },
      }),
    });
    await using _ = lab;
    lab.git("checkout", "-qb", "other");
    lab.write("a.txt", "other\n");
    lab.git("commit", "-qam", "other");
    lab.git("checkout", "-q", "main");
    const { stdout } = await lab.ask("run", "--yes");
    expect(stdout).toContain("(retry 1/2)");
    expect(stdout).toContain("[DONE] T1.1");
  });

  it.each([
    ["the phase's folder", {}],
    ["a folder of its own", { "T1.2": ["run: true"] }],
  ])("[E165] nor is one in whose middle the process died, in %s", async (_where, beside) => {
    await using lab = openRepositoryLab({
      "a.txt": "start\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [
            `run: if test -e ../begun; then test ! -e "$(git rev-parse --git-path MERGE_HEAD)" && test "$(cat a.txt)" = start; else echo mine > a.txt; ${GIT} commit -qam mine; ${GIT} merge -q other || touch ../begun; sleep 100; fi`,
          ],
          ...beside,
        },
      }),
    });
    lab.git("checkout", "-qb", "other");
    lab.write("a.txt", "other\n");
    lab.git("commit", "-qam", "other");
    lab.git("checkout", "-q", "main");
    const run = lab.start(["run", "--yes"]);
    await expect.poll(() => existsSync(lab.beside("begun")), { timeout: 60_000 }).toBe(true);
    run.signal("SIGKILL");
    await run.ended;
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1")]);
  });
});
