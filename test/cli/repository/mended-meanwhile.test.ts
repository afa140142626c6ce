import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

/** An agent that writes a file named by its task; in the last task it tells that it is at work and waits until somebody writes to a pipe. */
const AGENT =
  "cat > /dev/null; test $ESPALIER_TASK != T1.3 || { touch ../begun; cat ../gate > /dev/null; }; echo 1 > $ESPALIER_TASK.txt; echo DONE:$ESPALIER_SIGNAL_ID";
const CONFIG = `agent: command\ncommand: sh -c '${AGENT}'\nverify: sh check.sh\nparallel: 2\n`;

function openGated(files: Readonly<Record<string, string>>): RepositoryLab {
  const lab = openRepositoryLab({
    "espalier.yaml": CONFIG,
    "check.sh": "echo broken >&2; exit 1\n",
    ...files,
  });
  execFileSync("mkfifo", [lab.beside("gate")]);
  return lab;
}

function mend(lab: RepositoryLab, file: string, text: string): void {
  lab.write(file, text);
  lab.git("commit", "-qam", `mended ${file}`);
}

describe("what a person mends while the run goes on", () => {
  it("[E164] a check that is mended on the target is there for the task that they let go on", async () => {
    await using lab = openGated({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["verify: 'true'"],
          "T1.2": ["depends_on: [T1.1]"],
          "T1.3": ["depends_on: [T1.1]", "verify: 'true'"],
        },
      }),
    });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[PAUSED] T1.2: verify was broken before");
    mend(lab, "check.sh", "test -e T1.2.txt\n");
    await lab.cli(["task", "resume", "T1.2"]);
    await run.seen("UP_TO_DATE phase/1-a has what was committed to main");
    await run.seen("[DONE] T1.2\n");
    writeFileSync(lab.beside("gate"), "go\n");
    const { code, stdout } = await run.ended;
    expect([code, stdout.split("UP_TO_DATE").length]).toEqual([0, 2]);
    expect(stdout).toContain("mend it in the main checkout, commit that, and let the task go on");
    expect(lab.git("log", "--format=%s", "--first-parent", "phase/1-a").split("\n")).toEqual([
      "T1.3: work",
      "T1.2: work",
      "Merge main into phase/1-a",
      "T1.1: work",
      "start",
    ]);
  });

  it("[E164] a target that did not join is tried again, told once, and taken in as soon as it does", async () => {
    await using lab = openGated({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["verify: 'true'"],
          "T1.2": ["depends_on: [T1.1]"],
          "T1.3": ["depends_on: [T1.1]", "verify: 'true'"],
          "T1.4": ["depends_on: [T1.3]", "verify: test -e ready.txt"],
        },
      }),
    });
    const first = lab.start(["run", "--yes"]);
    await first.seen("[PAUSED] T1.2");
    expect((await lab.cli(["stop"])).code).toBe(0);
    await first.ended;
    lab.write("T1.1.txt", "mine\n");
    lab.write("ready.txt", "ready\n");
    lab.git("add", "T1.1.txt", "ready.txt");
    mend(lab, "check.sh", "test -e T1.2.txt\n");
    await lab.ask("task", "resume", "T1.2");
    const run = lab.start(["resume", "--yes"]);
    await run.seen("[PAUSED] T1.2");
    await run.seen(
      "phase/1-a goes on without what was committed to main since: both changed T1.1.txt; commit to main what joins",
    );
    mend(lab, "T1.1.txt", "1\n");
    writeFileSync(lab.beside("gate"), "go\n");
    await run.seen("[DONE] T1.4\n");
    // One that has not ended yet would take it up itself.
    await run.ended;
    await lab.ask("task", "resume", "T1.2");
    const { code, stdout } = await lab.cli(["resume", "--yes"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2\n")]);
    const told = readFileSync(lab.path(".espalier/orchestrate.log"), "utf8");
    expect(told.split("NOT_UP_TO_DATE")).toHaveLength(2);
    expect(told.split(" UP_TO_DATE")).toHaveLength(2);
  });

  it("[E164] [V67] a list that both added to is in nobody's way, and that it was joined is told", async () => {
    await using lab = openGated({
      "CHANGES.md": "start\n",
      "check.sh": "true\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["run: echo task >> CHANGES.md"],
          "T1.2": ["depends_on: [T1.1]", "verify: test -e ready.txt"],
        },
      }),
    });
    lab.write("CHANGES.md", "start\nmore\n");
    lab.git("commit", "-qam", "more");
    expect((await lab.ask("run", "--yes")).stdout).toContain("[PAUSED] T1.2");
    lab.write("ready.txt", "ready\n");
    lab.git("add", "ready.txt");
    mend(lab, "CHANGES.md", "start\nmore\nmine\n");
    await lab.ask("task", "resume", "T1.2");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2\n")]);
    expect(stdout).toContain(
      "BRANCH_JOINED CHANGES.md: the lines of main stand after those that phase/1-a had",
    );
    expect(lab.git("show", "phase/1-a:CHANGES.md")).toBe("start\nmore\ntask\nmine");
  });

  it("[E164] where a task works in the folder of the phase, the one that they let go on waits for it", async () => {
    await using lab = openGated({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [],
          "T1.2": ["run: cat ../gate > /dev/null; echo 1 > T1.2.txt", "verify: 'true'"],
          "T1.3": ["depends_on: [T1.2]", "verify: 'true'"],
        },
      }),
    });
    const run = lab.start(["run", "--yes"]);
    await run.seen("[PAUSED] T1.1");
    // T1.3 works in the phase's folder only where nobody else is at work when it starts.
    writeFileSync(lab.beside("gate"), "go\n");
    await expect.poll(() => existsSync(lab.beside("begun")), { timeout: 60_000 }).toBe(true);
    mend(lab, "check.sh", "test -e T1.1.txt\n");
    await lab.cli(["task", "resume", "T1.1"]);
    await run.seen(
      "NOT_UP_TO_DATE phase/1-a takes in what was committed to main once T1.3, which is at work on it, has ended",
    );
    writeFileSync(lab.beside("gate"), "go\n");
    const { code, stdout } = await run.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1\n")]);
    expect(stdout.split("\n").filter(line => /DONE|UP_TO/u.test(line))).toEqual([
      "[DONE] T1.2",
      expect.stringContaining("NOT_UP_TO_DATE"),
      "[DONE] T1.3",
      expect.stringContaining(" UP_TO_DATE"),
      "[DONE] T1.1",
    ]);
  });
});
