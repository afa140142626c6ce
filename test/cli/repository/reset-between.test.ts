import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

type Lab = ReturnType<typeof openRepositoryLab>;

const GONE = "main does not hold what T0.1 landed any more: ";

/** A run of phase 0 whose first task has landed, and whose second one waits for a file. */
async function begun(): Promise<Lab> {
  const two = ["depends_on: [T0.1]", "run: test -e ../ready && echo 2 > two.txt"];
  const tasks = { "T0.1": ["run: echo 1 > one.txt"], "T0.2": two };
  const lab = openRepositoryLab({ "TASKS.md": tasksFile({ "0: s": tasks }) });
  const { stdout, stderr } = await lab.ask("run", "--yes");
  expect(stdout + stderr).toContain("[DONE] T0.1");
  lab.write("../ready", "");
  return lab;
}

async function goneOn(lab: Lab): Promise<string> {
  await lab.ask("task", "resume", "T0.2");
  const { code, stdout, stderr } = await lab.ask("resume", "--yes");
  expect(code).toBe(0);
  return stdout + stderr;
}

describe("what landed in phase 0, where nothing runs", () => {
  it("[V103] [HO87] is told, kept and brought back by what is told where somebody took it away", async () => {
    await using lab = await begun();
    lab.git("reset", "-q", "--hard", "HEAD~1");
    const told = await goneOn(lab);
    expect(told).toContain(`LANDED_LOST ${GONE}with main checked out git merge espalier/rescue/main-`);
    expect(told).toMatch(/set aside +(?:T0.1 +)?espalier\/rescue\/main-/);
    expect([lab.has(lab.path("one.txt")), lab.has(lab.path("two.txt"))]).toEqual([false, true]);
    // It stays lost, whatever has landed since.
    lab.write("TASKS.md", `${lab.read("TASKS.md")}\n### [ ] T0.3: three\n- run: echo 3 > three.txt\n`);
    lab.git("commit", "-q", "-a", "-m", "more to do");
    const again = await lab.ask("run", "--yes");
    expect([again.code, again.stdout + again.stderr]).toEqual([0, expect.stringContaining(GONE)]);
    expect((await lab.ask("status")).stdout).toMatch(/set aside +(?:T0.1 +)?espalier\/rescue\/main-/);
    lab.git(...(/git (merge espalier\/rescue\/main-\w+)/.exec(told)?.[1] ?? "").split(" "), "-q");
    expect(lab.git("show", "main:one.txt")).toBe("1");
  });

  it("[V103] is told of the one task that is gone, whatever has the branch's name, and no more where it was meant", async () => {
    await using lab = await begun();
    lab.write("../ready", "");
    await goneOn(lab);
    const [two = ""] = lab.git("log", "-1", "--format=%H", "--", "two.txt").split("\n");
    lab.git("reset", "-q", "--hard", `${two}~2`);
    lab.git("tag", "main");
    lab.git("cherry-pick", "-n", `${two}~1`);
    lab.git("commit", "-q", "-m", "one, in words of a person");
    lab.write("TASKS.md", `${lab.read("TASKS.md")}\n### [ ] T0.3: three\n- run: exit 1\n`);
    lab.git("commit", "-q", "-a", "-m", "more to do");
    const told = await lab.ask("run", "--yes");
    expect(told.stdout + told.stderr).toContain("main does not hold what T0.2 landed any more");
    const [rescue = ""] = /espalier\/rescue\/main-\w+/.exec(told.stdout + told.stderr) ?? [];
    lab.git("branch", "-D", rescue);
    await lab.ask("task", "resume", "T0.3");
    const again = await lab.ask("resume", "--yes");
    expect(again.stdout + again.stderr).not.toContain("does not hold");
    expect(lab.git("branch", "--list", "espalier/rescue/*")).toBe("");
  });

  it("[V103] is told no more where it is there by other commits, or what it says", async () => {
    await using lab = await begun();
    lab.git("reset", "-q", "--soft", "HEAD~1");
    lab.git("commit", "-q", "-m", "one, in words of a person");
    expect(await goneOn(lab)).not.toContain(GONE);
  });
});
