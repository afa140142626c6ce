import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStage, type Stage } from "../../puppet/stage.ts";
import { itWhole, sampleOf } from "../../sample.ts";
import { openRepositoryLab, type RepositoryLab, tasksFile } from "./lab.ts";

const LEFT = /SET_ASIDE .*git diff \S+ (refs\/espalier\/left\/\S+)/;

/** Starts a run, and kills it once a task has come to the stage. */
async function dieAt(lab: RepositoryLab, stage: Stage, task: string): Promise<void> {
  const run = lab.start(["run", "--yes"]);
  await stage.nextCall(task);
  run.signal("SIGKILL");
  await run.ended;
}

describe("what an attempt leaves", { timeout: 120_000 }, () => {
  it.each(
    sampleOf(
      [
        ["0: base", "T0.1"],
        ["1: a", "T1.1"],
      ],
      1,
    ),
  )("[E70] is gone when the process died over it, and kept (phase %s)", async (phase, task) => {
    await using stage = await openStage();
    const tasks = { [task]: [`run: echo x >> f && ${stage.script}`] };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ [phase]: tasks }) });
    await dieAt(lab, stage, task);
    const again = lab.start(["resume", "--yes"]);
    await (await stage.nextCall(task)).exit(0);
    const { code, stdout } = await again.ended;
    expect(code).toBe(0);
    expect(lab.git("show", "main:f")).toBe("x");
    const [, ref = ""] = LEFT.exec(stdout) ?? [];
    expect(lab.git("show", `${ref}:f`)).toBe("x");
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it.each(
    sampleOf(
      [
        ["0: base", "T0.1"],
        ["1: a", "T1.1"],
      ],
      0,
    ),
  )("[E70] lets what a failed attempt tried first work again (phase %s)", async (phase, task) => {
    const tasks = { [task]: ["run: git mv old new && test -e ../again || { touch ../again; exit 1; }"] };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ [phase]: tasks }), old: "old\n" });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).toContain("(retry 1/10)");
    expect(lab.git("ls-tree", "--name-only", "main").split("\n")).toEqual([
      "TASKS.md",
      "espalier.yaml",
      "new",
    ]);
    expect(lab.git("status", "--porcelain")).toBe("");
  });

  it.each(
    sampleOf(
      [
        ["0: base", "T0.1"],
        ["1: a", "T1.1"],
      ],
      1,
    ),
  )("[E70] stays for a task that says so (phase %s)", async (phase, task) => {
    const tasks = { [task]: ["run: echo x >> f; test $(wc -l < f) = 3", "retry: continue"] };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ [phase]: tasks }) });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(stdout).not.toContain("SET_ASIDE");
    expect(lab.git("show", "main:f")).toBe("x\nx\nx");
  });

  itWhole(
    "[E70] in the main checkout never goes into another task's commit, and a person's edits stay",
    async () => {
      await using stage = await openStage();
      const tasks = {
        "T0.1": [`run: echo half > half.txt; ${stage.script}`],
        "T0.2": ["run: echo 2 > two.txt"],
      };
      const config = "maxAttempts: 1\nphaseGate: 0.5\n";
      await using lab = openRepositoryLab({
        "TASKS.md": tasksFile({ "0: base": tasks }),
        "espalier.yaml": config,
        "notes.md": "none\n",
      });
      lab.git("add", "-A");
      const run = lab.start(["run", "--yes"]);
      await (await stage.nextCall("T0.1")).exit(1);
      const { stdout } = await run.ended;
      expect(stdout).toContain("[DONE] T0.2");
      expect(LEFT.test(stdout)).toBe(true);
      expect(lab.git("log", "--format=", "--name-only", "--grep=Espalier-Task", "main")).toBe("two.txt");
      expect(lab.has(`${lab.root}/half.txt`)).toBe(false);
    },
  );

  it("[E72] is landed and not done again where it was proved when the process died", async () => {
    await using stage = await openStage();
    // In its own worktree the proof passes at once; where it joins what has landed, it waits.
    const verify = `verify: case $PWD in *--t1-*) true;; *) ${stage.script};; esac`;
    const tasks = {
      "T1.1": ["run: echo 1 > one.txt"],
      "T1.2": [
        "run: echo began >> ../began; while [ ! -e ../project-phase1-a/one.txt ]; do sleep 0.05; done; echo 2 > two.txt",
        verify,
      ],
    };
    await using lab = openRepositoryLab({ "TASKS.md": tasksFile({ "1: a": tasks }) });
    const run = lab.start(["run", "--yes", "--parallel", "2"]);
    await stage.nextCall();
    run.signal("SIGKILL");
    await run.ended;
    const again = lab.start(["resume", "--yes"]);
    await (await stage.nextCall()).exit(0);
    const { code, stdout } = await again.ended;
    expect(code).toBe(0);
    expect(stdout).toContain("[DONE] T1.2\n");
    expect(lab.text(lab.beside("began"))).toBe("began\n");
    expect(lab.git("show", "main:two.txt")).toBe("2");
  });

  describe("[E153] claimed, and in its proof when that was ended", () => {
    const AGENT = "cat > prompt.txt; echo began >> ../began; echo 2 > two.txt; echo DONE:$ESPALIER_SIGNAL_ID";
    const config = `phase: { merge: auto }\nagent: command\ncommand: sh -c '${AGENT}'\nbackoff: { first: 0s }\n`;
    const openClaimed = (stage: Stage, fields: readonly string[] = [], phase = "1: a") => {
      const tasks = { "T1.1": [`verify: ${stage.script} && test -e two.txt`, ...fields] };
      return openRepositoryLab({ "TASKS.md": tasksFile({ [phase]: tasks }), "espalier.yaml": config });
    };

    it.each(
      sampleOf(
        [
          ["SIGINT", [], "1: a"],
          ["SIGKILL", ["test: test -e two.txt"], "1: a"],
          ["SIGINT", [], "0: base"],
          ["SIGKILL", [], "0: base"],
        ] as const,
        1,
        2,
      ),
    )("is only proved when the run goes on after %s (%j, phase %s)", async (signal, fields, phase) => {
      await using stage = await openStage();
      await using lab = openClaimed(stage, fields, phase);
      for (const _ of [1, 2]) {
        const run = lab.start(["run", "--yes"]);
        await stage.nextCall();
        run.signal(signal);
        await run.ended;
      }
      const again = lab.start(["resume", "--yes"]);
      await (await stage.nextCall()).exit(0);
      const { code, stdout } = await again.ended;
      expect([code, stdout]).toEqual([0, expect.stringContaining("[DONE] T1.1\n")]);
      expect(stdout).not.toContain("SET_ASIDE");
      expect(lab.text(lab.beside("began"))).toBe("began\n");
      expect(lab.git("show", "main:two.txt")).toBe("2");
      expect(lab.git("log", "-1", "--format=%(trailers:key=Espalier-Verified)", "--grep=T1.1:", "main")).toBe(
        "Espalier-Verified: true",
      );
      const { stdout: shown } = await lab.ask("task", "show", "T1.1");
      expect(shown.includes("RED")).toBe(fields.length > 0);
    });

    it("fails by a proof that fails then, and is done again", async () => {
      await using stage = await openStage();
      await using lab = openClaimed(stage);
      const run = lab.start(["run", "--yes"]);
      await stage.nextCall();
      run.signal("SIGINT");
      await run.ended;
      const again = lab.start(["resume", "--yes"]);
      await (await stage.nextCall()).exit(1);
      await (await stage.nextCall()).exit(0);
      const { code, stdout } = await again.ended;
      expect([code, stdout]).toEqual([0, expect.stringContaining("verify exit 1 (retry 1/10)")]);
      expect(lab.text(lab.beside("began"))).toBe("began\nbegan\n");
      expect(lab.git("show", "main:prompt.txt")).toContain("verify exit 1");
    });

    itWhole("is done again where the task asks for something else by then", async () => {
      await using stage = await openStage();
      await using lab = openClaimed(stage);
      const run = lab.start(["run", "--yes"]);
      await stage.nextCall();
      run.signal("SIGINT");
      await run.ended;
      const file = lab.read("TASKS.md");
      writeFileSync(join(lab.root, "TASKS.md"), file.replace("two.txt", "two.txt && true"));
      const again = lab.start(["resume", "--yes"]);
      await (await stage.nextCall()).exit(0);
      expect(await again.ended).toMatchObject({ stdout: expect.stringContaining("T1.1") as string });
      expect(lab.text(lab.beside("began"))).toBe("began\nbegan\n");
    });
  });

  it("[E71] stays without git, which is told once", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo x >> f; test $(wc -l < f) = 3"] } }),
      "espalier.yaml": "backoff: { first: 0s }\ngit: { worktrees: off }\n",
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(0);
    expect(lab.read("f")).toBe("x\nx\nx\n");
    expect(stdout.match(/LEFTOVERS_STAY/g)).toHaveLength(1);
  });

  it.each(
    sampleOf(
      [
        [
          "",
          [],
          "Your folder stands where the task began. What the attempt before left there was taken out: git diff refs/",
        ],
        ["", ["retry: continue"], "What the attempt before changed is still there"],
        ["git: { worktrees: off }\n", [], "What the attempt before changed is still there"],
        ["locale: ko\n", [], "작업 폴더는 태스크가 시작된 상태입니다"],
      ],
      0,
      2,
    ),
  )("[E73] is what the prompt of the next one tells (%j, %j)", async (more, fields, words) => {
    await using stage = await openStage();
    const config = `backoff: { first: 0s }\nagents: { mine: { command: ${JSON.stringify(stage.command)} } }\nagent: mine\n`;
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": fields } }),
      "espalier.yaml": `${config}${more}`,
    });
    const run = lab.start(["run", "--yes"]);
    const first = await stage.nextCall("T1.1");
    expect(first.prompt).not.toContain(words);
    writeFileSync(join(first.cwd, "half.txt"), "half\n");
    await first.exit(1);
    const second = await stage.nextCall("T1.1");
    expect(second.prompt).toContain(words);
    await second.say(`DONE:${second.env["ESPALIER_SIGNAL_ID"]}`);
    await second.exit(0);
    expect((await run.ended).code).toBe(0);
  });
});
