import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const TASKS = (locale = "en") => ({
  "espalier.yaml": `locale: ${locale}\nphaseGate: 1\n`,
  "TASKS.md": [
    "# J",
    "## Phase 1: a",
    "### [ ] T1.1: x",
    "- run: exit 1",
    "### [ ] T1.2: x",
    "- run: true",
    "## Phase 2: b",
    "### [ ] T2.1: y",
    "- run: true",
    "",
  ].join("\n"),
});

describe.concurrent("task done on the last open task of a phase", () => {
  it("[HO20] tells the end of the phase, and writes its checkpoint", async () => {
    await using lab = openLab(TASKS());
    await lab.ask("run", "--yes", "--only", "T1.2");
    const before = JSON.parse((await lab.ask("checkpoint", "list", "--json")).stdout).checkpoints.length;
    const { code, stdout, stderr } = await lab.ask("task", "done", "T1.1");
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("Phase 1 done (2/2 succeeded)");
    const after = JSON.parse((await lab.ask("checkpoint", "list", "--json")).stdout).checkpoints;
    expect(after).toHaveLength(before + 1);
    expect(lab.read(".espalier/orchestrate.log")).toContain("Phase 1 done (2/2 succeeded)");
  });

  it("[HO20] says nothing of an end where the phase goes on", async () => {
    await using lab = openLab(TASKS("ko"));
    await lab.ask("run", "--yes", "--only", "T2.1");
    const { stdout, stderr } = await lab.ask("task", "done", "T1.2");
    expect(stdout + stderr).not.toContain("Phase 1");
  });
});

describe.concurrent("espalier plan", () => {
  it("[L42] counts nobody of a later phase into the widest front", async () => {
    const five = (phase: number) =>
      [`## Phase ${phase}: p`, ...[1, 2, 3].map(at => `### [ ] T${phase}.${at}: x\n- run: true`)].join("\n");
    await using lab = openLab({
      "TASKS.md": ["# J", five(1), five(2)].join("\n"),
      "espalier.yaml": "parallel: 5\n",
    });
    expect((await lab.ask("plan")).stdout).toMatch(/Widest front +3 at once {2}T1\.1, T1\.2, T1\.3\n/);
  });
});
