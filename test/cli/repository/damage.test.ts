import { chmodSync, truncateSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

/** Empties the file of an object, as a disk does that did not write what it confirmed. */
function empty(lab: RepositoryLab, name: string): void {
  const id = lab.git("rev-parse", name);
  const path = lab.path(`.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
  chmodSync(path, 0o600);
  truncateSync(path, 0);
}

const TASKS = tasksFile({
  "1: parts": {
    "T1.1": ["run: echo one > one.txt"],
    "T1.2": ["run: echo two > two.txt", "depends_on: [T1.1]"],
  },
});

describe("a completion whose work cannot be read", { timeout: 300_000 }, () => {
  it("[V26] is none: its task waits for a person, is told, and can be done again", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": "phase: { merge: never }\n" });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    empty(lab, "phase/1-parts:one.txt");
    const damaged = await lab.ask("resume", "--yes");
    expect(damaged.code).toBe(5);
    expect(damaged.stderr).toContain("its work cannot be read in the repository: T1.1.");
    expect(damaged.stderr).toContain("git objects that never came to the disk: 1; kept in");
    expect(damaged.stdout).toMatch(/its work cannot be read: [0-9a-f]{10} of commit [0-9a-f]{10} is gone/);
    expect((await lab.ask("task", "retry", "T1.1")).code).toBe(0);
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
    expect(lab.git("show", "phase/1-parts:one.txt")).toBe("one");
    lab.git("fsck", "--no-dangling");
  });

  it("[HO83] is told in the language of the project", async () => {
    const settings = "phase: { merge: never }\nlocale: ko\n";
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": settings });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    empty(lab, "phase/1-parts:one.txt");
    const { code, stderr } = await lab.ask("resume", "--yes");
    expect(code).toBe(5);
    expect(stderr).toContain("디스크에 기록되지 못한 git 객체 1개; 보관한 곳: ");
    expect(stderr).toContain("완료되었지만 저장소에서 결과를 읽을 수 없음: T1.1.");
    expect(stderr).not.toMatch(/never came|cannot be read/);
  });

  itWhole("[V26] counts where a person has rewritten the history that held it", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    lab.git("commit", "-q", "--allow-empty", "-m", "another beginning");
    const old = lab.git("log", "--format=%H", "--grep=Espalier-Task: T1.1", "main");
    lab.git("filter-branch", "-f", "--msg-filter", "sed 's/^T1.1: work/T1.1: the same/'", "main");
    lab.git("update-ref", "-d", "refs/original/refs/heads/main");
    lab.git("reflog", "expire", "--expire=now", "--all");
    lab.git("gc", "-q", "--prune=now");
    expect(() => lab.git("cat-file", "-e", old)).toThrow("Command failed");
    const again = await lab.ask("resume", "--yes");
    expect(again.stderr).not.toContain("cannot be read");
    expect(again.code).toBe(0);
  });
});
