import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { readingMonitor } from "../../../src/host/monitor/reading.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { itWhole } from "../../sample.ts";
import { answered, HAS_TERMINAL } from "../terminal.ts";
import { openRepositoryLab, tasksFile } from "./lab.ts";

const TASKS = tasksFile({
  "1: Pay": {
    "T1.1": ["run: echo 1 > one.txt", "verify: test -s one.txt"],
    "T1.2": ["run: echo 2 > two.txt"],
  },
  "2: Rest": { "T2.1": ["run: echo 3 > three.txt; test -e ../mended"] },
});
const AFTER = 'phase: { merge: ask, after: "sh after.sh" }\nsameError: 1\n';
const SCRIPT = [
  'echo "$ESPALIER_PHASE|$ESPALIER_TITLE|$ESPALIER_BRANCH" >> ../calls',
  'cat > "../stdin-$ESPALIER_PHASE"',
  'printf %s "$ESPALIER_BODY" > "../env-$ESPALIER_PHASE"',
  'test "$ESPALIER_PHASE" = 1 || { echo "Error: no remote" >&2; exit 4; }',
].join("\n");

describe.concurrent("phase.after", () => {
  it("[HO23] gets title, text and branch once a phase has ended, and is not repeated when the run goes on", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": AFTER, "after.sh": SCRIPT });
    expect((await lab.cli(["run", "--yes"])).code).toBe(5);
    expect(lab.text(lab.beside("calls"))).toBe("1|Job – Phase 1: Pay|phase/1-pay\n");
    const body = lab.text(lab.beside("stdin-1"));
    expect(body).toContain(
      "- [x] `T1.1: work` – proved by `test -s one.txt`\n- [x] `T1.2: work` – **unverified**\n",
    );
    expect(lab.text(lab.beside("env-1"))).toBe(body);
    writeFileSync(lab.beside("mended"), "");
    await lab.ask("task", "retry", "T2.1");
    const { code, stdout } = await lab.cli(["resume", "--yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "PHASE_AFTER phase 2 has ended, and phase.after failed: phase.after exit 4: Error: no remote; the phase stands as it is",
    );
    expect(lab.text(lab.beside("calls")).split("\n").slice(0, -1)).toEqual([
      "1|Job – Phase 1: Pay|phase/1-pay",
      "2|Job – Phase 2: Rest|phase/2-rest",
    ]);
    const last = stdout.slice(stdout.indexOf("\nBesides the tasks\n"));
    expect(last).toMatch(/^\nBesides the tasks\n {2}! phase 2 has ended, and phase.after failed: /);
    expect(last).toMatch(/\n {2}espalier resume +try phase.after again\n/);
    // What failed is tried again, what was done is not.
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
    expect(lab.text(lab.beside("calls")).match(/^\d/gm)).toEqual(["1", "2", "2"]);
  });

  it("[HO386] [VR286] that a stop ended is no failure: that is told, by status too, and it is run again", async () => {
    const after =
      'phase: { merge: ask, after: "echo $ESPALIER_PHASE >> ../calls; test -e ../mended || sleep 60" }\n';
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: Pay": { "T1.1": ["run: true"] } }),
      "espalier.yaml": after,
    });
    const run = lab.cli(["run", "--yes"]);
    await vi.waitFor(() => expect(lab.has(lab.beside("calls"))).toBe(true), 60_000);
    expect((await lab.ask("stop")).code).toBe(0);
    const { stdout } = await run;
    const told = "phase 1 has ended; the stop ended phase.after, which is run again when the run goes on";
    expect(stdout).toContain(`PHASE_AFTER ${told}\n`);
    expect(stdout).not.toContain("phase.after failed");
    const status = await lab.ask("status");
    expect(status.stdout).toContain(`\nBesides the tasks\n  ! ${told}\n`);
    expect(status.stdout).toMatch(/\n {2}espalier resume +try phase.after again\n/);
    writeFileSync(lab.beside("mended"), "");
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
    expect(lab.text(lab.beside("calls"))).toBe("1\n1\n");
    expect((await lab.ask("status")).stdout).not.toContain("Besides the tasks");
  });

  it("[HO23] is shown before it is approved, and nothing runs without a yes", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": AFTER, "after.sh": SCRIPT });
    const { code, stderr } = await lab.cli(["run"]);
    expect(code).toBe(5);
    expect(stderr).toContain("espalier.yaml phase.after:\n    sh after.sh\n");
    expect(lab.has(lab.beside("calls"))).toBe(false);
  });
});

describe.concurrent("espalier diff and phase report", () => {
  it("[HO21] shows what landed, by task, by phase and of the run, and what stands in a worktree", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, "espalier.yaml": "sameError: 1\n" });
    expect((await lab.cli(["run", "--yes"])).code).toBe(5);
    const one = await lab.cli(["diff", "T1.1"]);
    expect([one.code, one.stderr]).toEqual([0, ""]);
    expect(one.stdout).toContain("    T1.1: work\n");
    expect(one.stdout).toContain("+++ b/one.txt\n@@ -0,0 +1 @@\n+1\n");
    expect(one.stdout).not.toContain("two.txt");
    for (const args of [["diff", "1"], ["diff"]]) {
      const { stdout } = await lab.cli(args);
      expect(stdout.match(/^ {4}T1\.\d: work$/gm)?.toSorted()).toEqual(["    T1.1: work", "    T1.2: work"]);
    }
    const standing = await lab.cli(["diff", "T2.1"]);
    expect(standing.stderr).toContain("T2.1 has not landed: this stands in its worktree now");
    expect(standing.stdout).toContain("+++ b/three.txt");
    const unknown = await lab.cli(["diff", "T1.9"]);
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("NO_SUCH_TASK: no task or phase T1.9"),
    ]);
    const report = await lab.ask("phase", "report", "1");
    expect(report.stdout).toContain("# Job – Phase 1: Pay\n\nNobody proved: `T1.2`\n");
    expect((await lab.ask("phase", "report", "7")).code).toBe(2);
    expect(JSON.parse((await lab.ask("phase", "report", "--json")).stdout).body).toContain(
      "## Phase 2 `Rest`",
    );
  });

  it("[HO128] shows what stands in a folder of whoever worked there last, and of nobody else", async () => {
    await using lab = openRepositoryLab({
      "work.sh": "cat > /dev/null; echo mine > $ESPALIER_TASK.txt; echo FAIL:$ESPALIER_SIGNAL_ID:cannot\n",
      "judge.sh": 'cat > /dev/null; echo "APPROVE:$ESPALIER_SIGNAL_ID"\n',
      "TASKS.md": "# Job\n## Phase 1: a\n### [ ] T1.1: one\n### [ ] T1.2: two\n- depends_on: T1.1\n",
      "espalier.yaml": [
        "agent: worker",
        "agents: { worker: { command: sh work.sh }, judge: { command: sh judge.sh } }",
        "sameError: 1",
      ].join("\n"),
    });
    expect(await lab.cli(["run", "--yes"])).toMatchObject({ code: 5 });
    expect((await lab.ask("diff", "T1.1")).stdout).toContain("+++ b/T1.1.txt");
    await lab.ask("task", "skip", "T1.1");
    // Both work in the folder of the phase, where nothing runs beside them.
    expect(await lab.cli(["resume", "--yes"])).toMatchObject({ code: 5 });
    expect((await lab.ask("diff", "T1.2")).stdout).toContain("+++ b/T1.2.txt");
    const others = await lab.ask("diff", "T1.1");
    expect(others.stdout + others.stderr).toBe(
      "T1.1: nothing has landed, and nothing stands in its worktree\n",
    );
    expect(await lab.ask("review", "T1.1", "--agent", "judge")).toMatchObject({ code: 2 });
    expect(await lab.ask("review", "T1.2", "--agent", "judge")).toMatchObject({ code: 0 });
    const monitor = readingMonitor(findProject(lab.root), process.env);
    try {
      expect(await monitor.work({ task: "T1.1" }, "all")).toMatchObject({ value: { state: "nothing" } });
      expect(await monitor.work({ task: "T1.2" }, "all")).toMatchObject({ value: { state: "standing" } });
    } finally {
      monitor.close();
    }
    // An attempt begins on a clean tree, and this one changes nothing.
    lab.write("work.sh", "cat > /dev/null; echo FAIL:$ESPALIER_SIGNAL_ID:cannot\n");
    lab.git("commit", "--quiet", "--all", "--message", "work less");
    await lab.ask("task", "retry", "T1.2");
    expect(await lab.cli(["resume", "--yes"])).toMatchObject({ code: 5 });
    expect((await lab.ask("diff", "T1.2")).stdout).toMatch(/^T1\.2: nothing has landed, and nothing stands/);
  });

  it("[HO129] shows, and has reviewed, what is proved and waits to land, in phase 0, too", async () => {
    await using lab = openRepositoryLab({
      "work.sh": "cat > /dev/null; echo $ESPALIER_TASK >> a.txt; echo DONE:$ESPALIER_SIGNAL_ID\n",
      "judge.sh": 'cat > ../asked; test ! -e ../voice || echo "APPROVE:$ESPALIER_SIGNAL_ID"\n',
      "TASKS.md": "# Job\n## Phase 0: a\n### [ ] T0.1: one\n",
      "espalier.yaml": [
        "agent: worker",
        "agents: { worker: { command: sh work.sh }, judge: { command: sh judge.sh } }",
        "review: { agent: judge, required: true }",
      ].join("\n"),
    });
    expect(await lab.cli(["run", "--yes"])).toMatchObject({ code: 5 });
    const waiting = await lab.ask("diff", "T0.1");
    expect(waiting.stderr).toBe("T0.1 has not landed: this is its work as it was proved\n");
    expect(waiting.stdout).toContain("\n+T0.1\n");
    writeFileSync(lab.beside("voice"), "");
    expect(await lab.ask("review", "T0.1")).toMatchObject({ code: 0 });
    expect(lab.text(lab.beside("asked"))).toContain("\n+T0.1\n");
    await lab.ask("task", "approve", "T0.1");
    expect(await lab.cli(["resume", "--yes"])).toMatchObject({ code: 0 });
    expect(await lab.ask("diff", "T0.1")).toMatchObject({ stderr: "" });
    // What was sent back and is done anew is what is looked at, not what had landed before.
    rmSync(lab.beside("voice"));
    await lab.ask("task", "send-back", "T0.1", "again");
    expect(await lab.cli(["resume", "--yes"])).toMatchObject({ code: 5 });
    const again = await lab.ask("diff", "T0.1");
    expect(again.stderr).toContain("this is its work as it was proved");
    expect(again.stdout).toContain("\n T0.1\n+T0.1\n");
    expect((await lab.ask("diff")).stdout).toContain("\n+T0.1\n");
  });

  it("[HO21] shows the tasks of a group, and those of groups in it", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": [
        "# Job\n## Phase 1: a\n### [ ] T1: all\n#### [ ] T1.1: some",
        "##### [ ] T1.1.1: x\n- run: echo x > x.txt\n##### [ ] T1.1.2: y\n- run: echo y > y.txt",
        "#### [ ] T1.2: z\n- run: echo z > z.txt\n",
      ].join("\n"),
    });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    const paths = async (name: string) =>
      (await lab.ask("diff", name)).stdout.match(/(?<=^\+\+\+ b\/).*/gm)?.sort();
    expect(await paths("T1.1")).toEqual(["x.txt", "y.txt"]);
    expect(await paths("T1")).toEqual(["x.txt", "y.txt", "z.txt"]);
  });

  itWhole("[HO21] starts no program that the repository names", async () => {
    await using lab = openRepositoryLab({ "TASKS.md": TASKS, ".gitattributes": "*.txt diff=evil\n" });
    await lab.cli(["run", "--yes", "--only", "T1.1"]);
    const touch = `touch ${lab.home}/PWNED`;
    for (const key of [
      "diff.external",
      "diff.evil.textconv",
      "diff.evil.command",
      "core.pager",
      "pager.show",
      "pager.diff",
    ])
      lab.git("config", key, `sh -c "${touch}; cat"`);
    const bin = join(lab.home, "bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "page"), "#!/bin/sh\nsed s/^/PAGED:/\n");
    chmodSync(join(bin, "page"), 0o755);
    const env = { PATH: `${bin}:${process.env["PATH"]}`, GIT_PAGER: "page", TERM: "xterm" };
    const piped = await lab.cli(["diff", "T1.1"], { env });
    expect(piped.stdout).toContain("+++ b/one.txt");
    expect(piped.stdout).not.toContain("PAGED:");
    expect(lab.has(join(lab.home, "PWNED"))).toBe(false);
  });

  it.skipIf(!HAS_TERMINAL)(
    "[HO21] goes through the person's own pager on a terminal, in their own locale, and no other",
    async () => {
      await using lab = openRepositoryLab({ "TASKS.md": TASKS });
      await lab.cli(["run", "--yes", "--only", "T1.1"]);
      for (const key of ["core.pager", "pager.show"])
        lab.git("config", key, `sh -c "touch ${lab.home}/PWNED; cat"`);
      writeFileSync(join(lab.home, ".gitconfig"), "[include]\n\tpath = .gitconfig.mine\n");
      const pager = "echo READ AS $LANG,$LC_ALL; sed s/^/PAGED:/";
      writeFileSync(join(lab.home, ".gitconfig.mine"), `[core]\n\tpager = "${pager}"\n`);
      const within = { ...lab, env: { ...lab.env, LANG: "ko_KR.UTF-8", LC_ALL: undefined } };
      const { shown, code } = await answered(within, ["diff", "T1.1"], ["no such question"], "");
      expect(code).toBe(0);
      expect(shown).toMatch(/PAGED:\+\+\+ b\/one\.txt/);
      expect(shown).toContain("READ AS ko_KR.UTF-8,\r\n");
      expect(lab.has(join(lab.home, "PWNED"))).toBe(false);
    },
  );
});
