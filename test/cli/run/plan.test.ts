import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const SMALL = "# Small\n## Phase 1: Build\n### [ ] T1.1: One\n- run: true\n";

const TEAM = `# Team
## Phase 0: Setup
### [x] P0-T0.1: Prepare
- 담당: backend-specialist
## Phase 1: Build
### [ ] T1.1: Contract
- depends_on: [P0-T0.1]
- role: api-designer
- verify: npm test
### [ ] T1.2: Server
- depends_on: [T1.1]
- parallel_with: [T1.3]
- files: src/server.ts
- context: ctx-api
### [ ] T1.3: Client
- depends_on: [T1.1]
- parallel_with: [T1.2]
- run:
  \`\`\`sh
  make client
  \`\`\`
`;

describe.concurrent("espalier plan", { timeout: 120_000 }, () => {
  it("shows phases, tasks, edges, critical path and widest front", async () => {
    await using lab = openLab({ "TASKS.md": TEAM, "espalier.yaml": "parallel: 5\n" });
    const { code, stdout, stderr } = await lab.ask("plan");
    expect(code).toBe(0);
    expect(stderr).toBe("");
    expect(stdout).toContain("Team  TASKS.md  (tasks-md)");
    expect(stdout).toContain("4 tasks   2 phases   3 dependencies");
    expect(stdout).toMatch(/Phase 0 {2}Setup {2}1\/1\n {2}\[x\] P0-T0\.1/);
    expect(stdout).toContain("Critical path  3 tasks  P0-T0.1 → T1.1 → T1.2");
    expect(stdout).toContain("Widest front   2 at once  T1.2, T1.3");
    expect(stdout).toContain("nothing wrong with it");
  });

  it.each([
    [
      "states of all kinds",
      "TASKS.md",
      "## Phase 1: A\n- [ ] T1.1: A\n- [ ] ~~T1.2: B~~\n- [cancelled] T1.4: C\n- [x] ~~T1.5: D~~\n- [-] T1.6: E\n- [취소] T1.7: F\n- [ ] T1.8: G\n  - status: deferred\n- [ ] T1.9: H\n  - depends_on: T1.2\n",
    ],
    [
      "containers",
      "TASKS.md",
      "## Phase 1: A\n### [ ] P1-T1: A\n#### [ ] P1-T1.1: B\n#### [skip] P1-T1.2: C\n### [ ] P1-T2: D\n- depends_on: P1-T1\n",
    ],
    ["Kiro", ".kiro/specs/a/tasks.md", "- [ ] 1. A\n- [ ]* 2. B\n- [x] 3. C\n- [ ] 4. ~~D~~\n"],
    [
      "spec-kit",
      "specs/a/tasks.md",
      "## Phase 1: Setup\n- [ ] T001 A in a.ts\n- [ ] T002 [P] B\n- [X] T003 C\n- [ ] T004 ~~D~~\n",
    ],
  ])("agrees with run --dry-run on what is left to do: %s", async (_, path, text) => {
    await using lab = openLab({ [path]: text });
    const { tasks } = JSON.parse((await lab.ask("plan", "--json")).stdout) as {
      tasks: { id: string; done: boolean; skip: boolean; children: string[] }[];
    };
    const left = tasks.filter(({ done, skip, children }) => !done && !skip && children.length === 0);
    const { waves } = JSON.parse((await lab.ask("run", "--dry-run", "--json")).stdout);
    expect(left.length).toBeGreaterThan(1);
    expect(waves.flat().toSorted()).toEqual(left.map(({ id }) => id).toSorted());
    const shown = (await lab.ask("plan")).stdout;
    for (const { id, done, skip } of tasks)
      expect(shown).toContain(`[${done ? "x" : skip ? "–" : " "}] ${id} `);
  });

  it("prints the documented JSON, every field of it", async () => {
    await using lab = openLab({ "TASKS.md": TEAM });
    const { code, stdout } = await lab.ask("plan", "TASKS.md", "--json");
    expect(code).toBe(0);
    const json = JSON.parse(stdout);
    expect(json).toMatchObject({ format: "tasks-md", project: "Team", diagnostics: [] });
    expect(json.tasks.map((task: { id: string }) => task.id)).toEqual(["P0-T0.1", "T1.1", "T1.2", "T1.3"]);
    expect(json.tasks[0]).toMatchObject({ phase: 0, done: true, specialist: "backend-specialist", line: 3 });
    expect(json.tasks[1]).toMatchObject({ dependsOn: ["P0-T0.1"], verify: "npm test", kind: "worker" });
    expect(json.tasks[2]).toMatchObject({
      phase: 1,
      title: "Server",
      done: false,
      parallelWith: ["T1.3"],
      files: ["src/server.ts"],
      contextRef: "ctx-api",
    });
    expect(json.tasks[3]).toMatchObject({ parallelWith: ["T1.2"], run: "make client" });
    for (const task of json.tasks) {
      for (const field of [
        "id",
        "phase",
        "title",
        "kind",
        "done",
        "dependsOn",
        "parallelWith",
        "files",
        "line",
      ])
        expect(Object.keys(task)).toContain(field);
    }
  });

  it("looks in the usual places in their order, and names what it did not use", async () => {
    await using lab = openLab({
      "docs/planning/TASKS.md": SMALL.replace("Small", "First"),
      "docs/planning/06-tasks.md": SMALL.replace("Small", "Second"),
      "TASKS.md": SMALL.replace("Small", "Third"),
      "specs/b/tasks.md": SMALL,
      ".taskmaster/tasks/tasks.json": '{"tasks":[]}',
      ".git/HEAD": "ref: refs/heads/main\n",
    });
    const first = await lab.ask("plan");
    expect(first.stdout).toContain("First  docs/planning/TASKS.md");
    expect(first.stderr).toContain(
      "also found, not used: docs/planning/06-tasks.md, TASKS.md, specs/b/tasks.md, .taskmaster/tasks/tasks.json",
    );
    const named = await lab.cli(["plan", "../TASKS.md"], { cwd: "docs" });
    expect(named.stdout).toContain("Third  TASKS.md");
    expect(named.stderr).toBe("");
  });

  it("takes the first folder of specs by name, and the configured file before all", async () => {
    await using lab = openLab({
      "specs/002-later/tasks.md": SMALL.replace("Small", "Later"),
      "specs/001-first/tasks.md": SMALL.replace("Small", "Earlier"),
    });
    expect((await lab.ask("plan")).stdout).toContain("specs/001-first/tasks.md");
    lab.write("espalier.yaml", "tasks: specs/002-later/tasks.md\n");
    expect((await lab.ask("plan")).stdout).toContain("specs/002-later/tasks.md");
    lab.write("espalier.yaml", "tasks: nowhere.md\n");
    const { code, stderr } = await lab.ask("plan");
    expect(code).toBe(2);
    expect(stderr).toContain(
      "TASKS_NOT_FOUND: no task file at nowhere.md\n  tasks: in espalier.yaml names it",
    );
  });

  it("says where it looked when there is no task file", async () => {
    await using lab = openLab();
    const { code, stdout, stderr } = await lab.ask("plan");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("TASKS_NOT_FOUND: no task file in ");
    expect(stderr).toContain("looked at docs/planning/TASKS.md, docs/planning/06-tasks.md, TASKS.md,");
    expect(stderr).toContain("a file that lies elsewhere is named: espalier run path/to/TASKS.md");
  });

  it("points into the file like a compiler and exits with 3", async () => {
    const text = `${SMALL}### [ ] T1.2: Two\n- depends_on: [T1.9]\n`;
    await using lab = openLab({ "TASKS.md": text });
    const { code, stdout } = await lab.ask("plan");
    expect(code).toBe(3);
    expect(stdout).toMatch(/TASKS\.md:6:\d+: error MISSING_DEP: .*ERROR:MISSING_DEP:T1\.2->T1\.9/);
    expect(stdout).toContain("  6 | - depends_on: [T1.9]\n");
    expect(stdout).toMatch(/\n {4}\| +\^~~~\n/);
    expect(stdout).toContain("hint: ");
    const json = JSON.parse((await lab.ask("plan", "--json")).stdout);
    expect(json.diagnostics).toHaveLength(1);
    expect(json.diagnostics[0]).toMatchObject({ code: "MISSING_DEP", severity: "error", line: 6 });
    const allowed = await lab.ask("plan", "--allow-missing");
    expect(allowed.code).toBe(0);
    expect(allowed.stdout).toContain("MISSING_DEP");
  });

  it("spells a cycle as the documents do, and so does run, before anything starts", async () => {
    const text =
      "# C\n## Phase 1\n### [ ] T1.3: a\n- depends_on: [T1.4]\n### [ ] T1.4: b\n- depends_on: [T1.3]\n";
    await using lab = openLab({ "TASKS.md": text });
    const plan = await lab.ask("plan");
    expect(plan.code).toBe(3);
    expect(plan.stdout).toContain("ERROR:CIRCULAR_DEP:T1.3->T1.4->T1.3");
    const run = await lab.cli(["run", "--yes"]);
    expect(run.code).toBe(3);
    expect(run.stdout).toBe("");
    expect(run.stderr).toContain("PLAN_INVALID: TASKS.md has 1 error\nTASKS.md:");
    expect(run.stderr).toContain("espalier plan TASKS.md shows everything");
  });

  it("shows both lines of two tasks with one id", async () => {
    await using lab = openLab({ "TASKS.md": `${SMALL}### [ ] T1.1: Another\n- run: false\n` });
    const { code, stdout } = await lab.ask("plan");
    expect(code).toBe(3);
    expect(stdout).toMatch(/TASKS\.md:5:\d+: error DUPLICATE_ID/);
    expect(stdout).toMatch(/line 3/);
  });

  it.each([
    ["an empty file", new Uint8Array(), /error \w+: .*empty|no tasks/i],
    ["prose without tasks", "# Notes\n\nNothing to do.\n", /no tasks/i],
    ["UTF-16", Buffer.from("\ufeff# A\n### [ ] T1: a\n", "utf16le"), /UTF-16/],
    ["binary", new Uint8Array([0x23, 0x20, 0, 1, 2, 0xff, 0xfe, 0]), /NUL|binary|UTF-8/],
    ["invalid UTF-8", Buffer.concat([Buffer.from(SMALL), Buffer.from([0xff, 0xfe, 0x0a])]), /UTF-8/],
  ])("refuses %s with exit 3 and a reason", async (_, bytes, reason) => {
    await using lab = openLab({ "TASKS.md": bytes });
    const { code, stdout, stderr } = await lab.ask("plan");
    expect(code).toBe(3);
    expect(stdout + stderr).toMatch(reason);
    expect(stdout + stderr).not.toContain("BUG");
  });

  it("refuses a folder, a pipe and an unreadable file without hanging", async () => {
    await using lab = openLab({ "folder/x": "", "secret.md": SMALL });
    const folder = await lab.ask("plan", "folder");
    expect([folder.code, folder.stderr]).toEqual([2, expect.stringContaining("TASKS_NOT_A_FILE")]);
    const device = await lab.ask("plan", "/dev/zero");
    expect([device.code, device.stderr]).toEqual([2, expect.stringContaining("TASKS_NOT_A_FILE")]);
    const missing = await lab.ask("plan", "nowhere/TASKS.md");
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("TASKS_NOT_FOUND")]);
    symlinkSync("nowhere", lab.path("dangling.md"));
    expect((await lab.ask("plan", "dangling.md")).code).toBe(2);
  });

  it("shows hostile titles and ids as text", async () => {
    const text = `# A\u001b[2J\n## Phase 1: \u202egniliub\n### [ ] T1.1: \u001b]0;owned\u0007 red \u001b[31m\n- run: true\n`;
    await using lab = openLab({ "TASKS.md": text });
    const { stdout } = await lab.ask("plan");
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/);
    expect(stdout).toContain("\\x1b");
  });

  itWhole("reads 10,000 tasks at once and cuts the long list of findings", async () => {
    const tasks = Array.from(
      { length: 10_000 },
      (_, n) => `### [ ] T1.${n + 1}: t\n- depends_on: [T9.${n}]\n`,
    );
    await using lab = openLab({ "TASKS.md": `# Big\n## Phase 1: p\n${tasks.join("")}` });
    const { code, stdout } = await lab.ask("plan");
    expect(code).toBe(3);
    expect(stdout.match(/MISSING_DEP:/g)?.length).toBeLessThan(1000);
  });
});
