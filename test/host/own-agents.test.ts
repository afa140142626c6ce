import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Agent, ok } from "../../src/ports/index.ts";
import { openLab } from "../cli/lab.ts";
import { openRepositoryLab } from "../cli/repository/lab.ts";
import { all, open } from "./opened.ts";

describe("a program's own agents", () => {
  /** It writes what it was told to write, and says something secret. */
  const own = (name: string, says: (id: string) => string): Agent => ({
    portVersion: 1,
    name,
    reports: "signal",
    probe: async () => ({ found: true }),
    open: async ({ cwd, env, task }) =>
      ok({
        async *turn() {
          writeFileSync(join(cwd, `${task}.txt`), name);
          yield { type: "line", stream: "stdout", text: "token hunter2-hunter2" } as const;
          const finalMessage = says(env["ESPALIER_SIGNAL_ID"] ?? "");
          const end = { kind: "completed", finalMessage, exitCode: 0, outputBytes: 1 } as const;
          yield { type: "ended", end } as const;
        },
        cancel: async () => {},
        close: async () => {},
      }),
  });
  const PLAN = `# Shop
## Phase 1: Build
- [ ] T1.1: Prices
  - agent: mine
  - verify: test -s T1.1.txt
- [ ] T1.2: Bill
  - verify: test -s nowhere.txt
`;

  it("[HO10] work on tasks, and are masked, judged and proved like any", async () => {
    await using lab = openLab({ "TASKS.md": PLAN, "espalier.yaml": "maxAttempts: 1\n" });
    const agents = [own("mine", id => `DONE:${id}`), own("claude", id => `DONE:${id}`)];
    const project = await open(lab, {
      approve: () => true,
      agents,
      env: { ...lab.env, SECRET_TOKEN: "hunter2-hunter2" },
    });
    const run = project.run({ agent: "claude" });
    const heard = await all(run.events);
    const { counts } = await run.ended;
    expect({ completed: counts.completed, failed: counts.failed }).toEqual({ completed: 1, failed: 1 });
    expect([lab.read("T1.1.txt"), lab.read("T1.2.txt")]).toEqual(["mine", "claude"]);
    expect(project.status()?.tasks).toMatchObject([{ verified: true }, { status: "failed" }]);
    expect(JSON.stringify(heard)).toContain("token [redacted]");
    expect(JSON.stringify(heard)).not.toContain("hunter2");
  });

  it("[HO10] are named by tasks, alone and in lists, beside whoever else works", async () => {
    const task =
      "- [ ] T1.3: Sum\n  - agent: [mine, claude]\n  - verify: test -s T1.3.txt\n  - review: other\n";
    await using lab = openRepositoryLab({ "TASKS.md": PLAN + task });
    const project = await open(lab, { agents: ["mine", "other"].map(name => own(name, id => `DONE:${id}`)) });
    expect(project.plan().diagnostics).toEqual([]);
  });

  it("[HO10] work where tasks alone name them", async () => {
    const tasks = "# Shop\n## Phase 1: Build\n- [ ] T1.1: Prices\n  - agent: mine\n";
    await using lab = openLab({ "TASKS.md": tasks });
    const project = await open(lab, { agents: [own("mine", id => `DONE:${id}`)] });
    expect((await project.run().ended).counts.completed).toBe(1);
  });

  it("[HO10] are not there where looking for them throws", async () => {
    await using lab = openLab({ "TASKS.md": PLAN });
    const probe = async () => Promise.reject(new Error("no key"));
    const agents = [{ ...own("mine", String), probe }];
    const project = await open(lab, { approve: () => true, agents });
    await expect(project.run({ agent: "mine" }).ended).rejects.toMatchObject({
      code: "AGENT_NOT_FOUND",
      message: "agent mine: probe threw: no key",
    });
  });

  it.each([
    ["no agent", {}, "openProject.agents.0: is no agent"],
    ["a name that is taken", own("lead", String), "may not be called that"],
    ["no name", own("", String), "openProject.agents.0.name"],
  ])("[HO10] are refused: %s", async (_, agent, message) => {
    await using lab = openLab({ "TASKS.md": PLAN });
    await expect(open(lab, { agents: [agent as Agent] })).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining(message),
    });
  });
});
