import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({
  "0: Base": { "T0.1": ["run: echo 0 > base.txt"] },
  "1: Cart": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: echo 2 > two.txt"] },
  "2: Ship": { "T2.1": ["run: echo 3 > three.txt"] },
});

/** The ids of ticked tasks in a text of the task file. */
function ticked(text: string): string[] {
  return [...text.matchAll(/^### \[x\] ([\w.]+)/gm)].map(([, id = ""]) => id);
}

function onTarget(lab: RepositoryLab): string[] {
  return ticked(lab.git("show", "main:TASKS.md"));
}

describe("the target never claims a task whose work is not there", () => {
  it("[E33] phases that wait on their branches tick their boxes there only once they are merged", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": "phase: { merge: ask }\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(ticked(lab.read("TASKS.md"))).toEqual(["T0.1", "T1.1", "T1.2", "T2.1"]);
    expect(onTarget(lab)).toEqual(["T0.1"]);
    expect((await lab.cli(["phase", "merge", "1", "--yes"])).code).toBe(0);
    expect(onTarget(lab)).toEqual(["T0.1", "T1.1", "T1.2"]);
    expect(lab.git("ls-tree", "--name-only", "main")).not.toContain("three.txt");
    expect((await lab.cli(["phase", "merge", "2", "--yes"])).code).toBe(0);
    expect(onTarget(lab)).toEqual(["T0.1", "T1.1", "T1.2", "T2.1"]);
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  itWhole("[E33] boxes that an agent ticks in the main checkout are not committed", async () => {
    const cheat = "sed -i 's/\\[ \\] T2/[x] T2/' TASKS.md; echo 0 > base.txt";
    const plan = TASKS.replace("run: echo 0 > base.txt", `run: ${cheat}`);
    await using lab = openRepositoryLab({ "TASKS.md": plan, "espalier.yaml": "phase: { merge: never }\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(onTarget(lab)).toEqual(["T0.1"]);
  });

  it("[E74] what is committed of boxes is ticked in the checkout, too: a list may lag behind", async () => {
    const list = "\n## Summary\n\n- [ ] T0.1: work\n- [ ] T1.1: work\n";
    const plan = `${TASKS.replace("### [ ] T0.1", "### [x] T0.1")}${list}`;
    await using lab = openRepositoryLab({ "TASKS.md": plan });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(lab.git("show", "main:TASKS.md")).toContain("- [x] T0.1: work\n- [x] T1.1: work");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  itWhole("[E33] a person's edits of the task file stay uncommitted", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS });
    lab.write("TASKS.md", `${TASKS}\n### [ ] T2.2: mine\n- run: echo 4 > four.txt\n`);
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(onTarget(lab)).toEqual(["T0.1", "T1.1", "T1.2", "T2.1"]);
    expect(lab.git("show", "main:TASKS.md")).not.toContain("mine");
    expect(ticked(lab.read("TASKS.md"))).toContain("T2.2");
  });
});
