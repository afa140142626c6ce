import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { openRepositoryLab, tasksFile } from "./lab.ts";

it("[E170] a person's branch, tag and stash that go while a task is worked on are told with what brings them back", async () => {
  await using lab = openRepositoryLab({ "a.txt": "a\n" });
  const act = "git stash pop -q; git branch -q -D mine; git tag -d v1";
  const lines = [`run: ${act}; git checkout -q a.txt; echo one > one.txt`, "verify: test -s one.txt"];
  lab.write("TASKS.md", tasksFile({ "1: build": { "T1.1": lines } }));
  lab.git("add", "-A");
  lab.git("commit", "-q", "-m", "tasks");
  const was = lab.git("rev-parse", "main");
  lab.git("branch", "mine");
  lab.git("tag", "v1");
  lab.write("a.txt", "a person's\n");
  lab.git("stash", "push", "-q", "-m", "it's mine");
  const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
  const told = (stdout + stderr).split("\n").find(line => line.includes("REFS_GONE")) ?? "";
  expect([code, told]).toEqual([
    0,
    expect.stringContaining("gone while T1.1 was worked on, and not by Espalier: "),
  ]);
  expect(told).toContain("mine, tags/v1, git stash (On main: it's mine)");
  const back = told.slice(told.indexOf("to have them back: ") + "to have them back: ".length);
  execFileSync("sh", ["-c", back], { cwd: lab.root });
  expect(lab.git("rev-parse", "mine", "v1")).toBe(`${was}
${was}`);
  lab.git("checkout", "-q", "TASKS.md");
  lab.git("stash", "pop", "-q");
  expect(lab.read("a.txt")).toBe("a person's\n");
});

it("[E170] a run that nobody disturbs tells nothing of it", async () => {
  await using lab = openRepositoryLab({
    "TASKS.md": tasksFile({
      "0: main": { "T0.1": ["run: echo a > a.txt", "verify: test -s a.txt"] },
      "1: build": {
        "T1.1": ["run: echo b > b.txt", "verify: test -s b.txt"],
        "T1.2": ["run: echo c > c.txt", "verify: test -s c.txt"],
      },
    }),
    "espalier.yaml": "phase: { merge: auto }\n",
  });
  const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
  expect([code, (stdout + stderr).includes("REFS_GONE")]).toEqual([0, false]);
});
