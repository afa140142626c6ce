import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { agentName, RESERVED } from "../../../src/engine/index.ts";
import { LEAD } from "../../../src/ports/index.ts";
import { task } from "../../run/build.ts";
import { openLab } from "../lab.ts";

const PLAN = "# N\n## Phase 1: p\n### [ ] T1.1: one\n";

describe.concurrent("an agent called lead", { timeout: 120_000 }, () => {
  it("[E39] is never picked, whoever names it", () => {
    const given = {
      agents: new Set(["claude", LEAD]),
      roles: new Map([["boss", LEAD]]),
      defaultAgent: "auto",
    };
    const pick = (facts: Parameters<typeof task>[1], more: object = {}) =>
      agentName({ task: task("T1.1", facts) }, { ...given, ...more });
    expect(pick({ agent: LEAD })).toBe(RESERVED);
    expect(pick({ role: "boss" })).toBe(RESERVED);
    expect(pick({}, { defaultAgent: LEAD })).toBe(RESERVED);
    // As a role it is a role like any other.
    expect(pick({ role: LEAD })).toBe("auto");
    expect(pick({ specialist: LEAD })).toBe("auto");
    expect(pick({ role: LEAD, run: "true" })).toBe("shell");
    expect(pick({ role: LEAD }, { roles: new Map([[LEAD, "claude"]]) })).toBe("claude");
  });

  it("[E39] is refused by the configuration with its place, and nothing is begun", async () => {
    await using lab = openLab({
      "TASKS.md": PLAN,
      "espalier.yaml": "verify: make\nagents:\n  lead: { command: ./w.sh }\n",
    });
    const { code, stderr } = await lab.ask("run", "--yes");
    expect(code).toBe(2);
    expect(stderr).toContain("espalier.yaml:3:9");
    expect(stderr).toContain("agents.lead: the name is a lead's own and may have a model only, not command");
    expect(existsSync(lab.path(".espalier"))).toBe(false);
  });

  it("[E39] is unknown to --agent and to a task, by name, also where its model is told", async () => {
    await using lab = openLab({
      "TASKS.md": `${PLAN}- run: touch ran\n`,
      "espalier.yaml": "agents: { lead: { model: opus } }\n",
    });
    const flag = await lab.ask("run", "--yes", "--agent", "lead");
    expect([flag.code, flag.stderr]).toEqual([
      2,
      expect.stringMatching(/UNKNOWN_AGENT: no agent named "lead"\n {2}the name lead is a lead's own; known/),
    ]);
    lab.write("TASKS.md", `${PLAN}- agent: lead\n- role: backend\n`);
    const named = await lab.ask("run", "--yes");
    expect([named.code, named.stderr]).toEqual([
      2,
      expect.stringContaining('UNKNOWN_AGENT: no agent named "lead (reserved)" (needed by T1.1)'),
    ]);
    lab.write("TASKS.md", `${PLAN}- agent: lead\n- run: touch ran\n`);
    expect((await lab.ask("run", "--yes")).code).toBe(0);
    expect(lab.read("ran")).toBe("");
  });
});
