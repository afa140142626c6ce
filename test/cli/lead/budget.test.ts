import { describe, expect, it } from "vitest";
import { openLab } from "../lab.ts";

const TASKS = "# Lead\n## Phase 1: p\n### [ ] T1.1: one\n### [ ] T1.2: two\n### [ ] T1.3: three\n";

/** A task that reads so much that only its package tells what it takes. */
const READER = `# Lead
## Phase 1: p
### [ ] T1.1: short
### [ ] T1.2: long
- context: ctx-notes
## Context
- ctx-root
  - ctx-notes: notes.md
`;
const NOTES = Array.from({ length: 400 }, (_, at) => `- note ${at}: bed ${at * 7} is raked\n`).join("");

/** The signal that a started task's prompt describes. */
const signalIn = (prompt: string) => /`DONE:`[^`]*`([^`]+)`/.exec(prompt)?.[1] ?? "";

describe.concurrent("a lead and the run's budget", { timeout: 120_000 }, () => {
  it("[RU9] is not offered what would pass it, and told what it takes to go on", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    const stopped = await lab.ask("next", "--max-tokens", "10");
    expect(stopped.code).toBe(5);
    expect(stopped.stdout).toMatch(
      /^STOP:BUDGET:3 tasks remain, about [\d,]+ tokens more; go on with --max-tokens \d+\n$/,
    );
    const refused = await lab.ask("start", "--print", "T1.1");
    expect(refused.code).toBe(5);
    expect(refused.stderr).toMatch(/^BUDGET: budget reached: 0 of 10 tokens used; 3 tasks remain, about /);
    expect(refused.stdout).toBe("");
    expect(JSON.parse((await lab.ask("next", "--json")).stdout).answer).toMatch(/^STOP:BUDGET:3 /);
    // What it names is enough, and the flag is kept with the run.
    const raised = /--max-tokens (\d+)/.exec(stopped.stdout)?.[1] ?? "";
    expect(await lab.ask("next", "--max-tokens", raised)).toMatchObject({
      code: 0,
      stdout: "READY:T1.1,T1.2,T1.3\n",
    });
    const first = await lab.ask("start", "--print", "T1.1");
    expect(first.code).toBe(0);
    // Nothing was claimed before: this is the first attempt.
    expect(first.stdout).not.toContain("attempt 2");
    expect((await lab.ask("next")).stdout).toBe("READY:T1.2,T1.3\n");
    const lower = await lab.ask("start", "--print", "T1.2", "--max-tokens", "300");
    expect([lower.code, lower.stderr.startsWith("BUDGET: budget reached: ")]).toEqual([5, true]);
    expect(await lab.ask("next")).toMatchObject({ code: 0, stdout: "WAIT:T1.1\n" });
    await lab.ask("report", "T1.1", `DONE:${signalIn(first.stdout)}`);
    const after = await lab.ask("next");
    expect([after.code, after.stdout.startsWith("STOP:BUDGET:2 tasks remain")]).toEqual([5, true]);
  });

  it("[RT3] is offered only what has room, by what each package takes", async () => {
    await using lab = openLab({
      "TASKS.md": READER,
      "notes.md": NOTES,
      "espalier.yaml": "budget: { maxTokens: 2500 }\n",
    });
    expect(await lab.ask("next")).toMatchObject({ code: 0, stdout: "READY:T1.1|T1.2\n" });
    const long = await lab.ask("start", "--print", "T1.2");
    expect(long.code).toBe(5);
    expect((await lab.ask("status", "--thin")).stdout).toBe("T1.1 1 ready\nT1.2 1 ready\n");
    expect((await lab.ask("next", "--max-tokens", "20000")).stdout).toBe("READY:T1.1,T1.2\n");
  });

  it("[RU9] is held to the limit of money that a run was begun with", async () => {
    const prices = "budget: { maxCost: 1, prices: { default: { input: 3000, output: 15000 } } }\n";
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": prices });
    const stopped = await lab.ask("next", "--max-cost", "0.10");
    expect(stopped.code).toBe(5);
    expect(stopped.stdout).toMatch(/^STOP:BUDGET:3 tasks remain, .*, \$\d+\.\d\d; go on with --max-cost \d/);
    const raised = /--max-cost ([\d.]+)/.exec(stopped.stdout)?.[1] ?? "";
    expect((await lab.ask("next", "--max-cost", raised)).stdout).toBe("READY:T1.1,T1.2,T1.3\n");
  });
});
