import { chmodSync, existsSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { callerOf } from "../../../src/cli/caller.ts";
import type { Io } from "../../../src/cli/io.ts";
import { askRunning } from "../../../src/host/control/running.ts";
import { findProject } from "../../../src/host/project/project.ts";
import { call, Refusal } from "../../../src/mcp/index.ts";
import { leadDuties } from "../../../src/mcp/lead.ts";
import { because } from "../../../src/ports/index.ts";
import { type Lab, openLab } from "../lab.ts";

const TASKS = `# Lead
## Phase 1: Build
### [ ] T1.1: one
### [ ] T1.2: two
- depends_on: [T1.1]
- verify: test -e proof
## Phase 2: Ship
### [ ] T2.1: ship
`;

/** The duties of a lead in this process, and what they print besides. */
function lead(lab: Lab) {
  const said: string[] = [];
  const stream = {
    isTTY: false,
    write: (text: string) => said.push(text) > 0,
  } as unknown as NodeJS.WriteStream;
  const io: Io = { cwd: lab.root, env: lab.env, stdin: process.stdin, stdout: stream, stderr: stream };
  const project = findProject(lab.root);
  const { duties, close } = leadDuties(callerOf(io), project, undefined);
  const ask = async (name: string, input: unknown = {}) => {
    const { text, isError } = await call("lead", duties, name, input);
    return isError ? `! ${text}` : text;
  };
  return { ask, close, project, said, [Symbol.asyncDispose]: close };
}

/** The signal of a task that was started. */
function signalOf(lab: Lab, answer: string): string {
  return /`DONE:`[^`]*`([^`]+)`/.exec(lab.read(answer.slice("PROMPT:".length)))?.[1] ?? "";
}

describe("a lead's hold on the run", { timeout: 120_000 }, () => {
  it("begins with the first tool that needs it", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    expect(await one.ask("status")).toBe("! NO_RUN: next_tasks begins one");
    expect(await one.ask("get_context")).toBe("! NO_RUN: nothing is shared here yet");
    expect(await one.ask("stop")).toBe("NOTHING_RUNS");
    expect(existsSync(lab.path(".espalier/espalier.db"))).toBe(false);
    expect(await one.ask("next_tasks")).toBe("READY:T1.1");
    expect(existsSync(lab.path(".espalier/control.sock"))).toBe(true);
  });

  it("answers what other commands ask", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "gc.md": "# GC\n" });
    await using one = lead(lab);
    await one.ask("next_tasks");
    const { project } = one;
    expect(await askRunning(project, { method: "ping" })).toEqual({ ok: true, message: "running" });
    const act = (action: "skip" | "done", task: string) =>
      askRunning(project, { method: "act", action, task, note: "" });
    expect(await act("skip", "T1.1")).toEqual({
      ok: true,
      message: "T1.1 is skipped",
      reason: because("acted", { task: "T1.1", action: "skip", resume: false }),
    });
    expect(await act("done", "T9.9")).toMatchObject({ ok: false });
    expect(await one.ask("next_tasks")).toBe("READY:T1.2");
    expect(await askRunning(project, { method: "force-phase", phase: "2" })).toMatchObject({ ok: true });
    expect(await askRunning(project, { method: "force-phase", phase: "7" })).toMatchObject({ ok: false });
    expect(await askRunning(project, { method: "checkpoint", shift: false })).toEqual({
      ok: true,
      message: "chk-001",
    });
    expect(await askRunning(project, { method: "hold", held: true })).toEqual({
      ok: false,
      message: "a lead holds this run: hold has to wait until it has left",
      reason: because("lead-holds", { method: "hold" }),
    });
    const worker = { method: "worker", task: "T1.1", token: "x", ask: { op: "status" } } as const;
    expect(await askRunning(project, worker)).toMatchObject({ ok: false });
    const published = await askRunning(project, {
      method: "context",
      command: { op: "publish", label: "GC", text: "# GC\n", by: "test" },
    });
    expect(published).toMatchObject({ ok: true, message: "done" });
    expect(await one.ask("get_context", { name: "GC" })).toMatch(/^GC-v1 \w+\n# GC\n$/);
  });

  it("lets go when it is asked to, and takes the run again when it is needed", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    const prompt = await one.ask("start_task", { id: "T1.1" });
    expect(await askRunning(one.project, { method: "stop", how: "soft" })).toMatchObject({ ok: true });
    await expect.poll(() => existsSync(lab.path(".espalier/control.sock"))).toBe(false);
    expect(await one.ask("next_tasks")).toBe("WAIT:T1.1");
    expect(await one.ask("report", { id: "T1.1", signal: `DONE:${signalOf(lab, prompt)}` })).toBe(
      "COMPLETED:T1.1",
    );
  });

  it("[CL67] is stopped by the command, which returns when it has let go", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "limits: { grace: 0s }\n" });
    await using one = lead(lab);
    await one.ask("next_tasks");
    expect(await lab.ask("stop")).toMatchObject({
      code: 0,
      stdout: "the lead lets go of the run\nstopped; espalier resume goes on\n",
    });
    expect(existsSync(lab.path(".espalier/control.sock"))).toBe(false);
    expect(await one.ask("next_tasks")).toBe("READY:T1.1");
  });

  it("asks for an approval in the project's language", async () => {
    await using lab = openLab({
      "TASKS.md": "# Lead\n## Phase 1: Build\n### [ ] T1.1: one\n- verify: test -e proof\n",
      "espalier.yaml": "locale: ko\n",
    });
    await using one = lead(lab);
    const prompt = await one.ask("start_task", { id: "T1.1" });
    expect(await one.ask("report", { id: "T1.1", signal: `DONE:${signalOf(lab, prompt)}` })).toBe(
      "! APPROVAL_NEEDED: 저장소에 적힌 명령 1개가 승인되지 않았습니다; 사람이 승인하는 명령: espalier mcp --approve",
    );
  });

  it("refuses an unproved completion and one whose proof nobody approved", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "backoff: { first: 0s }\n" });
    await using one = lead(lab);
    const first = await one.ask("start_task", { id: "T1.1" });
    await one.ask("report", { id: "T1.1", signal: `DONE:${signalOf(lab, first)}` });
    const second = await one.ask("start_task", { id: "T1.2" });
    const refused = await one.ask("report", { id: "T1.2", signal: `DONE:${signalOf(lab, second)}` });
    expect(refused).toBe(
      "! APPROVAL_NEEDED: 1 command named by the repository is not approved; a person approves them: espalier mcp --approve",
    );
    expect(await one.ask("status", { id: "T1.2" })).toBe("T1.2 in_progress");
    const shown = await lab.ask("mcp", "--approve");
    expect(shown).toMatchObject({ code: 5, stdout: "" });
    expect(shown.stderr).toContain("test -e proof");
    expect(await lab.ask("mcp", "--approve", "--yes")).toMatchObject({ code: 0 });
    const unproved = await one.ask("report", { id: "T1.2", signal: `DONE:${signalOf(lab, second)}` });
    expect(unproved).toMatch(/^READY:T1\.2 1\/10: /);
    lab.write("proof", "");
    const third = await one.ask("start_task", { id: "T1.2" });
    expect(await one.ask("report", { id: "T1.2", signal: `DONE:${signalOf(lab, third)}` })).toBe(
      "COMPLETED:T1.2",
    );
  });

  it("lets go only after the tool that is at work", async () => {
    await using lab = openLab({
      "TASKS.md": TASKS.replace("test -e proof", "sleep 0.5"),
      "espalier.yaml": "backoff: { first: 0s }\n",
    });
    await using one = lead(lab);
    await lab.ask("mcp", "--approve", "--yes");
    const first = await one.ask("start_task", { id: "T1.1" });
    await one.ask("report", { id: "T1.1", signal: `DONE:${signalOf(lab, first)}` });
    const second = await one.ask("start_task", { id: "T1.2" });
    const proving = one.ask("report", { id: "T1.2", signal: `DONE:${signalOf(lab, second)}` });
    expect(await askRunning(one.project, { method: "stop", how: "soft" })).toMatchObject({ ok: true });
    expect(await proving).toBe("COMPLETED:T1.2");
    expect(existsSync(lab.path(".espalier/control.sock"))).toBe(false);
    expect(await one.ask("status")).toContain("2 completed");
  });

  it("[XR5] leaves an agent's words alone that it refuses, and names tools in what it advises", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    const report = { id: "T1.1", signal: "espalier next said so, then espalier start" };
    expect(await one.ask("report", report)).toBe(
      "! NOT_STARTED: T1.1 is not in progress here\n  start_task with id T1.1",
    );
    await one.ask("start_task", { id: "T1.1" });
    expect(await one.ask("report", report)).toBe(
      `! FOREIGN_SIGNAL: "${report.signal}" is not the signal of this attempt; nothing changed\n  hand in the agent's own last line, whole`,
    );
    expect(await one.ask("start_task", { id: "T1.2" })).toMatch(/\n {2}next_tasks says what is ready$/);
  });

  it("[HO97] is told again how a task stands whose signal it has handed in before", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "backoff: { first: 0s }\n" });
    await using one = lead(lab);
    const first = signalOf(lab, await one.ask("start_task", { id: "T1.1" }));
    const failed = { id: "T1.1", signal: `FAIL:${first}:no network` };
    expect(await one.ask("report", failed)).toBe("READY:T1.1 1/10: no network");
    expect(await one.ask("report", failed)).toBe("READY:T1.1 1/10: no network");
    const second = signalOf(lab, await one.ask("start_task", { id: "T1.1" }));
    expect(await one.ask("report", failed)).toMatch(/^! FOREIGN_SIGNAL/);
    const done = { id: "T1.1", signal: `DONE:${second}` };
    expect(await one.ask("report", done)).toBe("COMPLETED:T1.1");
    await one.close();
    expect(await one.ask("report", done)).toBe("COMPLETED:T1.1");
    expect(await one.ask("status", { id: "T1.1" })).toBe("T1.1 completed retries 1");
    for (const [id, advice] of [
      ["T1.1", "next_tasks says what is ready"],
      ["T2.1", "next_tasks says what is ready"],
      ["T9.9", "next_tasks says what is ready"],
      ["T1.2", "start_task with id T1.2"],
    ] as const)
      expect(await one.ask("report", { id, signal: `DONE:${id}#zzzzz` })).toBe(
        `! NOT_STARTED: ${id} is not in progress here\n  ${advice}`,
      );
  });

  it("[HO98] finds the prompt again of a task that a lead before it has started", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using before = lead(lab);
    const prompt = await before.ask("start_task", { id: "T1.1" });
    await before.close();
    await using one = lead(lab);
    expect(await one.ask("next_tasks")).toBe("WAIT:T1.1");
    const path = prompt.slice("PROMPT:".length);
    expect(await one.ask("start_task", { id: "T1.1" })).toBe(
      `! NOT_READY: T1.1 is in_progress, not ready\n  its prompt is ${path}; if its agent is gone, give that to another`,
    );
    // What an attempt of this number of another run has left is not this one's.
    lab.write(path, lab.read(path).replaceAll(signalOf(lab, prompt), "T1.1#zzzzz"));
    expect(await one.ask("start_task", { id: "T1.1" })).toMatch(/\n {2}next_tasks says what is ready$/);
  });

  it("keeps what is told beside standard output", async () => {
    await using lab = openLab({ "TASKS.md": TASKS.replace("[T1.1]", "[T1.2]") });
    await using one = lead(lab);
    expect(await one.ask("next_tasks")).toMatch(/^! [A-Z_]+: /);
    expect(one.said.join("")).toContain("ERROR:CIRCULAR_DEP");
  });

  it("counts what the lead reads, and stops a full window", async () => {
    await using lab = openLab({ "TASKS.md": TASKS, "espalier.yaml": "contextWindow: 1000\n" });
    await using one = lead(lab);
    let answer = "";
    for (let round = 0; round < 300 && !answer.startsWith("STOP"); round++)
      answer = await one.ask("next_tasks");
    expect(answer).toMatch(/^STOP:CONTEXT_FULL\n/);
    expect(await one.ask("next_tasks", { new_session: true })).toBe("READY:T1.1");
  });

  it("tells of a missing task file, and goes on when it is back", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    await one.ask("next_tasks");
    rmSync(lab.path("TASKS.md"));
    expect(await one.ask("next_tasks")).toMatch(/^! [A-Z_]+/);
    lab.write("TASKS.md", TASKS);
    expect(await one.ask("next_tasks")).toBe("READY:T1.1");
  });

  it("gives the prompt itself where its file cannot be written", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    await one.ask("next_tasks");
    rmSync(lab.path(".espalier/attempts"), { recursive: true, force: true });
    lab.write(".espalier/attempts", "no folder");
    const answer = await one.ask("start_task", { id: "T1.1" });
    expect(answer).toContain("T1.1");
    expect(answer).not.toMatch(/^PROMPT:/);
  });

  it("[P78] refuses in the project's language, and tells which names there are, closest first", async () => {
    const tasks = `# A\n\n## Context\n\n- ctx-ui\n- ctx-server\n\n## Phase 1: Build\n\n- [ ] T1.1: One\n- [ ] T1.2: Two\n`;
    await using lab = openLab({ "TASKS.md": tasks, "espalier.yaml": "locale: ko\n" });
    await using one = lead(lab);
    expect(await one.ask("status", { id: "T1.1" })).toBe("! NO_RUN: next_tasks로 시작하세요");
    await one.ask("next_tasks");
    expect(await one.ask("add_context", { node: "ctx-servers-of-all", text: "x" })).toMatch(
      /^! NOT_ADDED: 컨텍스트 노드 ctx-servers-of-all이 없습니다; 있는 것: ctx-server, ctx-/,
    );
    expect(await one.ask("get_context", { name: "nothing like it" })).toMatch(
      /^! NO_SUCH_NAME: nothing like it이 없습니다; 있는 것: /,
    );
    expect(await one.ask("status", { id: "T1.9" })).toBe("! NO_SUCH_TASK: T1.9; 혹시 T1.1인가요?");
    const asked = await lab.ask("context", "get", "1T");
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/있는 것: T1\.\d/)]);
  });

  it("says why a document was not added", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    expect(await one.ask("add_context", { node: "../../etc", text: "x" })).toMatch(
      /^! NOT_ADDED: there is no context node/,
    );
    const twice = await Promise.all(
      [1, 2].map(() => one.ask("add_context", { node: "ctx-root", text: "same" })),
    );
    expect(new Set(twice).size).toBe(1);
    expect(await one.ask("get_context")).toMatch(/^ctx-lead-[0-9a-f]{12}-v1$/);
    expect(await one.ask("context_ack", { text: "[ACK-UPDATE] NOPE-v2 received." })).toMatch(
      /^! NO_SUCH_LABEL: NOPE/,
    );
  });

  it("works in a state folder it cannot write by saying so", async () => {
    await using lab = openLab({ "TASKS.md": TASKS });
    await using one = lead(lab);
    chmodSync(lab.root, 0o555);
    try {
      const answer = await one.ask("next_tasks");
      // Root writes everywhere.
      expect(process.getuid?.() === 0 || answer.startsWith("! STATE_NOT_WRITABLE")).toBe(true);
    } finally {
      chmodSync(lab.root, 0o755);
    }
  });

  it("is told of refusals as errors of their own kind", () => {
    expect(new Refusal("X: y")).toMatchObject({ name: "Refusal", message: "X: y" });
  });
});
