import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const ONE = { "T1.1": ["run: echo 1 > one.txt"] };
const BUILD = { ...ONE, "T1.2": ["run: cat one.txt > two.txt", "depends_on: [T1.1]"] };
const SHIP = { "T2.1": ["run: cat one.txt > ship.txt"] };

function openLab(tasks: string): RepositoryLab {
  return openRepositoryLab({ "TASKS.md": tasks, "espalier.yaml": "phase: { merge: ask }\nsameError: 1\n" });
}

function edit(lab: RepositoryLab, tasks: string): void {
  writeFileSync(lab.path("TASKS.md"), tasks);
}

/** What `status` tells of work that is in no phase. */
async function asideIn(lab: RepositoryLab): Promise<string | undefined> {
  return /^ +set aside +(.*)$/m.exec((await lab.ask("status")).stdout)?.[1];
}

describe("a phase that has left the plan with its work on a branch", () => {
  it.each([
    ["was taken out of it when it was done", tasksFile({ "2: Ship": SHIP })],
    ["got another number", tasksFile({ "2: Build": ONE, "3: Ship": SHIP })],
  ])("[E284] is where the next one begins, where it %s", async (_, later) => {
    await using lab = openLab(tasksFile({ "1: Build": ONE, "2: Ship": SHIP }));
    expect((await lab.ask("run", "--yes", "--only", "T1.1")).code).toBe(0);
    edit(lab, later);
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("begins at phase/1-build: this run has landed work there"),
    ]);
    expect(await asideIn(lab)).toBeUndefined();
    expect((await lab.ask("phase", "merge", "--all")).code).toBe(0);
    expect([lab.git("show", "main:one.txt"), lab.git("show", "main:ship.txt")]).toEqual(["1", "1"]);
  });

  it("[E284] is brought up to the target, which may have come further", async () => {
    await using lab = openLab(tasksFile({ "1: Build": ONE, "2: Ship": SHIP }));
    expect((await lab.ask("run", "--yes", "--only", "T1.1")).code).toBe(0);
    writeFileSync(lab.path("mine.txt"), "mine\n");
    lab.git("add", "mine.txt");
    lab.git("commit", "-q", "-m", "mine");
    edit(lab, tasksFile({ "2: Ship": { "T2.1": ["run: cat one.txt mine.txt > ship.txt"] } }));
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
    expect(lab.git("show", "phase/2-ship:ship.txt")).toBe("1\nmine");
  });

  it("[HO226] is named among what is set aside, where no phase has come after it", async () => {
    await using lab = openLab(tasksFile({ "1: Build": ONE, "2: Ship": SHIP }));
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(await asideIn(lab)).toBeUndefined();
    edit(lab, tasksFile({ "1: Build": BUILD }));
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/set aside +phase\/2-ship\n/)]);
    expect((await lab.ask("phase", "merge", "--all")).code).toBe(0);
    expect(await asideIn(lab)).toBe("phase/2-ship");
    lab.git("merge", "-q", "phase/2-ship");
    expect(await asideIn(lab)).toBeUndefined();
  });

  it("[E284] is another run's where that has landed its work", async () => {
    await using lab = openLab(tasksFile({ "3: Build": { "T3.1": ["run: echo 3 > three.txt"] } }));
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    writeFileSync(lab.path("MORE.md"), tasksFile({ "1: More": { "T1.1": ["run: test ! -e three.txt"] } }));
    expect((await lab.ask("run", "MORE.md", "--yes")).code).toBe(0);
    expect(await asideIn(lab)).toBeUndefined();
  });
});
