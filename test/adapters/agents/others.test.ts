import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";
import { agentOf, program, telling } from "./place.ts";

async function turnOf(name: string, lines: readonly unknown[], how: { exit?: number; errors?: string } = {}) {
  const made = telling(lines, how);
  try {
    return await oneTurn(agentOf(name, made.file), agentRequest(), "do it");
  } finally {
    made.dispose();
  }
}

async function startedWith(name: string, settings: AgentSettings, resume?: string) {
  const made = program(name, `#!/bin/sh\ncat > /dev/null\nenv > "$0.env"\nprintf '%s\\n' "$@" > "$0.args"\n`);
  const given = resume === undefined ? {} : { resume };
  await oneTurn(agentOf(name, made.file, settings), agentRequest(given));
  const args = readFileSync(join(made.folder, `${name}.args`), "utf8")
    .trimEnd()
    .split("\n");
  const env = readFileSync(join(made.folder, `${name}.env`), "utf8");
  made.dispose();
  return { args, env };
}

describe("gemini", () => {
  const INIT = { type: "init", session_id: "g-1", model: "m" };
  const delta = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
  const RESULT = {
    type: "result",
    status: "success",
    stats: { total_tokens: 62, input_tokens: 50, output_tokens: 5, cached: 10 },
  };

  it("tells messages in pieces, tools and what it used", async () => {
    const { events, lines, end } = await turnOf("gemini", [
      INIT,
      { type: "message", role: "user", content: "do it" },
      delta("I loo"),
      delta("k.\n"),
      { type: "tool_use", tool_name: "run_shell_command", tool_id: "r1", parameters: { command: "ls" } },
      { type: "tool_result", tool_id: "r1", status: "error" },
      delta("Fine.\nDO"),
      delta("NE:T1.3"),
      RESULT,
    ]);
    expect(lines).toEqual(["I look.", "Fine.", "DONE:T1.3"]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "Fine.\nDONE:T1.3" });
    expect(events).toContainEqual({
      type: "usage",
      inputTokens: 50,
      outputTokens: 12,
      cachedTokens: 10,
      reasoningTokens: 7,
      estimatedTokens: 0,
    });
    expect(events).toContainEqual({
      type: "tool",
      id: "r1",
      kind: "execute",
      title: "run_shell_command ls",
      state: "failed",
    });
  });

  it.each([
    [41, "auth", false],
    [145, "auth", false],
    [42, "unsuitable", false],
    [53, "max-turns", true],
    [1, "exit", true],
  ] as const)("exit code %s without a word on stdout is %s", async (exit, kind, retryable) => {
    const { end } = await turnOf("gemini", [], { exit, errors: "Something is wrong\n" });
    expect(end).toMatchObject({ kind: "failed", failure: { kind, retryable, exitCode: exit } });
  });

  it("tells of its attempts on its standard error: the reason, should it come to nothing", async () => {
    const said = '{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","message":"Try again in 2 hours."}}';
    const errors = `Attempt 1 failed with status 429. Retrying with backoff... _ApiError: ${said}\n    at x (y)\n`;
    const { end, lines } = await turnOf("gemini", [INIT], { exit: 1, errors });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "quota", message: "gemini: Try again in 2 hours.", retryable: true },
    });
    expect(lines).toContain("gemini: Try again in 2 hours.");
  });

  it("tells an error in its result", async () => {
    const error = { type: "Error", message: "429 RESOURCE_EXHAUSTED retryDelay: 17s" };
    const { end } = await turnOf("gemini", [INIT, { type: "result", status: "error", error }], { exit: 1 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "quota" } });
  });

  it("is let edit, run or nothing, and brings neither extensions nor servers of the repository", async () => {
    const usual = await startedWith("gemini", {}, "g-0");
    expect(usual.args.join(" ")).toContain("--approval-mode auto_edit --skip-trust --extensions none");
    expect(usual.args.slice(-2)).toEqual(["--resume", "g-0"]);
    expect(usual.env).toContain("GEMINI_CLI_TRUST_WORKSPACE=false");
    const trusted = await startedWith("gemini", {
      permissions: { ...POLICIES.ask, edit: "allow", execute: "allow" },
    });
    expect(trusted.args).toContain("yolo");
    expect((await startedWith("gemini", { permissions: POLICIES.deny, model: "pro" })).args).toEqual(
      expect.arrayContaining(["plan", "--model", "pro"]),
    );
  });
});

describe("a program too old for its flags", () => {
  it.each([
    "error: unknown option '--permission-prompts'",
    "error: unexpected argument '--ignore-rules' found",
    "Unknown arguments: skip-trust, skipTrust",
  ])("is no use trying again: %s", async said => {
    const { end } = await turnOf("claude", [], { exit: 1, errors: `${said}\nUsage: …\n` });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "unsuitable", retryable: false } });
    expect(end.kind === "failed" && end.failure.message).toContain("is it too old? espalier agents");
  });

  it("is not one that had begun", async () => {
    const errors = "npm error unknown option '--x'\n";
    const begun = { type: "system", subtype: "init", session_id: "c-1" };
    const { end } = await turnOf("claude", [begun], { exit: 1, errors });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "exit", retryable: true } });
  });
});

describe("opencode", () => {
  const text = (said: string) => ({ type: "text", sessionID: "o-1", part: { type: "text", text: said } });
  const step = (reason: string) => ({
    type: "step_finish",
    sessionID: "o-1",
    part: { reason, cost: 0.1, tokens: { input: 10, output: 2, reasoning: 1, cache: { read: 5, write: 0 } } },
  });

  it("sums what its steps used, and ends with the step that calls no tool", async () => {
    const call = { tool: "bash", callID: "c1", state: { status: "completed", input: { command: "ls" } } };
    const { events, lines, end } = await turnOf("opencode", [
      { type: "step_start", sessionID: "o-1", part: {} },
      text("I look."),
      { type: "tool_use", sessionID: "o-1", part: call },
      step("tool-calls"),
      text("DONE:T1.3"),
      step("stop"),
    ]);
    expect(lines).toEqual(["I look.", "DONE:T1.3"]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "DONE:T1.3" });
    expect(events).toContainEqual({ type: "session", id: "o-1" });
    const last = events.findLast(event => event.type === "usage");
    expect(last).toMatchObject({
      type: "usage",
      inputTokens: 30,
      outputTokens: 6,
      cachedTokens: 10,
      costUsd: 0.2,
    });
  });

  it("is silent on its events while it tries again: its log says why", async () => {
    const log = (small: boolean, said: string) =>
      `timestamp=x level=ERROR run=1 message="stream error" modelID=m small=${small} error.error="${said}"\n`;
    const errors = `${log(true, "AI_RetryError: no title")}${log(false, "AI_APICallError: usage limit. Try again in 5 minutes.")}`;
    const { end } = await turnOf("opencode", [], { exit: 1, errors });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "quota", message: "opencode: AI_APICallError: usage limit. Try again in 5 minutes." },
    });
  });

  it("only calls tools and stops: its output was cut off", async () => {
    const { end } = await turnOf("opencode", [text("I look."), step("tool-calls")]);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "protocol" } });
  });

  it("tells errors with the service's status", async () => {
    const error = { name: "APIError", data: { message: "Invalid key", statusCode: 401 } };
    const { end } = await turnOf("opencode", [{ type: "error", sessionID: "o-1", error }], { exit: 1 });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "auth", message: "opencode: Invalid key" },
    });
  });

  it("tells what its policy did not let it do", async () => {
    const state = { status: "error", input: { command: "rm -rf x" }, error: "The user rejected permission" };
    const { events } = await turnOf("opencode", [
      { type: "tool_use", sessionID: "o-1", part: { tool: "bash", callID: "c1", state } },
      step("stop"),
    ]);
    expect(events).toContainEqual({
      type: "permission",
      kind: "execute",
      title: "bash rm -rf x",
      answer: "rejected",
      by: "policy",
    });
  });

  it("is given its policy in its environment", async () => {
    const { args, env } = await startedWith("opencode", { model: "a/b" }, "o-0");
    expect(args.slice(0, 7)).toEqual([
      "run",
      "--format",
      "json",
      "--pure",
      "--print-logs",
      "--log-level",
      "ERROR",
    ]);
    expect(args.slice(-4)).toEqual(["--model", "a/b", "--session", "o-0"]);
    expect(env).toContain(
      'OPENCODE_PERMISSION={"edit":"allow","bash":"deny","webfetch":"deny","external_directory":"deny"',
    );
  });
});
