import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole, sampleOf } from "../../sample.ts";
import { attemptsOf, openRepositoryLab, tasksFile } from "./lab.ts";

/** Fails and passes like a suite of `node --test`, by the number of tests and of failures in two files. */
const RUNNER = [
  "#!/bin/sh",
  "ran=$(cat ran.txt 2>/dev/null || echo 0)",
  "failed=$(cat failed.txt 2>/dev/null || echo 0)",
  'printf "ℹ tests %s\\nℹ pass 0\\nℹ fail %s\\n" "$ran" "$failed"',
  'test "$failed" = 0',
].join("\n");

describe.concurrent("what a completion is worth", () => {
  it.each(
    sampleOf(
      [
        ["verify: no-such-program --flag", "verify", 127, "verify: line 1: no-such-program: "],
        ["verify: echo x > s.txt; sh -c 'exit 127'", "verify", 127, ""],
        ["test: no-such-program", "test", 127, "test: line 1: no-such-program: "],
        ["test: /etc/passwd", "test", 126, "denied"],
      ],
      1,
      3,
    ),
  )("[E90] a check that cannot run pauses its task at once: %s", async (check, name, exit, said) => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": [check, "run: echo 1 > one.txt"] } }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    expect(stdout).toContain(`${name} cannot run here: exit ${exit}`);
    const attempts = await attemptsOf(lab, "T1.1");
    expect(attempts).toHaveLength(1);
    expect(attempts[0]?.evidence).toContain(said);
    const { task } = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
    expect(task).toMatchObject({ status: "paused", retries: 0 });
  });

  itWhole("[E90] tells the cause whole where output and errors end without a line", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [
            "verify: printf 'running tests'; printf 'sh: 1: vitest: not found' >&2; exit 127",
            "run: true",
          ],
        },
      }),
    });
    const { stdout } = await lab.ask("run", "--yes");
    expect(stdout).toContain("verify cannot run here: exit 127: sh: 1: vitest: not found; install");
  });

  itWhole("[E90] a script of the repository that is not there is work that fails", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [
            "verify: ./check.sh",
            "retry: continue",
            "run: test -e tried && printf 'true' > check.sh && chmod +x check.sh; touch tried",
          ],
        },
      }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect((await attemptsOf(lab, "T1.1")).map(({ outcome }) => outcome)).toEqual(["unproven", "done"]);
  });

  it("[E91] RED is a test that ran and failed; else it is shown as unproven", async () => {
    await using lab = openRepositoryLab({
      "suite.sh": RUNNER,
      "ran.txt": "3\n",
      "failed.txt": "1\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["test: sh suite.sh", "run: echo 0 > failed.txt"],
          "T1.2": ["test: test -s two.txt", "run: echo 2 > two.txt"],
        },
      }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const [proved] = await attemptsOf(lab, "T1.1");
    expect(proved?.evidence).toMatch(/^RED \$ sh suite\.sh\nexit 1\nnode --test: 3 ran, 1 failed\n/);
    expect(proved?.evidence).toMatch(/\nGREEN \$ sh suite\.sh\nexit 0/);
    const [other] = await attemptsOf(lab, "T1.2");
    expect(other?.evidence).toMatch(/^RED unproven \$ test -s two\.txt\nexit 1/);
  });

  itWhole("[E91] a test command that passes because no test is there asks nobody", async () => {
    await using lab = openRepositoryLab({
      "suite.sh": RUNNER,
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["test: sh suite.sh", "run: echo 1 > ran.txt"] } }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const [first] = await attemptsOf(lab, "T1.1");
    expect(first?.evidence).toMatch(/^RED unproven \$ sh suite\.sh\n/);
    expect(first?.evidence).toContain("(no test was there before the work)");
  });

  it("[E92] tests that were deleted or hold less than before are told", async () => {
    await using lab = openRepositoryLab({
      "suite.sh": RUNNER,
      "ran.txt": "3\n",
      "failed.txt": "1\n",
      "test/gone.test.js": "test('a', () => { assert(1) })\n",
      "test/less.test.js": "test('a', () => { expect(1); expect(2) })\n",
      "test/more.test.js": "test('a', () => { expect(1) })\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": [
            "test: sh suite.sh",
            "run: echo 0 > failed.txt; echo 2 > ran.txt; rm test/gone.test.js; echo \"test('a', () => { expect(1) })\" | tee test/less.test.js > /dev/null; echo \"test('b', () => { expect(3) })\" >> test/more.test.js",
          ],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    const told =
      "its tests ask for less than before: deleted: test/gone.test.js; fewer tests or assertions, or more skipped: test/less.test.js; 2 tests ran instead of 3";
    expect(stdout).toContain(told);
    expect((await attemptsOf(lab, "T1.1"))[0]?.evidence).toContain(told);
  });

  it("[E93] a project check that was broken before is asked once, and every failure by it says so", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "verify: sh check.sh\nmaxAttempts: 2\nbackoff: { first: 0s }\nparallel: 2\n",
      "check.sh": "echo asked >> ../asked; echo 'Error: wrong' >&2; exit 3\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: echo 2 > two.txt"] },
      }),
    });
    const { stdout } = await lab.ask("run", "--yes");
    const told = "verify was broken before: it fails without the work as well, exit 3: Error: wrong";
    for (const task of ["T1.1", "T1.2"])
      for (const { evidence } of await attemptsOf(lab, task)) expect(evidence).toContain(told);
    expect(stdout.match(/BROKEN_BEFORE/g)).toHaveLength(1);
    expect(lab.text(lab.beside("asked")).match(/asked/g)).toHaveLength(3);
  });

  it("[E93] a project check that reads which task it proves is not asked without that one's work", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml":
        "verify: echo asked >> ../asked; test -e $ESPALIER_TASK.txt\nmaxAttempts: 3\nbackoff: { first: 0s }\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: test -e ../again && touch T1.1.txt; touch ../again"] },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect([code, stdout.includes("BROKEN_BEFORE")]).toEqual([0, false]);
    expect(lab.text(lab.beside("asked")).match(/asked/g)).toHaveLength(2);
  });

  it("[E157] work whose check fails as it did without it waits for a person after one attempt; another failure is tried again", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "verify: sh check.sh\nmaxAttempts: 3\nbackoff: { first: 0s }\n",
      "check.sh":
        "test -e two.txt && { echo 'Error: two is wrong' >&2; exit 3; }; echo 'Error: wrong' >&2; exit 3\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: echo 2 > two.txt"] },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    expect(stdout).toContain("[PAUSED] T1.1: verify was broken before: it fails without the work as well");
    expect(await attemptsOf(lab, "T1.1")).toHaveLength(1);
    expect((await attemptsOf(lab, "T1.2")).length).toBeGreaterThan(1);
  });

  it("[E157] [E158] what waited for a broken check is only proved once a person has mended that on the target", async () => {
    const agent =
      "cat > /dev/null; echo $ESPALIER_TASK >> ../called; echo 1 > $ESPALIER_TASK.txt; echo DONE:$ESPALIER_SIGNAL_ID";
    await using lab = openRepositoryLab({
      "espalier.yaml": `agent: command\ncommand: sh -c '${agent}'\nverify: sh check.sh\nparallel: 2\n`,
      "check.sh": "echo 'Error: wrong' >&2; exit 3\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": [], "T1.2": [] } }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(5);
    lab.write("check.sh", "test -e T1.1.txt || test -e T1.2.txt\n");
    lab.git("commit", "-qam", "mended");
    await lab.ask("task", "resume", "T1.1", "T1.2");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("UP_TO_DATE phase/1-a has what was committed to main");
    expect(lab.text(lab.beside("called")).trim().split("\n").toSorted()).toEqual(["T1.1", "T1.2"]);
    expect(lab.git("log", "--format=%s", "phase/1-a").split("\n")).toEqual(
      expect.arrayContaining(["mended", "T1.1: work", "T1.2: work"]),
    );
    expect(
      lab.git("log", "--format=%(trailers:key=Espalier-Verified,valueonly,separator=)", "-2", "phase/1-a"),
    ).toBe("true\ntrue");
  });

  it("[E93] what the work broke is not called broken before, and the work stands as it was", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "verify: test ! -e one.txt\nmaxAttempts: 1\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
    });
    const { stdout } = await lab.ask("run", "--yes");
    expect(stdout).not.toContain("broken before");
    expect(stdout).toContain("verify exit 1");
    expect((await lab.ask("diff", "T1.1")).stdout).toContain("one.txt");
  });

  it("[E158] a phase on which work has landed, and a claim in its own folder, come up to what a person mended", async () => {
    const agent =
      "cat > /dev/null; echo $ESPALIER_TASK >> ../called; echo 1 > $ESPALIER_TASK.txt; test $ESPALIER_TASK = T1.1 || touch ../broken; echo DONE:$ESPALIER_SIGNAL_ID";
    await using lab = openRepositoryLab({
      "espalier.yaml": `agent: command\ncommand: sh -c '${agent}'\nverify: sh check.sh\n`,
      "check.sh": "test ! -e ../broken || { echo 'Error: wrong' >&2; exit 3; }\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": [], "T1.2": ["depends_on: [T1.1]"] } }),
    });
    const first = await lab.ask("run", "--yes");
    expect(first.stdout).toContain("[PAUSED] T1.2: verify was broken before");
    lab.write("check.sh", "true\n");
    lab.git("commit", "-qam", "mended");
    await lab.ask("task", "resume", "T1.2");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2\n")]);
    expect(lab.text(lab.beside("called"))).toBe("T1.1\nT1.2\n");
    expect(lab.git("log", "--format=%s", "--first-parent", "phase/1-a").split("\n")).toEqual([
      "T1.2: work",
      "Merge main into phase/1-a",
      "T1.1: work",
      "start",
    ]);
  });

  it("[E158] what a person merges in the worktree of the phase, as NOT_UP_TO_DATE says, is gone on from", async () => {
    const agent =
      "cat > /dev/null; echo $ESPALIER_TASK >> ../called; test $ESPALIER_TASK = T1.2 && echo 2 >> b.txt || echo 1 > a.txt; echo DONE:$ESPALIER_SIGNAL_ID";
    await using lab = openRepositoryLab({
      "espalier.yaml": `agent: command\ncommand: sh -c '${agent}'\nverify: sh check.sh\n`,
      "a.txt": "start\n",
      "b.txt": "start\n",
      "check.sh": "echo broken >&2; exit 1\n",
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["verify: 'true'"], "T1.2": ["depends_on: [T1.1]"] } }),
    });
    expect((await lab.ask("run", "--yes")).stdout).toContain("[PAUSED] T1.2: verify was broken before");
    lab.write("a.txt", "mine\n");
    lab.write("check.sh", "true\n");
    lab.git("commit", "-qam", "mine");
    await lab.ask("task", "resume", "T1.2");
    const told = (await lab.ask("resume", "--yes")).stdout;
    const [, path = ""] = /merge main in (\S+), commit that/u.exec(told) ?? [];
    expect(path).toContain("-phase1-a");
    expect(lab.git("-C", path, "status", "--porcelain")).toBe("");
    expect(() => lab.git("-C", path, "merge", "-q", "main")).toThrow("Command failed");
    writeFileSync(`${path}/a.txt`, "both\n");
    lab.git("-C", path, "commit", "-qam", "by hand");
    await lab.ask("task", "resume", "T1.2");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2\n")]);
    expect(lab.git("show", "phase/1-a:a.txt", "phase/1-a:b.txt")).toBe("both\nstart\n2");
    // What had been claimed was only proved.
    expect(lab.text(lab.beside("called"))).toBe("T1.1\nT1.2\n");
    expect((await lab.ask("phase", "merge", "1")).code).toBe(0);
  });

  it("[E158] what an attempt left open keeps its phase from nothing that was committed since", async () => {
    const agent =
      "cat > /dev/null; echo $ESPALIER_TASK > $ESPALIER_TASK.txt; test $ESPALIER_TASK = T1.1 || echo 2 > a.txt; echo DONE:$ESPALIER_SIGNAL_ID";
    await using lab = openRepositoryLab({
      "espalier.yaml": `agent: command\ncommand: sh -c '${agent}'\nsameError: 1\n`,
      "a.txt": "start\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": [], "T1.2": ["depends_on: [T1.1]", "verify: test -e ready.txt"] },
      }),
    });
    expect((await lab.ask("run", "--yes")).stdout).toContain("[PAUSED] T1.2");
    lab.write("a.txt", "mine\n");
    lab.write("ready.txt", "ready\n");
    lab.git("add", "ready.txt");
    lab.git("commit", "-qam", "mine");
    await lab.ask("task", "resume", "T1.2");
    const { code, stdout } = await lab.ask("resume", "--yes");
    expect(stdout).toContain("UP_TO_DATE phase/1-a has what was committed to main");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.2\n")]);
    expect(lab.git("show", "phase/1-a:a.txt")).toBe("2");
  });

  itWhole(
    "[E153] [V62] what waited for a check that could not run is only proved once setup brings it",
    async () => {
      const agent =
        "cat > /dev/null; echo called >> ../called; echo 1 > one.txt; echo DONE:$ESPALIER_SIGNAL_ID";
      const config = `agent: command\ncommand: sh -c '${agent}'\nverify: sh -c "test -e tool || exit 127"\n`;
      await using lab = openRepositoryLab({
        "espalier.yaml": config,
        ".gitignore": "tool\n",
        "TASKS.md": tasksFile({ "1: a": { "T1.1": [] } }),
      });
      expect((await lab.ask("run", "--yes")).code).toBe(5);
      lab.write("espalier.yaml", `${config}worktree: { setup: [touch tool] }\n`);
      await lab.ask("task", "resume", "T1.1");
      const { code, stdout } = await lab.ask("resume", "--yes");
      expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1\n")]);
      expect(lab.text(lab.beside("called"))).toBe("called\n");
    },
  );

  it("[E94] tdd without a test command completes unverified, and says why", async () => {
    const tasks = tasksFile({
      "1: a": { "T1.1": ["tdd: true", "verify: test -s one.txt", "run: echo 1 > one.txt"] },
    });
    await using lab = openRepositoryLab({ "TASKS.md": tasks });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("TESTS_MISSING unverified: it asks for tests before and after the work (tdd)");
    const { task, attempts } = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
    expect(task.verified).toBe(false);
    expect(attempts[0].evidence).toContain("$ test -s one.txt");
    await using tested = openRepositoryLab({ "TASKS.md": tasks, "espalier.yaml": "test: test -e one.txt\n" });
    await tested.ask("run", "--yes");
    expect(JSON.parse((await tested.ask("task", "show", "T1.1", "--json")).stdout).task.verified).toBe(true);
  });

  it("[E285] tests that were all skipped prove nothing, and a command beside them does", async () => {
    const file = (call: string) => `import test from "node:test";\ntest${call};\n`;
    const skip = `printf '%s' '${file('.skip("x", () => {})')}' > x.test.mjs`;
    const tasks = tasksFile({
      "1: a": {
        "T1.1": ["test: node --test x.test.mjs", `run: ${skip.replaceAll("\n", " ")}`],
        "T1.2": [
          "test: node --test y.test.mjs",
          "verify: test -e y.txt",
          "run: touch y.txt; echo > y.test.mjs",
        ],
      },
    });
    await using lab = openRepositoryLab({
      "TASKS.md": tasks,
      "x.test.mjs": file('("x", () => { throw new Error("not yet"); })'),
      "y.test.mjs": file('("y", () => { throw new Error("not yet"); })'),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1 (unverified)\n")]);
    expect(stdout).toContain(
      "T1.1: TESTS_MISSING unverified: its test command passed without running a test (node --test)",
    );
    expect(stdout).toContain("[DONE] T1.2\n");
    const { attempts } = JSON.parse((await lab.ask("task", "show", "T1.1", "--json")).stdout);
    expect(attempts[0].evidence).toContain("GREEN unproven $ node --test x.test.mjs");
  });
});
