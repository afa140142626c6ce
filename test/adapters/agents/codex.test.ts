import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCliAgent } from "../../../src/adapters/agent/cli/cli-agent.ts";
import { CODEX } from "../../../src/adapters/agent/cli/codex.ts";
import { POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import type { SessionRequest } from "../../../src/ports/index.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";
import { agentOf, program, telling } from "./place.ts";

const START = [{ type: "thread.started", thread_id: "th-1" }, { type: "turn.started" }];
const END = {
  type: "turn.completed",
  usage: { input_tokens: 100, cached_input_tokens: 40, output_tokens: 9 },
};
const message = (text: string) => ({
  type: "item.completed",
  item: { id: "i", type: "agent_message", text },
});

async function codex(lines: readonly unknown[], how: { exit?: number; errors?: string } = {}) {
  const made = telling(lines, how);
  try {
    return await oneTurn(agentOf("codex", made.file), agentRequest(), "do it");
  } finally {
    made.dispose();
  }
}

async function argsFor(settings: AgentSettings, given: Partial<SessionRequest> = {}): Promise<string[]> {
  const made = telling([...START, END], { keepsArgs: true });
  try {
    await oneTurn(agentOf("codex", made.file, settings), agentRequest(given), "do it");
    return readFileSync(join(made.folder, "args"), "utf8").trimEnd().split("\n");
  } finally {
    made.dispose();
  }
}

describe("codex's events", () => {
  it("become lines, tools, usage and a session; the last message since a tool is the final one", async () => {
    const item = (type: string, more: object) => ({ id: "i1", type, ...more });
    const { events, lines, end } = await codex([
      ...START,
      { type: "item.completed", item: item("reasoning", { text: "hm" }) },
      message("First I look."),
      {
        type: "item.started",
        item: item("command_execution", { command: "npm test", status: "in_progress" }),
      },
      {
        type: "item.completed",
        item: item("command_execution", { command: "npm test", status: "completed" }),
      },
      {
        type: "item.completed",
        item: item("file_change", { changes: [{ path: "a.ts" }, { path: "b.ts" }] }),
      },
      message("All right."),
      message("DONE:T1.3"),
      END,
    ]);
    expect(lines).toEqual(["First I look.", "All right.", "DONE:T1.3"]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "All right.\nDONE:T1.3" });
    expect(events).toContainEqual({ type: "session", id: "th-1" });
    expect(events).toContainEqual({
      type: "usage",
      inputTokens: 100,
      outputTokens: 9,
      cachedTokens: 40,
      estimatedTokens: 0,
    });
    expect(
      events.filter(event => event.type === "tool").map(({ kind, title, state }) => [kind, title, state]),
    ).toEqual([
      ["execute", "npm test", "started"],
      ["execute", "npm test", "done"],
      ["edit", "a.ts, b.ts", "done"],
    ]);
  });

  it("count a thread, not a turn: what earlier turns used is not added again", async () => {
    const line = (input: number, output: number) =>
      JSON.stringify({ ...END, usage: { input_tokens: input, output_tokens: output } });
    const said = START.map(event => `echo '${JSON.stringify(event)}'`).join("\n");
    const text = `#!/bin/sh\n${said}\ncase "$*" in *resume*) echo '${line(250, 20)}';; *) echo '${line(100, 9)}';; esac\n`;
    const made = program("codex", text);
    try {
      const opened = await agentOf("codex", made.file).open(agentRequest());
      if (!opened.ok) throw new Error(opened.failure.message);
      const used: unknown[] = [];
      for (const message of ["one", "two"])
        for await (const event of opened.value.turn(message)) if (event.type === "usage") used.push(event);
      await opened.value.close();
      expect(used).toEqual([
        { type: "usage", inputTokens: 100, outputTokens: 9, estimatedTokens: 0 },
        { type: "usage", inputTokens: 250, outputTokens: 20, estimatedTokens: 0 },
      ]);
    } finally {
      made.dispose();
    }
  });

  it("tell of a failed turn with the service's reason, which is JSON in a text", async () => {
    const error =
      'unexpected status 429: {"error":{"message":"Rate limit reached, try again in 20s","type":"tokens"}}';
    const before = Date.now();
    const { end } = await codex([...START, { type: "turn.failed", error: { message: error } }], { exit: 1 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "quota" } });
    const inTwentySeconds = (end.kind === "failed" ? (end.failure.retryAt ?? 0) : 0) - 20_000;
    expect(inTwentySeconds).toBeGreaterThanOrEqual(before - 1_000);
    expect(inTwentySeconds).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it("tell of a usage limit with the clock's time", async () => {
    const said = "You've hit your usage limit. Try again at 8:14 PM.";
    const { end } = await codex([...START, { type: "turn.failed", error: { message: said } }], { exit: 1 });
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "quota", message: `codex: ${said}` } });
    const at = new Date(end.kind === "failed" ? (end.failure.retryAt ?? 0) : 0);
    expect([at.getHours(), at.getMinutes()]).toEqual([20, 14]);
  });

  it("a warning in between is no failure", async () => {
    const warning = {
      type: "item.completed",
      item: { id: "i0", type: "error", message: "Model metadata not found" },
    };
    expect((await codex([...START, warning, message("DONE:T1.3"), END])).end.kind).toBe("completed");
  });
});

describe("codex's traps", () => {
  const forever = `#!/bin/sh
echo '{"type":"thread.started","thread_id":"t"}'
while :; do echo '{"type":"error","message":"Reconnecting... 1/5 (stream disconnected)"}'; sleep 0.05; done
`;

  it("without a network it reconnects for ever: that is no progress", async () => {
    const made = program("codex", forever);
    const limits = { wallMs: 600_000, idleMs: 2_000, graceMs: 500, logBytes: 1 << 20 };
    const { end } = await oneTurn(agentOf("codex", made.file), agentRequest({ limits }));
    made.dispose();
    expect(end).toMatchObject({ kind: "failed", failure: { retryable: true } });
    expect(end.kind === "failed" ? end.failure.message : "").toContain("Reconnecting");
  });

  it("what only time mends is not waited for until the idle limit", async () => {
    const made = program(
      "codex",
      forever.replace("stream disconnected", "last status: 429 Too Many Requests"),
    );
    const agent = createCliAgent({ name: "codex", dialect: CODEX, program: made.file, patienceMs: 300 });
    const limits = { wallMs: 600_000, idleMs: 600_000, graceMs: 300, logBytes: 1 << 20 };
    const { end } = await oneTurn(agent, agentRequest({ limits }));
    made.dispose();
    expect(end).toMatchObject({ kind: "failed", failure: { kind: "quota", retryable: true } });
  });

  it("a process that stays after its result is ended, and its turn counts", async () => {
    const lines = [...START, message("DONE:T1.3"), END].map(line => `echo '${JSON.stringify(line)}'`);
    const made = program("codex", `#!/bin/sh\n${lines.join("\n")}\nexec sleep 60\n`);
    const limits = { wallMs: 600_000, idleMs: 600_000, graceMs: 300, logBytes: 1 << 20 };
    const { end } = await oneTurn(agentOf("codex", made.file), agentRequest({ limits }));
    made.dispose();
    expect(end).toMatchObject({ kind: "completed", finalMessage: "DONE:T1.3" });
  });

  it("an event of 30 MB is left out, and what comes after it is read", async () => {
    const huge = {
      type: "item.completed",
      item: { id: "x", type: "command_execution", out: "x".repeat(30 << 20) },
    };
    const { end, lines } = await codex([...START, huge, message("DONE:T1.3"), END]);
    expect(end).toMatchObject({ kind: "completed", finalMessage: "DONE:T1.3" });
    expect(lines.some(line => line.includes("an event of more than 16 MiB was too long to be read"))).toBe(
      true,
    );
  });
});

describe("codex's flags", () => {
  it("keep it in its own sandbox and the repository's rules out", async () => {
    const args = await argsFor({});
    expect(args.slice(0, 4)).toEqual(["exec", "--json", "--skip-git-repo-check", "--ignore-rules"]);
    expect(args[args.indexOf("--sandbox") + 1]).toBe("workspace-write");
    expect(args).toContain('approval_policy="never"');
    expect(args).not.toContain("sandbox_workspace_write.network_access=true");
    expect(args.at(-1)).toBe("-");
  });

  it("let it only read where it may not edit, and reach the network where it may fetch", async () => {
    const denied = await argsFor({ permissions: POLICIES.deny });
    expect(denied[denied.indexOf("--sandbox") + 1]).toBe("read-only");
    expect(await argsFor({ permissions: POLICIES.allow })).toContain(
      "sandbox_workspace_write.network_access=true",
    );
  });

  it("let it write the folder of its notes", async () => {
    const args = await argsFor({}, { writable: ["/repo/notes/a.md", "/repo/notes/b.md"] });
    expect(args).toContain('sandbox_workspace_write.writable_roots=["/repo/notes"]');
  });

  it("carry model, servers and the session", async () => {
    const mcp = [{ name: "espalier", command: "/bin/e s", args: ["mcp", 'a"b'], env: { TOKEN: "x" } }];
    const args = await argsFor({ model: "gpt" }, { mcp, resume: "th-0" });
    expect(args[args.indexOf("--model") + 1]).toBe("gpt");
    expect(args).toContain('mcp_servers.espalier.command="/bin/e s"');
    expect(args).toContain('mcp_servers.espalier.args=["mcp","a\\"b"]');
    expect(args).toContain('mcp_servers.espalier.env.TOKEN="x"');
    expect(args).toContain('mcp_servers.espalier.default_tools_approval_mode="approve"');
    expect(args).toContain("mcp_servers.espalier.required=true");
    expect(args.slice(-3)).toEqual(["resume", "th-0", "-"]);
    expect(args.filter(arg => arg.startsWith("hooks"))).toEqual([]);
  });

  it("[AC9] carry a hook, approved by the hash that Codex makes of it and of nothing else", async () => {
    const args = await argsFor({}, { hook: { command: "/bin/hook", args: ["PostToolUse"] } });
    const line = `'/bin/hook' 'PostToolUse'`;
    expect(args).toContain(
      `hooks.PostToolUse=[{matcher="*",hooks=[{type="command",command="${line}",timeout=5}]}]`,
    );
    // As Codex 0.169.0 names and hashes it (`hooks/list` of its app server).
    expect(args).toContain(
      'hooks.state={"/<session-flags>/config.toml:post_tool_use:0:0"={trusted_hash="sha256:1448e22fe7d2066bd1415437c74fd8c48b0c4bc13bdcd2615e86f49678c52f30"}}',
    );
    expect(args.join(" ")).not.toContain("dangerously");
  });
});
