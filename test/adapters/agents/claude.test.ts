import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import type { SessionRequest } from "../../../src/ports/index.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";
import { agentOf, program, telling } from "./place.ts";

const INIT = { type: "system", subtype: "init", session_id: "s-1", tools: [], model: "m" };
const RESULT = {
  type: "result",
  subtype: "success",
  is_error: false,
  result: "Done.",
  usage: {},
  total_cost_usd: 0,
};

function say(text: string, more: object = {}) {
  return {
    type: "assistant",
    message: { content: [{ type: "text", text }] },
    parent_tool_use_id: null,
    ...more,
  };
}

async function claude(lines: readonly unknown[], how: { exit?: number; errors?: string } = {}) {
  const made = telling(lines, how);
  try {
    return await oneTurn(agentOf("claude", made.file), agentRequest(), "do it");
  } finally {
    made.dispose();
  }
}

/** The arguments it is started with. */
async function argsFor(settings: AgentSettings, given: Partial<SessionRequest> = {}): Promise<string[]> {
  const made = telling([INIT, RESULT], { keepsArgs: true });
  try {
    await oneTurn(agentOf("claude", made.file, settings), agentRequest(given), "do it");
    expect(JSON.parse(readFileSync(join(made.folder, "in"), "utf8"))).toEqual({
      type: "user",
      message: { role: "user", content: "do it" },
    });
    return readFileSync(join(made.folder, "args"), "utf8").trimEnd().split("\n");
  } finally {
    made.dispose();
  }
}

const behind = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1];

describe("claude's events", () => {
  it("become lines, tools, usage and a session, the result the final message", async () => {
    const { events, lines, end } = await claude([
      INIT,
      say("I write it."),
      {
        type: "assistant",
        message: { content: [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "npm test" } }] },
      },
      { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", is_error: true }] } },
      say("Now.\nDONE:T1.3"),
      {
        ...RESULT,
        result: "Now.\nDONE:T1.3",
        total_cost_usd: 0.5,
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 80,
          cache_creation_input_tokens: 10,
          output_tokens: 7,
        },
      },
    ]);
    expect(lines).toEqual(["I write it.", "Now.", "DONE:T1.3"]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "Now.\nDONE:T1.3", exitCode: 0 });
    expect(events).toContainEqual({ type: "session", id: "s-1" });
    const tools = events.filter(event => event.type === "tool");
    expect(tools).toEqual([
      { type: "tool", id: "t1", kind: "execute", title: "Bash npm test", state: "started" },
      { type: "tool", id: "t1", kind: "execute", title: "Bash npm test", state: "failed" },
    ]);
    const used = { inputTokens: 100, outputTokens: 7, cachedTokens: 80, costUsd: 0.5 };
    expect(events).toContainEqual(expect.objectContaining({ type: "usage", ...used, estimatedTokens: 0 }));
  });

  it("count what sub-agents used, and leave out what they said", async () => {
    const modelUsage = {
      big: { inputTokens: 5, outputTokens: 3, cacheReadInputTokens: 20, cacheCreationInputTokens: 1 },
      small: { inputTokens: 2, outputTokens: 1, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    };
    const { events, lines } = await claude([
      INIT,
      say("from below", { parent_tool_use_id: "t9" }),
      { ...RESULT, modelUsage, usage: { input_tokens: 1, output_tokens: 1 } },
    ]);
    expect(lines).toEqual([]);
    expect(events).toContainEqual({
      type: "usage",
      inputTokens: 28,
      outputTokens: 4,
      cachedTokens: 20,
      estimatedTokens: 0,
      costUsd: 0,
    });
  });

  it("tell what it was not let do", async () => {
    const denial = { tool_name: "Write", tool_use_id: "t1", tool_input: { file_path: "/etc/passwd" } };
    const { events } = await claude([INIT, { ...RESULT, permission_denials: [denial] }]);
    expect(events).toContainEqual({
      type: "permission",
      kind: "edit",
      title: "Write /etc/passwd",
      answer: "rejected",
      by: "policy",
    });
  });
});

describe("claude's traps", () => {
  it.each(["completed", "api_error"])("not logged in says success, and terminal_reason %s", async reason => {
    const { end } = await claude(
      [
        INIT,
        { ...RESULT, is_error: true, terminal_reason: reason, result: "Not logged in · Please run /login" },
      ],
      { exit: 1 },
    );
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "auth", retryable: false } });
  });

  it("an error inside with exit code 0 is an error", async () => {
    const { end } = await claude([INIT, { ...RESULT, is_error: true, result: "API Error: 529 Overloaded" }]);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "overloaded", retryable: true } });
  });

  it("a limit that was told of before tells when it ends", async () => {
    const resetsAt = Math.floor(Date.now() / 1000) + 7200;
    const { end } = await claude([
      INIT,
      { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt } },
      say("You've hit your limit"),
      { ...RESULT, is_error: true, result: "You've hit your limit · resets later" },
    ]);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "quota", retryAt: resetsAt * 1000 } });
  });

  it("a warning of a limit is no limit", async () => {
    const warning = { type: "rate_limit_event", rate_limit_info: { status: "allowed_warning", resetsAt: 1 } };
    expect((await claude([INIT, warning, RESULT])).end.kind).toBe("completed");
  });

  it.each([
    ["error_max_turns", { kind: "max-turns", retryable: true }],
    // With a reason of ours: the account may have more.
    ["error_max_budget_usd", { kind: "budget", retryable: false, reason: { code: "agent-failed" } }],
  ])("%s is %o", async (subtype, failure) => {
    const { end } = await claude([INIT, { ...RESULT, subtype, is_error: true }], { exit: 1 });
    expect(end).toMatchObject({ kind: "failed", failure });
  });

  it("an empty account is no quota that comes back", async () => {
    const { end } = await claude([INIT, { ...RESULT, is_error: true, result: "Credit balance is too low" }]);
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "budget", retryable: false } });
  });

  it("a stream without a result was cut off, whatever the exit code says", async () => {
    const { end } = await claude([INIT, say("DONE:T1.3")]);
    expect(end).toMatchObject({
      kind: "failed",
      failure: {
        kind: "protocol",
        retryable: true,
        message: "claude ended without a result: its output was cut off",
      },
      finalMessage: "DONE:T1.3",
    });
  });

  it("noise around the events, half an event and events of the future do no harm", async () => {
    const { end, lines } = await claude([
      "npm warn something",
      INIT,
      { type: "hologram", shape: 7 },
      '{"type":"assistant","message":{"content":[{"type":"te',
      "null",
      "[1,2]",
      '"text"',
      { type: "assistant" },
      { type: "assistant", message: { content: "text" } },
      { type: "user", message: null },
      RESULT,
    ]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "Done." });
    expect(lines.slice(0, 2)).toEqual(["npm warn something", expect.stringContaining('{"type":"assistant"')]);
  });

  it("gives a reason from stderr when there is nothing else", async () => {
    const { end } = await claude([], {
      exit: 1,
      errors: "Error: the folder is gone\n    at x (y:1)\n",
    });
    expect(end).toMatchObject({
      kind: "failed",
      failure: { kind: "exit", exitCode: 1, message: "claude: Error: the folder is gone" },
    });
  });
});

describe("claude's flags", () => {
  it("leave the repository's settings and servers out, and let it ask for what changes anything", async () => {
    const args = await argsFor({});
    const streams = ["--output-format", "stream-json", "--input-format", "stream-json"];
    expect(args.slice(0, 6)).toEqual(["-p", ...streams, "--verbose"]);
    expect(behind(args, "--setting-sources")).toBe("user");
    expect(args).toContain("--strict-mcp-config");
    expect([behind(args, "--permission-mode"), behind(args, "--permission-prompt-tool")]).toEqual([
      "manual",
      "stdio",
    ]);
    expect(behind(args, "--disallowedTools")).toBe("AskUserQuestion,EnterPlanMode");
    expect(behind(args, "--allowedTools")).toBe("Read,Glob,Grep");
  });

  it("take from it what its policy never allows", async () => {
    const denied = await argsFor({ permissions: POLICIES.deny });
    expect(behind(denied, "--permission-mode")).toBe("manual");
    expect(behind(denied, "--disallowedTools")).toBe(
      "AskUserQuestion,EnterPlanMode,Write,Edit,NotebookEdit,Bash,WebFetch,WebSearch",
    );
    const some = { ...POLICIES.deny, execute: { allow: ["npm test*"], else: "deny" } } as const;
    expect(behind(await argsFor({ permissions: some }), "--disallowedTools")).not.toContain("Bash");
    const free = await argsFor({ permissions: POLICIES.allow });
    expect(behind(free, "--permission-mode")).toBe("bypassPermissions");
  });

  it("carry model, limits, servers and the session", async () => {
    const mcp = [{ name: "espalier", command: "/bin/espalier", args: ["mcp"], env: { A: "b" } }];
    const args = await argsFor({ model: "opus", budgetUsd: 2.5, maxTurns: 40 }, { mcp, resume: "s-0" });
    expect(behind(args, "--model")).toBe("opus");
    expect([behind(args, "--max-budget-usd"), behind(args, "--max-turns")]).toEqual(["2.5", "40"]);
    expect(behind(args, "--resume")).toBe("s-0");
    expect(JSON.parse(behind(args, "--mcp-config") ?? "")).toEqual({
      mcpServers: { espalier: { command: "/bin/espalier", args: ["mcp"], env: { A: "b" } } },
    });
    expect(behind(args, "--allowedTools")).toBe("Read,Glob,Grep,mcp__espalier");
    expect(args).not.toContain("--settings");
  });

  it("[AC9] carry a hook for every tool call, in settings of the session", async () => {
    const args = await argsFor({}, { hook: { command: "/bin/no de", args: ["/it's.js", "/s.sock"] } });
    const hook = { type: "command", command: `'/bin/no de' '/it'\\''s.js' '/s.sock'`, timeout: 5 };
    const each = [{ matcher: "*", hooks: [hook] }];
    expect(JSON.parse(behind(args, "--settings") ?? "")).toEqual({
      hooks: { PostToolUse: each, PostToolUseFailure: each },
    });
    expect(behind(args, "--setting-sources")).toBe("user");
  });
});

describe("what claude asks for", () => {
  /** Asks for a call, and tells as its answer what it heard; a second line asks what nobody answers. */
  async function asked(
    call: { readonly name: string; readonly input: object; readonly reason?: string },
    settings: AgentSettings = {},
    given: Partial<SessionRequest> = {},
  ) {
    const { name, input, reason = "other" } = call;
    const question = {
      type: "control_request",
      request_id: "r-1",
      request: {
        subtype: "can_use_tool",
        tool_name: name,
        input,
        tool_use_id: "t1",
        decision_reason_type: reason,
      },
    };
    const other = { type: "control_request", request_id: "r-2", request: { subtype: "elicitation" } };
    const tool = { type: "tool_use", id: "t1", name, input };
    const begun = { type: "assistant", message: { content: [tool] }, parent_tool_use_id: null };
    const tell = (line: object) => `cat <<'LINE'\n${JSON.stringify(line)}\nLINE\n`;
    const made = program("agent", "");
    const heard = join(made.folder, "heard");
    writeFileSync(
      made.file,
      `#!/bin/sh\nread -r prompt\n${tell(INIT)}${tell(begun)}${tell(question)}read -r a; echo "$a" > '${heard}'\n${tell(other)}read -r b; echo "$b" >> '${heard}'\n${tell({ ...RESULT, permission_denials: [{ tool_name: name, tool_use_id: "t1", tool_input: input }] })}cat\n`,
    );
    try {
      const told = await oneTurn(agentOf("claude", made.file, settings), agentRequest(given), "do it");
      const [answer, refusal] = readFileSync(heard, "utf8").trim().split("\n");
      const permissions = told.events.filter(event => event.type === "permission");
      return {
        answer: JSON.parse(answer ?? "").response,
        refusal: JSON.parse(refusal ?? "").response,
        permissions,
        told,
      };
    } finally {
      made.dispose();
    }
  }
  const yes = (input: object) => ({
    subtype: "success",
    request_id: "r-1",
    response: { behavior: "allow", updatedInput: input },
  });
  const no = {
    subtype: "success",
    request_id: "r-1",
    response: { behavior: "deny", message: expect.any(String) },
  };
  const bash = (command: string) => ({ name: "Bash", input: { command } });

  it("[AC18] is decided by its policy, patterns held against each command of a line", async () => {
    const settings = {
      permissions: { ...POLICIES["allow-edits"], execute: { allow: ["npm test*"], else: "deny" } },
    } as const;
    const one = await asked(bash("npm test -- a"), settings);
    expect(one.answer).toEqual(yes({ command: "npm test -- a" }));
    expect(one.permissions).toEqual([
      { type: "permission", kind: "execute", title: "npm test -- a", answer: "allowed", by: "policy" },
    ]);
    expect(one.told.end.kind).toBe("completed");
    expect((await asked(bash("npm test && rm -r src"), settings)).answer).toEqual(no);
    expect((await asked({ name: "Edit", input: { file_path: "a.ts" } })).answer.response.behavior).toBe(
      "allow",
    );
    expect((await asked({ name: "Task", input: {} }, { permissions: POLICIES.deny })).answer).toEqual(no);
    expect((await asked({ name: "mcp__other__query", input: {} })).permissions).toMatchObject([
      { kind: "other", answer: "rejected", by: "nobody" },
    ]);
  });

  it("[AC18] is asked of a person where the policy says so", async () => {
    const questions: unknown[] = [];
    const ask: SessionRequest["ask"] = async question => {
      questions.push(question);
      return { answer: "allowed", by: "person" };
    };
    const { answer, permissions } = await asked(bash("npm run build"), {}, { ask });
    expect(questions).toEqual([{ kind: "execute", title: "npm run build" }]);
    expect(answer).toEqual(yes({ command: "npm run build" }));
    expect(permissions).toMatchObject([{ answer: "allowed", by: "person" }]);
    expect((await asked(bash("npm run build"))).permissions).toMatchObject([{ by: "nobody" }]);
  });

  it("[AC18] is no mere edit outside its folder, or where the program itself holds it for delicate", async () => {
    const outside = await asked({ name: "Write", input: { file_path: "/etc/x", content: "" } });
    expect(outside.permissions).toMatchObject([{ kind: "other", answer: "rejected" }]);
    const notes = await asked(
      { name: "Write", input: { file_path: "/etc/x", content: "" } },
      {},
      { writable: ["/etc/x"] },
    );
    expect(notes.permissions).toMatchObject([{ kind: "edit", answer: "allowed" }]);
    const hooks = { name: "NotebookEdit", input: { notebook_path: ".git/hooks/x" }, reason: "safetyCheck" };
    expect((await asked(hooks)).permissions).toMatchObject([{ kind: "other", answer: "rejected" }]);
  });

  it("[AC18] else is refused at once: nothing waits for it", async () => {
    const { refusal } = await asked(bash("true"));
    expect(refusal).toMatchObject({ subtype: "error", request_id: "r-2" });
  });

  it("[AC18] holds no idle limit against it while a person thinks", async () => {
    const ask: SessionRequest["ask"] = async () => {
      await new Promise(resolve => setTimeout(resolve, 4_000));
      return { answer: "allowed", by: "person" };
    };
    // The shell that plays claude needs more than a moment of its own on a busy machine.
    const limits = { wallMs: 60_000, idleMs: 3_000, graceMs: 1_000, logBytes: 1 << 20 };
    const { told } = await asked(bash("npm run build"), {}, { ask, limits });
    expect(told.end.kind).toBe("completed");
  });
});
