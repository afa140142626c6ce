import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

describe("a run that is killed while an attempt rewrites the branch that is checked out", () => {
  it("[E179] has what landed back when it is taken up again", async () => {
    const redo =
      "git reset -q --hard HEAD~1; git -c user.name=t -c user.email=t@t commit -q --allow-empty -m redone";
    const two = `test -e ../again || { ${redo}; touch ../again .espalier/again; sleep 60; }; echo 2 > two.txt`;
    const tasks = { "T0.1": ["run: echo 1 > one.txt"], "T0.2": ["depends_on: [T0.1]", `run: ${two}`] };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ "0: s": tasks }) });
    const running = lab.start(["run", "--yes"]);
    await running.seen("[DISPATCH] T0.2");
    await lab.until(() => lab.has(lab.path(".espalier/again")));
    running.signal("SIGKILL");
    await running.ended;
    expect(lab.has(lab.path("one.txt"))).toBe(false);
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        "main was rewritten and had lost what T0.1 landed; a merge has brought that back",
      ),
    ]);
    expect([lab.git("show", "main:one.txt"), lab.git("show", "main:two.txt")]).toEqual(["1", "2"]);
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it("[E180] does not go on as if there were no repository where that branch was deleted, and says what brings it back", async () => {
    const two =
      "test -e ../again || { git update-ref -d refs/heads/main; touch ../again .espalier/again; sleep 60; }; echo 2 > two.txt";
    const tasks = { "T0.1": ["run: echo 1 > one.txt"], "T0.2": ["depends_on: [T0.1]", `run: ${two}`] };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ "0: s": tasks }) });
    const running = lab.start(["run", "--yes"]);
    await running.seen("[DISPATCH] T0.2");
    await lab.until(() => lab.has(lab.path(".espalier/again")));
    running.signal("SIGKILL");
    await running.ended;
    for (const command of ["resume", "run"]) {
      const { code, stderr } = await lab.ask(command, "--yes");
      expect([code, stderr]).toEqual([6, expect.stringContaining("main, which this run goes to")]);
      expect(stderr).toContain("git update-ref refs/heads/main ");
    }
    const { stderr } = await lab.ask("resume", "--yes");
    const back = /git (update-ref \S+ [0-9a-f]{40})/.exec(stderr)?.[1] ?? "";
    lab.git(...back.split(" "));
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
    expect([lab.git("show", "main:one.txt"), lab.git("show", "main:two.txt")]).toEqual(["1", "2"]);
  });
});

describe("a run whose repository was deleted", () => {
  it("[E283] does not go on in a folder without what has landed, and leaves what is left of it alone", async () => {
    const tasks = {
      "T1.1": ["run: echo 1 > one.txt"],
      "T1.2": ["depends_on: [T1.1]", "run: test -e ../again && cat one.txt"],
    };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ "1: s": tasks }) });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    const [entry, kept] = [lab.path(".git"), lab.beside("kept.git")];
    cpSync(entry, kept, { recursive: true });
    for (const file of readdirSync(entry)) rmSync(lab.path(`.git/${file}`), { recursive: true });
    for (const words of [["resume"], ["run"], ["task", "resume", "T1.2"]])
      expect(await lab.ask(...words)).toMatchObject({
        code: 6,
        stderr: expect.stringContaining("REPOSITORY_GONE: what this run has landed is in a git repository"),
      });
    expect(readdirSync(entry)).toEqual([]);
    // One around it does not know the project.
    rmSync(entry, { recursive: true });
    execFileSync("git", ["init", "-q", lab.beside(".")]);
    expect((await lab.ask("resume")).stderr).toContain("REPOSITORY_GONE");
    rmSync(lab.beside(".git"), { recursive: true });
    renameSync(kept, entry);
    writeFileSync(lab.beside("again"), "");
    expect((await lab.ask("task", "resume", "T1.2")).code).toBe(0);
    expect(await lab.ask("resume")).toMatchObject({ code: 0, stdout: expect.stringContaining("[MERGE]") });
    expect(lab.git("show", "main:one.txt")).toBe("1");
  });
});
