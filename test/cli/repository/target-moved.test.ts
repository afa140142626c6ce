import { expect, it } from "vitest";
import { itWhole, sampleOf } from "../../sample.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const GIT = "git -c user.name=a -c user.email=a@b";

it.each(
  sampleOf(
    [
      ["0: main", "T0.1", `${GIT} commit -q --allow-empty -m mine`],
      ["1: build", "T1.1", `${GIT} commit -q --allow-empty -m mine`],
      [
        "1: build",
        "T1.1",
        `git update-ref refs/heads/main $(${GIT} commit-tree -p main -m mine main^{tree})`,
      ],
    ],
    0,
    2,
  ),
)(
  "[E58] what a task of phase %s brings to the target by itself is told: %s, %s",
  async (phase, task, act) => {
    await using lab = openRepositoryLab({});
    const lines = [
      `run: true && (cd ${lab.root} && ${act}); echo one > ${task}.txt`,
      `verify: test -s ${task}.txt`,
    ];
    lab.write("TASKS.md", tasksFile({ [phase]: { [task]: lines } }));
    lab.git("add", "-A");
    lab.git("commit", "-q", "-m", "tasks");
    const was = lab.git("rev-parse", "main").slice(0, 10);
    const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
    const told = stdout + stderr;
    expect([code, told]).toEqual([0, expect.stringContaining("TARGET_MOVED")]);
    expect(told).toContain(`main was moved from ${was} to `);
    expect(told).toContain(`while ${task} was worked on, and not by this run`);
    expect(lab.git("show", `main:${task}.txt`)).toBe("one");
  },
);

itWhole("[E58] a run that nobody disturbs tells nothing of it", async () => {
  await using lab = openRepositoryLab({
    "TASKS.md": tasksFile({
      "0: main": { "T0.1": ["run: echo a > a.txt", "verify: test -s a.txt"] },
      "1: build": { "T1.1": ["run: echo b > b.txt", "verify: test -s b.txt"] },
    }),
  });
  const { code, stdout, stderr } = await lab.cli(["run", "--yes"]);
  expect([code, (stdout + stderr).includes("TARGET_MOVED")]).toEqual([0, false]);
});
