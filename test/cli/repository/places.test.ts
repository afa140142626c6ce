import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { openLab } from "../lab.ts";

const ONE = "# One\n## Phase 1: p\n### [ ] T1.1: a\n- run: pwd > where.txt\n- verify: test -s where.txt\n";

describe("where a run works", () => {
  it("works in the project of a task file that lies in another one", async () => {
    await using here = openLab({ "TASKS.md": ONE });
    await using there = openLab({ "TASKS.md": ONE });
    const { code } = await here.cli(["run", there.path("TASKS.md"), "--yes"]);
    expect(code).toBe(0);
    expect(there.read("where.txt").trim()).toBe(there.root);
    expect(there.read("TASKS.md")).toContain("[x] T1.1");
    expect(here.read("TASKS.md")).toContain("[ ] T1.1");
  });

  it("prefers the task file of the folder one stands in to that of the project around it", async () => {
    await using lab = openLab({
      "espalier.yaml": "",
      "pkg/TASKS.md": ONE.replace("# One", "# Inner"),
      "TASKS.md": ONE,
    });
    const inner = await lab.cli(["plan"], { cwd: "pkg" });
    expect(inner.stdout).toContain("Inner");
    expect(inner.stderr).toContain("also found, not used: TASKS.md");
    expect((await lab.ask("plan")).stdout).toContain("One");
  });

  it("[OF12] knows a folder of the project whose name begins with two dots", async () => {
    await using lab = openLab({ "..plans/TASKS.md": ONE, "TASKS.md": ONE });
    expect(await lab.ask("run", "..plans/TASKS.md", "--yes")).toMatchObject({ code: 0, stderr: "" });
    expect(lab.read("..plans/TASKS.md")).toContain("[x] T1.1");
    lab.write("..notes.md", "# Notes\n");
    expect(await lab.ask("context", "publish", "GC", "..notes.md")).toMatchObject({ code: 0, stderr: "" });
    lab.write("..notes.md", "# Notes\n- one more\n");
    expect(await lab.ask("context", "publish", "GC")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("v2"),
    });
  });

  it("[OF1] refuses a state folder that leads elsewhere, and one inside .git", async () => {
    await using lab = openLab({ "TASKS.md": ONE });
    const victim = join(lab.root, "..", "victim");
    mkdirSync(victim);
    symlinkSync(victim, lab.path(".espalier"));
    const linked = await lab.ask("run", "--yes");
    expect([linked.code, linked.stderr]).toEqual([
      6,
      expect.stringContaining(`STATE_DIR: ${lab.path(".espalier")} is a symbolic link`),
    ]);
    lab.write("espalier.yaml", "stateDir: .git/state\n");
    const inGit = await lab.ask("run", "--yes");
    expect([inGit.code, inGit.stderr]).toEqual([2, expect.stringContaining("STATE_DIR")]);
    expect(readdirSync(victim)).toEqual([]);
  });

  it.each(["phase-after.json", "hub.json", "away", "copies"])(
    "[OF1] refuses a link in the place of %s",
    async name => {
      await using lab = openLab({ "TASKS.md": ONE, ".espalier/orchestrate.log": "" });
      const victim = join(lab.root, "..", "victim");
      writeFileSync(victim, "a person's\n");
      symlinkSync(victim, lab.path(`.espalier/${name}`));
      const { code, stderr } = await lab.ask("run", "--yes");
      expect([code, stderr]).toEqual([
        6,
        expect.stringContaining(`STATE_DIR: ${lab.path(`.espalier/${name}`)} is a symbolic link`),
      ]);
      expect(readFileSync(victim, "utf8")).toBe("a person's\n");
    },
  );

  it("[OF115] says in the language of the project what stands there", async () => {
    await using lab = openLab({ "TASKS.md": ONE, "espalier.yaml": "locale: ko\n", ".espalier/lock.db": "x" });
    const lock = await lab.ask("run", "--yes");
    expect([lock.code, lock.stderr]).toEqual([
      6,
      expect.stringContaining("비어 있어야 하는데 1바이트가 들어 있습니다"),
    ]);
    symlinkSync("TASKS.md", lab.path(".espalier/hub.json"));
    const linked = await lab.ask("run", "--yes");
    const told = `STATE_DIR: ${lab.path(".espalier/hub.json")}은 심볼릭 링크입니다`;
    expect([linked.code, linked.stderr]).toEqual([6, expect.stringContaining(told)]);
  });

  it.each([
    ".git",
    "sub/.git",
    ".github/x",
    ".vscode",
    "node_modules/.bin",
    "a/node_modules/b",
    ".GIT",
    ".claude/agents/.x",
  ])(
    "[E57] refuses the state folder %s, where tools look for their settings and programs",
    async stateDir => {
      await using lab = openLab({ "TASKS.md": ONE, "espalier.yaml": `stateDir: ${stateDir}\n` });
      const { code, stderr } = await lab.ask("run", "--yes");
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`STATE_DIR: stateDir "${stateDir}" lies in`),
      ]);
      expect(existsSync(lab.path(stateDir))).toBe(false);
    },
  );

  itWhole("[OF1] works through a task file outside the project only where a person names it", async () => {
    await using lab = openLab({ "espalier.yaml": "" });
    const plans = join(lab.root, "..", "plans");
    mkdirSync(join(plans, "planning"), { recursive: true });
    const file = join(plans, "planning", "TASKS.md");
    writeFileSync(file, ONE);
    symlinkSync("../plans", lab.path("docs"));
    for (const config of ["", "tasks: ../plans/planning/TASKS.md\n"]) {
      lab.write("espalier.yaml", config);
      const refused = await lab.ask("run", "--yes");
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("TASKS_OUTSIDE")]);
      expect(readFileSync(file, "utf8")).toBe(ONE);
    }
    expect((await lab.ask("run", file, "--yes")).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("[x] T1.1");
  });

  it("tells a thin state of a newer version from a damaged one and touches nothing", async () => {
    const newer = '{"version":"9.0","project":"X","tasks":[{"id":"T1.1","status":"completed"}]}';
    await using lab = openLab({ "TASKS.md": ONE, ".espalier/orchestrate-state.json": newer });
    const { code, stderr } = await lab.ask("run", "--yes");
    expect([code, stderr]).toEqual([5, expect.stringContaining("STATE_NEWER")]);
    expect(lab.read(".espalier/orchestrate-state.json")).toBe(newer);
  });

  it("does not call a part of the plan the whole", async () => {
    const two = `${ONE}### [ ] T1.2: b\n- run: true\n`;
    await using lab = openLab({ "TASKS.md": two });
    const part = await lab.ask("run", "--yes", "--only", "T1.1");
    expect(part.code).toBe(0);
    expect(part.stdout).toContain("[ULTRA-THIN] Done (1 more in the plan, outside --only)");
    const status = JSON.parse((await lab.ask("status", "--json")).stdout);
    expect(status.run).toMatchObject({ state: "interrupted", phase: 1 });
    expect((await lab.ask("resume")).stdout).toContain("[ULTRA-THIN] All done");
  });

  it("refuses an agent nobody configured, also when no task needs it", async () => {
    await using lab = openLab({ "TASKS.md": ONE });
    const { code, stderr } = await lab.ask("run", "--yes", "--agent", "foo");
    expect([code, stderr]).toEqual([2, expect.stringContaining('UNKNOWN_AGENT: no agent named "foo"')]);
  });

  it("keeps a frozen plan to the start that asked for it", async () => {
    await using lab = openLab({ "TASKS.md": ONE });
    expect((await lab.ask("run", "--yes", "--plan", "frozen")).code).toBe(0);
    lab.write("TASKS.md", `${lab.read("TASKS.md")}### [ ] T1.2: b\n- run: true\n`);
    expect((await lab.ask("resume", "--plan", "frozen")).code).toBe(3);
    expect((await lab.ask("resume", "--yes")).code).toBe(0);
  });

  it("answers a lead about a broken plan in its own protocol, and forces a phase for it", async () => {
    await using lab = openLab({ "TASKS.md": "# X\n## Phase 1: p\n### [ ] T1.1: a\n- depends_on: [T1.1]\n" });
    const cycle = await lab.ask("next");
    expect([cycle.code, cycle.stdout]).toEqual([3, "ERROR:CIRCULAR_DEP:T1.1->T1.1\n"]);
    lab.write("TASKS.md", "# X\n## Phase 1: p\n### [ ] T1.1: a\n## Phase 2: q\n### [ ] T2.1: b\n");
    await lab.ask("next");
    await lab.ask("task", "cancel", "T1.1");
    expect((await lab.ask("next")).stdout).toMatch(/^ERROR:PHASE_GATE:1/);
    expect((await lab.ask("next", "--force-phase", "2")).stdout).toBe("PHASE_DONE:1\n");
    expect(JSON.parse((await lab.ask("next", "--json")).stdout)).toEqual({ answer: "READY:T2.1" });
  });
});
