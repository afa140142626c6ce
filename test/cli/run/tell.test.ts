import { describe, expect, it } from "vitest";
import { itWhole } from "../../sample.ts";
import { ACP_AGENT, there } from "../agents/acp-agent.ts";
import { openLab } from "../lab.ts";

const TASKS =
  "# P\n## Phase 1: p\n### [ ] T1.1: quick\n- agent: puppet\n### [ ] T1.2: other\n- depends_on: [T1.1]\n- run: touch begun2; while [ ! -e go2 ]; do sleep 0.05; done\n";

describe("espalier task tell", { timeout: 60_000 }, () => {
  it("[E67] says something to the agent at work, which hears it in a turn of its own", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS,
      "acp.mjs": ACP_AGENT,
      "espalier.yaml": `agents:\n  puppet: { acp: "${process.execPath} acp.mjs" }\n`,
    });
    const run = lab.start(["run", "--yes"]);
    await there(lab.path("begun"));
    expect(await lab.ask("task", "tell", "T1.1", "use", "the other API")).toMatchObject({
      code: 0,
      stdout: "T1.1 is told as soon as its agent has ended its turn\n",
    });
    expect(await lab.ask("task", "tell", "T1.2", "x")).toMatchObject({
      code: 2,
      stdout: "nobody works on T1.2\n",
    });
    lab.write("go", "");
    await there(lab.path("begun2"));
    const deaf = await lab.ask("task", "tell", "T1.2", "x");
    expect([deaf.code, deaf.stdout]).toEqual([
      2,
      expect.stringContaining("shell hears nothing while it works"),
    ]);
    lab.write("go2", "");
    expect((await run.ended).code).toBe(0);
    const [, first, second, ...more] = lab.read("heard.txt").split("--\n");
    expect(first).not.toContain("the other API");
    expect(second).toBe(
      "The person who runs this says:\n\nuse the other API\n\nAct on it, then end with your signal line again.\n\nWhat you answered before stands: say only what is new or changes.\n",
    );
    expect(more).toEqual([]);
    expect(lab.read(".espalier/orchestrate.log")).toContain("use the other API");
  });

  itWhole("[E67] is told to the next attempt where the process died before it could be", async () => {
    await using lab = openLab({
      "TASKS.md": "# P\n## Phase 1: p\n### [ ] T1.1: quick\n- agent: puppet\n",
      "acp.mjs": ACP_AGENT,
      "espalier.yaml": `agents:\n  puppet: { acp: "${process.execPath} acp.mjs" }\n`,
    });
    const run = lab.start(["run", "--yes"]);
    await there(lab.path("begun"));
    expect((await lab.ask("task", "tell", "T1.1", "use the other API")).code).toBe(0);
    run.signal("SIGKILL");
    await run.ended;
    lab.write("go", "");
    expect((await lab.cli(["resume", "--yes"])).code).toBe(0);
    const [, first, second] = lab.read("heard.txt").split("--\n");
    expect(first).not.toContain("the other API");
    expect(second).toContain("The person who runs this says:\n\nuse the other API\n");
  });

  itWhole("[E67] is refused where no run goes on, and for a task that is none", async () => {
    await using lab = openLab({ "TASKS.md": '# P\n## Phase 1: p\n### [ ] T1.1: quick\n- run: "true"\n' });
    expect((await lab.cli(["run", "--yes"])).code).toBe(0);
    expect(await lab.ask("task", "tell", "T1.1", "x")).toMatchObject({
      code: 2,
      stdout: "nobody works on T1.1\n",
    });
    const unknown = await lab.ask("task", "tell", "T1.9", "x");
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("no task T1.9")]);
  });
});
