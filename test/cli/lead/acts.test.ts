import { describe, expect, it } from "vitest";
import { callerOf } from "../../../src/cli/caller.ts";
import { askRunning } from "../../../src/host/control/running.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { readRun } from "../../../src/host/project/reader.ts";
import { call } from "../../../src/mcp/index.ts";
import { leadDuties } from "../../../src/mcp/lead.ts";
import { because } from "../../../src/ports/index.ts";
import { itWhole, sampleOf } from "../../sample.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = "# Lead\n## Phase 1: p\n### [ ] T1.1: one\n### [ ] T1.2: two\n";

/** Starts a task; its signal. */
async function start(lab: Lab, id: string): Promise<string> {
  const { code, stdout } = await lab.ask("start", "--print", id);
  expect(code).toBe(0);
  return /`DONE:`[^`]*`([^`]+)`/.exec(stdout)?.[1] ?? "";
}

const attemptsOf = (lab: Lab, id: string) => readRun(findProject(lab.root))?.attempts(id) ?? [];
const openIn = (lab: Lab) => readRun(findProject(lab.root))?.stored.openAttempts ?? [];

describe.concurrent("a person's act on what a lead has taken", { timeout: 120_000 }, () => {
  itWhole("[E40] ends its attempt: nothing runs, and a new start is the only one", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await lab.ask("next");
    await start(lab, "T1.1");
    expect((await lab.ask("status")).stdout).toMatch(/^Lead {2}running/);
    expect((await lab.ask("task", "cancel", "T1.1", "--note", "no longer wanted")).code).toBe(0);
    expect(openIn(lab)).toEqual([]);
    const [row] = attemptsOf(lab, "T1.1");
    expect(row).toMatchObject({
      agent: "lead",
      outcome: "cancelled",
      reason: because("taken-from-lead", {}),
    });
    expect(row?.endedAt).toBeGreaterThanOrEqual(row?.startedAt ?? Number.POSITIVE_INFINITY);
    expect((await lab.ask("task", "retry", "T1.1")).code).toBe(0);
    expect((await lab.ask("status")).stdout).toMatch(/^Lead {2}interrupted/);
    expect((await lab.ask("next")).stdout).toBe("READY:T1.1,T1.2\n");
    const signal = await start(lab, "T1.1");
    expect((await lab.ask("report", "T1.1", `DONE:${signal}`)).stdout).toBe("COMPLETED:T1.1\n");
    expect(attemptsOf(lab, "T1.1").map(({ outcome }) => outcome)).toEqual(["cancelled", "done"]);
    expect((await lab.ask("task", "show", "T1.1")).stdout).not.toContain("▶");
  });

  it.each(sampleOf(["pause", "skip", "done"], 0, 2))(
    "[E40] ends it with %s, and leaves other attempts alone",
    async action => {
      await using lab = openLab({ "TASKS.md": TASKS });
      await start(lab, "T1.1");
      const two = await start(lab, "T1.2");
      expect((await lab.ask("task", action, "T1.1")).code).toBe(0);
      expect(openIn(lab).map(({ task }) => task)).toEqual(["T1.2"]);
      expect((await lab.ask("status")).stdout).toMatch(/^Lead {2}running/);
      expect((await lab.ask("report", "T1.2", `DONE:${two}`)).stdout).toBe("COMPLETED:T1.2\n");
    },
  );

  it("[E40] ends it under a lead's hold, too: what its agent was given to read is spent, no longer promised", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "budget: { maxTokens: 100000 }\n" });
    const stream = { isTTY: false, write: () => true } as unknown as NodeJS.WriteStream;
    const io = { cwd: lab.root, env: lab.env, stdin: process.stdin, stdout: stream, stderr: stream };
    const project = findProject(lab.root);
    const { duties, close } = leadDuties(callerOf(io), project, undefined);
    await using _held = { [Symbol.asyncDispose]: close };
    const ask = async (name: string, input: unknown = {}) => (await call("lead", duties, name, input)).text;
    expect(await ask("start_task", { id: "T1.1" })).toMatch(/^PROMPT:/);
    const act = (action: "cancel" | "retry") =>
      askRunning(project, { method: "act", action, task: "T1.1", note: "" });
    expect(await act("cancel")).toMatchObject({ ok: true });
    expect(openIn(lab)).toEqual([]);
    const [spent, ...more] = readRun(project)?.stored.usage ?? [];
    expect([spent, more]).toEqual([expect.objectContaining({ task: "T1.1", agent: "lead", number: 1 }), []]);
    expect(spent?.estimate).toBeGreaterThan(0);
    expect(await act("retry")).toMatchObject({ ok: true });
    const prompt = await ask("start_task", { id: "T1.1" });
    const signal = /`DONE:`[^`]*`([^`]+)`/.exec(lab.read(prompt.slice("PROMPT:".length)))?.[1] ?? "";
    expect(await ask("report", { id: "T1.1", signal: `DONE:${signal}` })).toBe("COMPLETED:T1.1");
    expect(attemptsOf(lab, "T1.1").map(({ outcome }) => outcome)).toEqual(["cancelled", "done"]);
  });
});
