import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } });

describe("a run that is started in a linked worktree", () => {
  it.each(["inside", "../beside"])("is that of the main checkout, and says so: %s", async place => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    lab.git("worktree", "add", "-q", "-b", "side", place);
    const before = lab.text(lab.path(join(place, "TASKS.md")));
    const { code, stderr } = await lab.cli(["run", "--yes"], { cwd: place });
    expect(code).toBe(0);
    expect(stderr).toContain(`the run is that of its main checkout, ${lab.root}`);
    expect(stderr).not.toContain("also found");
    expect(lab.git("show", "main:TASKS.md")).toContain("[x] T1.1");
    expect(lab.text(lab.path(join(place, "TASKS.md")))).toBe(before);
    expect(lab.git("log", "--format=%s", "side")).toBe("start");
  });

  it("keeps to the part of the repository the project lies in", async () => {
    await using lab = openRepositoryLab({
      "part/espalier.yaml": "phase: { merge: auto }\n",
      "part/TASKS.md": TASKS,
      "part/docs/x.md": "x\n",
    });
    lab.git("worktree", "add", "-q", "-b", "side", "../beside");
    const { code } = await lab.cli(["run", "--yes", "TASKS.md"], { cwd: "../beside/part" });
    expect(code).toBe(0);
    expect(lab.git("show", "main:part/one.txt")).toBe("1");
    expect(lab.git("show", "main:part/TASKS.md")).toContain("[x] T1.1");
  });
});
