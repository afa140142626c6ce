import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { attemptsOf, openRepositoryLab, tasksFile } from "./lab.ts";

describe("tests before and after the work", () => {
  it("[E32] run a task's test before it (RED) and after it (GREEN), and keep both as evidence", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["test: test -s one.txt", "run: echo 1 > one.txt"] } }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const [first] = await attemptsOf(lab, "T1.1");
    const { evidence } = first ?? { evidence: "" };
    expect(evidence).toMatch(/^RED unproven \$ test -s one\.txt\nexit 1/);
    expect(evidence).toMatch(/\nGREEN \$ test -s one\.txt\nexit 0/);
  });

  itWhole(
    "[E32] ask a person when a task's own test passes before any work (exit 5), unless tdd is off",
    async () => {
      const tasks = tasksFile({ "1: a": { "T1.1": ["test: test -e a.txt", "run: echo 1 > one.txt"] } });
      await using lab = openRepositoryLab({ "TASKS.md": tasks, "a.txt": "" });
      const { code, stdout } = await lab.ask("run", "--yes");
      expect(code).toBe(5);
      expect(stdout).toContain("RED: its test passes before any work");
      await using off = openRepositoryLab({ "TASKS.md": tasks, "a.txt": "", "espalier.yaml": "tdd: off\n" });
      expect((await off.cli(["run", "--yes"])).code).toBe(0);
    },
  );

  itWhole("[E32] fail an attempt whose test does not pass, and tell the next one why", async () => {
    await using lab = openRepositoryLab({
      "espalier.yaml": "test: cat result.txt\nbackoff: { first: 0s }\n",
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: if test -e ../tried; then echo ok > result.txt; else touch ../tried; fi"] },
      }),
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const [first, second] = await attemptsOf(lab, "T1.1");
    expect(first).toMatchObject({ outcome: "unproven" });
    expect(first?.feedback).toContain("result.txt");
    expect(second?.outcome).toBe("done");
  });
});

describe("a repository that something is done to", () => {
  it("[E31] stops the run when an attempt changes what git would start, and starts none of it (exit 5)", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ['run: git config core.fsmonitor "touch $HOME/PWNED"; echo 1 > one.txt'],
          "T1.2": ["depends_on: [T1.1]", "run: echo 2 > two.txt"],
        },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    expect(stdout).toContain("GIT_CONFIG_CHANGED: core.fsmonitor");
    expect(lab.has(`${lab.home}/PWNED`)).toBe(false);
    expect(stdout).not.toContain("[DONE]");
  });

  it("[HO86] is asked where the work is at the end of a run that its configuration stopped, and starts nothing", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "1: a": { "T1.1": ["run: echo 1 > one.txt"] },
        "2: b": { "T2.1": ['run: git config core.fsmonitor "touch $HOME/PWNED"; echo 2 > two.txt'] },
      }),
    });
    const { code, stdout } = await lab.ask("run", "--yes");
    expect([code, stdout]).toEqual([5, expect.stringContaining("Where the work is\n  in main  Phase 1\n")]);
    expect(lab.has(`${lab.home}/PWNED`)).toBe(false);
  });

  it("[HO85] goes on by the command that is said when an attempt has cleaned the state away", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({
        "0: a": {
          "T0.1": ["run: echo 1 > one.txt"],
          "T0.2": [
            "depends_on: [T0.1]",
            "run: test -e ../c || { touch ../c; git clean -fdxq; }; echo 2 > two.txt",
          ],
        },
      }),
    });
    const { code, stderr } = await lab.ask("run", "--yes");
    const command = "espalier run --trust-boxes";
    expect([code, stderr]).toEqual([6, expect.stringContaining(`as after git clean -x: ${command}, which`)]);
    expect((await lab.ask(...command.split(" ").slice(1), "--yes")).code).toBe(0);
    expect(lab.git("log", "--format=%s", "--grep=Espalier-Task")).toBe("T0.2: work\nT0.1: work");
  });

  it("refuses to begin on changes of a person's own, without a branch, and in the middle of a merge (exit 6)", async () => {
    const tasks = tasksFile({ "0: a": { "T0.1": ["run: echo 1 > one.txt"] } });
    await using lab = openRepositoryLab({ "TASKS.md": tasks, "a.txt": "one\n" });
    lab.write("a.txt", "mine\n");
    const dirty = await lab.ask("run", "--yes");
    expect(dirty.code).toBe(6);
    expect(dirty.stderr).toContain("DIRTY_CHECKOUT");
    expect(dirty.stderr).toContain("a.txt");
    lab.git("checkout", "-q", "--detach");
    expect((await lab.ask("run", "--yes")).stderr).toContain("DETACHED_HEAD");
    lab.git("checkout", "-q", "main");
    lab.write(".git/MERGE_HEAD", `${lab.git("rev-parse", "HEAD")}\n`);
    expect((await lab.ask("run", "--yes")).stderr).toContain("a merge is under way");
    rmSync(lab.path(".git/MERGE_HEAD"));
    lab.write("espalier.yaml", "git: { worktrees: off }\n");
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(lab.git("log", "--format=%s")).toBe("start");
  });

  it("works as ever where there is no commit yet, and below a repository that does not know the project", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
    });
    rmSync(lab.path(".git"), { recursive: true });
    lab.git("init", "-q");
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(lab.read("one.txt")).toBe("1\n");
    lab.write("inner/TASKS.md", lab.read("TASKS.md").replace("[x]", "[ ]"));
    lab.write("inner/.espalier/keep", "");
    lab.git("add", "one.txt");
    lab.git("commit", "-q", "-m", "first");
    const inner = await lab.cli(["run", "--yes"], { cwd: "inner" });
    expect(inner.code).toBe(0);
    expect(lab.read("inner/one.txt")).toBe("1\n");
  });

  it("refuses branches and folders that are not its own", async () => {
    const tasks = tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } });
    await using lab = openRepositoryLab({ "TASKS.md": tasks });
    lab.git("branch", "phase/1-a");
    const { code, stdout } = await lab.ask("run", "--yes");
    expect(code).toBe(5);
    expect(stdout).toContain("phase/1-a is there already and was not made by Espalier");
    lab.git("branch", "-D", "phase/1-a");
    lab.write("../project-phase1-a/mine.txt", "mine");
    const again = await lab.ask("task", "retry", "T1.1").then(() => lab.ask("resume", "--yes"));
    expect(again.stdout).toContain("project-phase1-a is there already");
    expect(lab.text(lab.beside("project-phase1-a/mine.txt"))).toBe("mine");
  });
});

describe("a clone that was deleted and made again", () => {
  itWhole("[V59] goes on where worktrees of the one before stand, keeps them, and says so once", async () => {
    const tasks = tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: false"] } });
    await using lab = openRepositoryLab({ "TASKS.md": tasks, "espalier.yaml": "maxAttempts: 1\n" });
    expect((await lab.ask("run", "--yes")).code).toBe(1);
    lab.write("../project-phase1-a/mine.txt", "mine");
    for (const name of [".git", ".espalier"]) rmSync(lab.path(name), { recursive: true });
    lab.write("TASKS.md", tasks);
    lab.git("init", "-q", "-b", "main");
    lab.git("add", "-A");
    lab.git("commit", "-q", "-m", "cloned again");
    const { code, stdout } = await lab.ask("run", "--yes", "--only", "T1.1");
    expect(code).toBe(0);
    const aside = lab.beside("project-phase1-a.aside");
    expect(stdout).toContain("a worktree whose repository is gone stood in the way of ");
    expect(stdout).toContain(`set aside   ${aside}\n`);
    expect(lab.text(`${aside}/mine.txt`)).toBe("mine");
  });
});

describe("lost state", () => {
  const tasks = tasksFile({
    "1: a": { "T1.1": ["run: echo 1 > one.txt"], "T1.2": ["run: echo 2 > two.txt"], "T1.3": ["run: exit 1"] },
  });

  it("[SE7] believes boxes that commits prove, no other, and none where a run is remembered (exit 5)", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasks,
      "espalier.yaml": "maxAttempts: 1\nphaseGate: 0.5\nphase: { merge: auto }\n",
    });
    expect((await lab.ask("run", "--yes")).code).toBe(1);
    const projects = join(lab.home, "state/espalier/projects");
    const kept = join(projects, readdirSync(projects)[0]!);
    // All that is remembered but the key.
    const forget = () => {
      for (const name of readdirSync(kept)) if (name !== "key") rmSync(join(kept, name), { recursive: true });
    };
    const lose = () => {
      for (const name of readdirSync(lab.path(".espalier")))
        if (name !== "orchestrate.log") rmSync(lab.path(`.espalier/${name}`), { recursive: true });
    };
    lose();
    const known = await lab.ask("run", "--yes");
    expect([known.code, known.stderr]).toEqual([
      5,
      expect.stringContaining("nothing proves the 2 ticked boxes"),
    ]);
    lose();
    forget();
    lab.write("TASKS.md", lab.read("TASKS.md").replace("[ ] T1.3", "[x] T1.3"));
    const forged = await lab.ask("resume", "--yes").catch(() => undefined);
    const run = forged?.code === 2 ? await lab.ask("run", "--yes") : forged;
    expect(run?.code).toBe(5);
    expect(run?.stderr).toContain("2 ticked boxes are proven by commits, 1 are not (T1.3)");
    lose();
    forget();
    // What somebody else commits under our words, or under the seal of another commit.
    const seal = /Espalier-Seal: .*/.exec(lab.git("log", "main", "--format=%B"))?.[0];
    for (const more of ["", `\n${seal}`]) {
      const words = `x\n\nEspalier-Task: T1.3\nEspalier-Attempt: tok\nEspalier-Verified: true${more}`;
      lab.git("commit", "--allow-empty", "--quiet", "-m", words);
    }
    const sealed = await lab.ask("run", "--yes");
    expect([sealed.code, sealed.stderr]).toEqual([5, expect.stringContaining("1 are not (T1.3)")]);
    lab.write("TASKS.md", lab.read("TASKS.md").replace("[x] T1.3", "[ ] T1.3"));
    lose();
    const rebuilt = await lab.ask("run", "--yes");
    expect(rebuilt.stderr).toContain("2 completed tasks are proven by their commits");
    expect(rebuilt.stdout).not.toContain("[DISPATCH] T1.1");
    expect(rebuilt.stdout).toContain("[DISPATCH] T1.3");
    // Without the key that sealed them, commits prove nothing.
    lose();
    rmSync(projects, { recursive: true });
    const elsewhere = await lab.ask("run", "--yes");
    expect([elsewhere.code, elsewhere.stderr]).toEqual([5, expect.stringContaining("nothing proves the")]);
  });
});

describe("worktrees that are ready to work in", () => {
  it("copy and link what is approved, run the setup once, and take its result from the cache", async () => {
    await using lab = openRepositoryLab({
      ".gitignore": ".env\nnode_modules/\ndata/\n",
      "package-lock.json": "{}\n",
      "espalier.yaml":
        "phase: { merge: auto }\nworktree: { copy: [.env, missing], link: [data], setup: ['mkdir -p node_modules && echo x >> node_modules/made && echo ran >> ../setups'] }\n",
      "TASKS.md": tasksFile({
        "1: a": {
          "T1.1": ["run: cat .env node_modules/made data/big > one.txt"],
          "T1.2": ["run: cat .env node_modules/made data/big > two.txt"],
        },
      }),
    });
    lab.write(".env", "SECRET=1\n");
    lab.write("data/big", "big\n");
    const { code, stderr } = await lab.ask("run", "--yes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lab.read("one.txt")).toBe("SECRET=1\nx\nbig\n");
    expect(lab.read("two.txt")).toBe("SECRET=1\nx\nbig\n");
    expect(lab.text(lab.beside("setups"))).toBe("ran\n");
    expect(lab.read("data/big")).toBe("big\n");
  });
});

describe("what is asked before anything starts", () => {
  it("shows tests, setup, checks and hooks of the project, and agents' configuration found in it", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["test: test -e x"], "T1.2": ["run: true"] } }),
      ".mcp.json": '{"mcpServers":{"x":{"command":"evil"}}}',
      "espalier.yaml": [
        "agent: command",
        "command: cat",
        "phase: { verify: check-phase }",
        "worktree: { setup: [set-up], copy: [.env] }",
        "notify: { command: tell-me, webhook: 'https://example.org/x' }",
      ].join("\n"),
    });
    const { code, stderr } = await lab.ask("run");
    expect(code).toBe(5);
    for (const shown of ["test -e x", "check-phase", "set-up", "copy .env", "tell-me", "example.org", "evil"])
      expect(stderr).toContain(shown);
  });

  it("tells a hook what happened, in its environment", async () => {
    await using lab = openRepositoryLab({
      "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
      "espalier.yaml": "notify: { command: 'echo \"$ESPALIER_NOTICE\" >> ../notices' }\n",
    });
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    const notices = lab
      .text(lab.beside("notices"))
      .trim()
      .split("\n")
      .map(line => JSON.parse(line));
    // What comes close together is one message: how many there are is a matter of time.
    expect(notices.flatMap(one => one.notices)).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: "phase-ended", phase: "1", completed: 1, counted: 1 }),
        expect.objectContaining({ kind: "run-ended", outcome: "completed" }),
      ]),
    );
    expect(notices.at(-1)).toMatchObject({ project: "Job", command: "espalier phase merge 1" });
  });
});

it("says what is in the way when worktrees would come to lie inside the checkout", async () => {
  await using lab = openRepositoryLab({
    "TASKS.md": tasksFile({ "1: a": { "T1.1": ["run: echo 1 > one.txt"] } }),
    "espalier.yaml": "git: { folder: 'wt/{phase}' }\nphase: { merge: auto }\n",
  });
  expect((await lab.ask("run", "--yes")).stderr).toContain("WORKTREE_PLACE");
  lab.write(
    "espalier.yaml",
    "git: { folder: '.espalier/worktrees/{phase}-{feature}' }\nphase: { merge: auto }\n",
  );
  expect((await lab.ask("run", "--yes")).code).toBe(0);
  renameSync(lab.path("one.txt"), lab.path("moved.txt"));
});

describe("the REFACTOR turn", () => {
  const agent = (last: string) =>
    [
      "#!/bin/sh",
      "cat >> ../prompts; echo turn >> ../turns",
      `if test -e code.txt; then ${last}; else echo ugly > code.txt; fi`,
      'echo "DONE:$ESPALIER_SIGNAL_ID"',
    ].join("\n");
  const files = (last: string) => ({
    "agent.sh": agent(last),
    "espalier.yaml": "agent: command\ncommand: sh agent.sh\ntdd: refactor\nphase: { merge: auto }\n",
    "TASKS.md": tasksFile({ "1: a": { "T1.1": ["test: test -s code.txt"] } }),
  });

  itWhole("[E32] keeps what still passes, and undoes what does not", async () => {
    await using kept = openRepositoryLab(files("echo tidy > code.txt"));
    expect((await kept.cli(["run", "--yes"])).code).toBe(0);
    expect(kept.read("code.txt")).toBe("tidy\n");
    expect((await attemptsOf(kept, "T1.1"))[0]?.evidence).toContain("REFACTOR kept");
    // A process of its own hears its task again.
    const prompts = kept.text(kept.beside("prompts"));
    expect(prompts.split("Task ID: T1.1")).toHaveLength(3);
    expect(prompts.indexOf("[REFACTOR]")).toBeGreaterThan(prompts.lastIndexOf("Task ID: T1.1"));
    await using undone = openRepositoryLab(files("rm code.txt; echo left > left.txt"));
    expect((await undone.cli(["run", "--yes"])).code).toBe(0);
    expect(undone.read("code.txt")).toBe("ugly\n");
    expect(undone.has(undone.path("left.txt"))).toBe(false);
    expect(undone.text(undone.beside("turns"))).toBe("turn\nturn\n");
    expect((await attemptsOf(undone, "T1.1"))[0]?.evidence).toContain("REFACTOR undone: test exit 1");
  });
});
