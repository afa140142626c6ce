import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({
  "1: Parts of it": { "T1.1": ["run: echo 1 > one.txt"] },
  "2: more": { "T2.1": ["run: exit 1"] },
});
/** One phase left on its branch, one with a failed task. */
async function ranOnce(lab: RepositoryLab): Promise<void> {
  await lab.ask("run", "--yes");
}
const FILES = { "TASKS.md": TASKS, "espalier.yaml": "maxAttempts: 1\nbackoff: { first: 0s }\n" };

describe("espalier worktrees", () => {
  it("lists what there is, saves what is not committed, and clears away what is merged", async () => {
    await using lab = openRepositoryLab(FILES);
    expect((await lab.ask("worktrees", "list")).stdout).toBe("no worktrees of Espalier\n");
    await ranOnce(lab);
    writeFileSync(lab.beside("project-phase1-parts-of-it/later.txt"), "a person's\n");
    const listed = await lab.ask("worktrees", "list");
    expect(listed.stdout).toContain(
      "phase/1-parts-of-it  ../project-phase1-parts-of-it\n  1 file not committed, not merged",
    );
    const json = JSON.parse((await lab.ask("worktrees", "list", "--json")).stdout);
    expect(json).toMatchObject({
      target: "main",
      worktrees: [{ branch: "phase/1-parts-of-it", changed: 1, merged: false }, {}],
    });
    const saved = (await lab.ask("worktrees", "rescue", "phase/1-parts-of-it")).stdout;
    const branch = saved.slice(saved.indexOf("espalier/rescue")).trim();
    expect(lab.git("show", `${branch}:later.txt`)).toBe("a person's");
    expect((await lab.ask("worktrees", "clean")).stdout).toContain(
      "nothing to clear away; 2 are not merged yet",
    );
    const cleaned = (await lab.ask("worktrees", "clean", "--all")).stdout;
    expect(cleaned).toContain("removed");
    expect(lab.has(lab.beside("project-phase1-parts-of-it"))).toBe(false);
    expect(lab.git("show", "phase/1-parts-of-it:one.txt")).toBe("1");
    expect((await lab.ask("worktrees", "rescue", "nowhere")).code).toBe(2);
    expect((await lab.ask("worktrees", "rescue")).stdout).toBe("no worktrees of Espalier\n");
  });

  it("says so where there is no repository (exit 6)", async () => {
    await using lab = openRepositoryLab({ ...FILES, "espalier.yaml": "git: { worktrees: off }\n" });
    const { code, stderr } = await lab.ask("worktrees", "list");
    expect(code).toBe(6);
    expect(stderr).toContain("NO_REPOSITORY");
  });
});

describe("espalier phase", () => {
  it("[E33] lists, shows and merges phases", async () => {
    await using lab = openRepositoryLab(FILES);
    await ranOnce(lab);
    expect((await lab.ask("phase", "list")).stdout).toBe(
      "1  Parts of it  1/1  (on phase/1-parts-of-it, not merged)\n2  more  0/1  (open, on phase/2-more, not merged)\n",
    );
    expect(JSON.parse((await lab.ask("phase", "list", "--json")).stdout).phases).toHaveLength(2);
    const shown = await lab.ask("phase", "show", "2");
    expect(shown.stdout).toContain("failed  T2.1  work");
    expect(shown.stdout).toContain("exit code 1");
    const wrong = await lab.ask("phase", "show", "3");
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain("its phases: 1, 2");
    expect((await lab.ask("phase", "merge", "1")).stdout).toContain("merged into main");
    expect(lab.read("one.txt")).toBe("1\n");
    // Its title, not the name that the branch was given by it.
    expect(lab.git("log", "-1", "--merges", "--format=%s")).toBe("Merge phase 1: Parts of it");
  });

  it("forces one while nothing runs, and refuses what is no phase", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: exit 1"] },
        "2: b": { "T2.1": ["run: echo 2 > two.txt"] },
      }),
      "espalier.yaml": "maxAttempts: 1\nbackoff: { first: 0s }\nphase: { merge: auto }\n",
    });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    expect((await lab.ask("phase", "force", "9")).code).toBe(2);
    expect((await lab.ask("phase", "force", "2")).stdout).toContain("phase 2 may start");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect(code).toBe(1);
    expect(stdout).toContain("[DONE] T2.1");
    expect(lab.read("two.txt")).toBe("2\n");
  });

  it("does not merge what fails its check (exit 5)", async () => {
    await using lab = openRepositoryLab(FILES);
    await ranOnce(lab);
    lab.write("espalier.yaml", `${FILES["espalier.yaml"]}phase: { verify: "false" }\n`);
    const { code, stderr } = await lab.ask("phase", "merge", "1", "--yes");
    expect(code).toBe(5);
    expect(stderr).toContain("NOT_MERGED: phase.verify exit 1");
    expect(lab.git("ls-files")).not.toContain("one.txt");
  });
});

describe("espalier doctor", () => {
  it("tells what killed processes left, and mends it with --fix", async () => {
    await using lab = openRepositoryLab(FILES);
    await ranOnce(lab);
    lab.write(".git/worktrees/project-phase1-parts-of-it/index.lock", "");
    lab.write(
      ".git/worktrees/project-phase1-parts-of-it/espalier-moving",
      `${lab.git("rev-parse", "main")}\n`,
    );
    const before = await lab.ask("doctor");
    expect(before.stdout).toContain("leftover");
    expect(before.stdout).toContain("index.lock");
    const mended = await lab.ask("doctor", "--fix");
    expect(mended.stdout).toContain("removed: nobody held it");
    expect(mended.stdout).toContain("put back to where its branch is");
    expect((await lab.ask("doctor")).stdout).not.toContain("leftover");
    expect(lab.text(lab.beside("project-phase1-parts-of-it/one.txt"))).toBe("1\n");
  });

  it("says what is in the way of work in this repository", async () => {
    await using lab = openRepositoryLab(FILES);
    lab.git("checkout", "-q", "--detach");
    const { stdout, code } = await lab.ask("doctor");
    expect(code).toBe(6);
    expect(stdout).toContain("no branch is checked out");
  });
});

describe("espalier status --watch", () => {
  it("shows the run until it has ended", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["run: 'while [ ! -e ../go ] && [ ! -e ../../go ]; do sleep 0.05; done'"],
          "T1.2": ["depends_on: [T1.1]", "run: true"],
        },
      }),
    });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[DISPATCH] T1.1");
    const watch = lab.start(["status", "--watch", "--thin"]);
    await watch.seen("in_progress");
    lab.write("../go", "");
    await run.ended;
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout.match(/T1\.2/g)?.length).toBeGreaterThan(1);
  });
});
