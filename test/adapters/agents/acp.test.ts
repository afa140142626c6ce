import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { type AcpAgentOptions, createAcpAgent } from "../../../src/adapters/agent/acp/acp-agent.ts";
import { answerPermission, questionOf } from "../../../src/adapters/agent/acp/permission.ts";
import { withOwn } from "../../../src/adapters/agent/own-surroundings.ts";
import { type Permissions, POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import type { Agent, AgentEvent, AgentSession, SessionRequest, TurnEnd } from "../../../src/ports/index.ts";
import { agentRequest } from "../agent-fixtures.ts";
import { type SentMessage, schemaProblems } from "./acp-schema.ts";
import { program } from "./place.ts";

const PUPPET = fileURLToPath(new URL("acp-puppet.ts", import.meta.url));
const QUICK = { wallMs: 600_000, idleMs: 600_000, graceMs: 1_000, logBytes: 1 << 20 };
const opened: { session: AgentSession; folder: string }[] = [];
/** Methods that any test here had us send. */
const methods = new Set<string>();
afterEach(async () => {
  for (const { session, folder } of opened.splice(0)) {
    await session.close();
    const sent = messagesIn(join(folder, "notes"));
    for (const { method } of sent) methods.add(method ?? "an answer");
    // [AC20]
    const [problem] = sent.flatMap(schemaProblems);
    if (problem !== undefined) throw new Error(`what was sent is not valid: ${JSON.stringify(problem)}`);
    rmSync(folder, { recursive: true, force: true });
  }
});

interface Talk {
  readonly agent: Agent;
  readonly session: AgentSession;
  /** What the agent was sent, oldest first. */
  readonly asked: () => SentMessage[];
}

async function talkTo(
  behaviour: string,
  given: Partial<SessionRequest> = {},
  options: Partial<AcpAgentOptions> = {},
  changed: (agent: Agent) => Agent = agent => agent,
): Promise<Talk> {
  const { file, folder } = program("agent", `#!/bin/sh\nexec "$@"\n`);
  const notes = join(folder, "notes");
  const command = [file, process.execPath, "--no-warnings", PUPPET, behaviour, notes] as const;
  const agent = changed(createAcpAgent({ name: "puppet", command: [...command], ...options }));
  const session = await agent.open(agentRequest({ limits: QUICK, ...given }));
  if (!session.ok) throw new Error(session.failure.message);
  opened.push({ session: session.value, folder });
  return { agent, session: session.value, asked: () => messagesIn(notes) };
}

/** What an agent was sent, by its notes. */
function messagesIn(notes: string): SentMessage[] {
  if (!existsSync(notes)) return [];
  const lines = readFileSync(notes, "utf8").trimEnd().split("\n");
  return lines.map(line => JSON.parse(line));
}

async function turn({ session }: Pick<Talk, "session">, text = "do it") {
  const events: AgentEvent[] = [];
  for await (const event of session.turn(text)) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "ended") throw new Error("no end");
  return { events, end: last.end };
}

function failureOf(end: TurnEnd) {
  if (end.kind !== "failed") throw new Error(`completed: ${end.finalMessage}`);
  return end.failure;
}

describe("a conversation over the protocol", () => {
  it("[AC3] begins with the first turn, in the request's folder, with its servers, and goes on in the second", async () => {
    const mcp = [{ name: "espalier", command: "/bin/espalier", args: ["mcp"], env: { A: "b" } }];
    const talk = await talkTo("echo", { mcp });
    expect((await turn(talk, "one")).end).toMatchObject({ kind: "completed", finalMessage: "1: one" });
    expect((await turn(talk, "two")).end).toMatchObject({ kind: "completed", finalMessage: "2: two" });
    const asked = talk.asked();
    expect(asked.map(({ method }) => method)).toEqual([
      "initialize",
      "session/new",
      "session/prompt",
      "session/prompt",
    ]);
    expect(asked[0]?.params).toMatchObject({ protocolVersion: 1, clientCapabilities: {} });
    // [AC5]
    expect(JSON.stringify(asked)).not.toContain("null");
    expect(asked[1]?.params).toMatchObject({
      cwd: process.cwd(),
      mcpServers: [
        { name: "espalier", command: "/bin/espalier", args: ["mcp"], env: [{ name: "A", value: "b" }] },
      ],
    });
  });

  it("resumes an earlier session, or loads it and does not repeat what it tells of the past", async () => {
    const resumed = await talkTo("echo", { resume: "s-1" });
    await turn(resumed);
    expect(resumed.asked()[1]).toMatchObject({ method: "session/resume", params: { sessionId: "s-1" } });
    const loaded = await talkTo("loads", { resume: "s-1" });
    const { events, end } = await turn(loaded);
    expect(loaded.asked()[1]?.method).toBe("session/load");
    expect(end.finalMessage).toBe("1: do it");
    expect(events.some(event => event.type === "line" && event.text.includes("long ago"))).toBe(false);
  });

  it("[AC3] is known not to go on with a session once it has said so: whoever goes on tells it everything", async () => {
    const { agent, session } = await talkTo("forgets");
    expect(agent.abilities?.resume).toBe(true);
    await turn({ session });
    expect(agent.abilities?.resume).toBe(false);
    const able = await talkTo("echo");
    await turn(able);
    expect(able.agent.abilities?.resume).toBe(true);
  });

  it("begins anew, and says so, where the earlier session is gone", async () => {
    const talk = await talkTo("echo", { resume: "s-0" });
    const { events, end } = await turn(talk);
    expect(end.kind).toBe("completed");
    expect(events).toContainEqual({ type: "session", id: "s-1" });
    const lines = events.flatMap(event => (event.type === "line" ? [event.text] : []));
    expect(lines[0]).toBe("[espalier] puppet could not go on with session s-0; it began a new one");
  });

  it("[AC3] goes on in a new process after a turn that was cancelled", async () => {
    const talk = await talkTo("echo");
    await turn(talk, "one");
    await talk.session.cancel("soft");
    expect((await turn(talk, "two")).end.finalMessage).toBe("1: two");
    expect(talk.asked().map(({ method }) => method)).toContain("session/resume");
  });

  it("[AC4] is put into its mode and given its model before its first message", async () => {
    const talk = await talkTo("models", {}, { mode: "careful", settings: { model: "small" } });
    await turn(talk);
    expect(talk.asked().slice(2, 4)).toEqual([
      expect.objectContaining({
        method: "session/set_mode",
        params: { sessionId: "s-1", modeId: "careful" },
      }),
      expect.objectContaining({
        method: "session/set_config_option",
        params: { sessionId: "s-1", configId: "model", value: "small" },
      }),
    ]);
  });

  it("[AC4] is given its model in the older way where it offers models in that way", async () => {
    const talk = await talkTo("older", {}, { settings: { model: "haiku" } });
    await turn(talk);
    expect(talk.asked()[2]).toMatchObject({
      method: "session/set_model",
      params: { sessionId: "s-1", modelId: "haiku" },
    });
    const odd = failureOf((await turn(await talkTo("older", {}, { settings: { model: "huge" } }))).end);
    expect(odd.message).toBe("puppet does not offer the model huge; it offers small, haiku");
  });

  it("[AC4] refuses a model that is not offered, and names those that are", async () => {
    const odd = failureOf((await turn(await talkTo("models", {}, { settings: { model: "huge" } }))).end);
    expect(odd).toMatchObject({ kind: "unsuitable", retryable: false });
    expect(odd.message).toBe("puppet does not offer the model huge; it offers small, large");
    const none = failureOf((await turn(await talkTo("echo", {}, { settings: { model: "huge" } }))).end);
    expect(none.message).toContain("leave out `model: huge`");
  });
});

describe("what is chosen of a session", () => {
  const chosen = async (settings: AgentSettings, mode?: string) => {
    const talk = await talkTo("chooses", {}, { settings, mode });
    const { end } = await turn(talk);
    const told = talk.asked().flatMap(({ method, params }) => {
      const { configId, value } = (params ?? {}) as { configId?: string; value?: string };
      return method === "session/set_config_option" ? [`${configId}=${value}`] : [];
    });
    return { end, told };
  };

  it("[AC14] is its mode, model and effort, by value, by name or by the only beginning that fits", async () => {
    expect((await chosen({ model: "claude-opus-5", effort: "high" }, "plan")).told).toEqual([
      "style=plan",
      "llm=claude-opus-5",
      "thinking=high",
    ]);
    expect((await chosen({ model: "haiku", effort: "HIGH" })).told).toEqual([
      "llm=claude-haiku-4-5",
      "thinking=high",
    ]);
    expect((await chosen({ model: "claude-h" })).told).toEqual(["llm=claude-haiku-4-5"]);
    expect((await chosen({ model: "opus" })).told).toEqual(["llm=claude-opus-5"]);
  });

  it("[AC14] fails its turn where it is not offered, and says what is", async () => {
    const words = async (settings: AgentSettings, mode?: string) =>
      failureOf((await chosen(settings, mode)).end).message;
    expect(await words({ model: "claude-opus" })).toBe(
      "puppet does not offer the model claude-opus; it offers claude-haiku-4-5, claude-opus-5, claude-opus-4",
    );
    expect(await words({ effort: "most" })).toBe(
      "puppet does not offer the effort most; it offers low, high",
    );
    expect(await words({}, "ship")).toBe("puppet does not offer the mode ship; it offers code, plan");
    const older = await turn(await talkTo("older", {}, { mode: "plan" }));
    expect(failureOf(older.end).message).toBe("puppet does not offer the mode plan; it offers code");
    const plain = await turn(await talkTo("echo", {}, { settings: { effort: "high" } }));
    expect(failureOf(plain.end).message).toContain("leave out `effort: high`");
  });
});

describe("what an agent has for itself", () => {
  it("[AC15] wins over what all have, and is held by what its policy sets", async () => {
    const all = { PATH: process.env["PATH"] ?? "", ONE: "all", RULE: "all" };
    const server = { name: "notes", command: "/bin/notes", args: ["serve"], env: {} };
    const own = (agent: Agent) => withOwn(agent, { env: { ONE: "own", TWO: "own" }, mcp: [server] });
    const talk = await talkTo("tells", { env: all }, { rules: { RULE: "policy" } }, own);
    const { end } = await turn(talk);
    expect(JSON.parse(end.finalMessage)).toEqual({ ONE: "own", TWO: "own", RULE: "policy" });
    expect(talk.asked()[1]?.params).toMatchObject({ mcpServers: [{ name: "notes", command: "/bin/notes" }] });
  });
});

describe("permissions over the protocol", () => {
  const asks = async (policy: Permissions, text: string, given: Partial<SessionRequest> = {}) => {
    const talk = await talkTo("asks", given, { settings: { permissions: policy } });
    const { end, events } = await turn(talk, text);
    return {
      outcome: JSON.parse(end.finalMessage),
      told: events.filter(event => event.type === "permission"),
    };
  };

  it.each([
    ["allow-edits", "edit|Write a.ts|a.ts", "once"],
    ["allow-edits", "delete|rm a.ts", "once"],
    ["allow-edits", "read|cat /etc/hosts|/etc/hosts", "once"],
    ["allow-edits", "execute|npm test", "no"],
    ["allow-edits", "edit|Write|/etc/passwd", "no"],
    ["allow-edits", "edit|Write|../other/a.ts", "no"],
    ["allow-edits", "switch_mode|leave plan", "no"],
    ["deny", "edit|Write a.ts|a.ts", "no"],
    ["allow", "fetch|https://example.org", "once"],
    ["ask", "execute|npm test", "no"],
  ] as const)("%s answers %s with %s", async (policy, text, optionId) => {
    const { outcome, told } = await asks(POLICIES[policy], text);
    expect(outcome).toEqual({ outcome: "selected", optionId });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatchObject({ answer: optionId === "once" ? "allowed" : "rejected" });
  });

  it.each([
    ["edit|a.ts", "edit", "once"],
    ["edit|/etc/passwd", "other", "no"],
    ["execute|x", "execute", "no"],
    ["read|/etc/hosts", "read", "once"],
  ])(
    "[AC1] what a request leaves out stands in the call that was announced: %s is %s, answered with %s",
    async (text, kind, optionId) => {
      const talk = await talkTo("terse", {}, { settings: { permissions: POLICIES["allow-edits"] } });
      const { end, events } = await turn(talk, text);
      expect(JSON.parse(end.finalMessage)).toEqual({ outcome: "selected", optionId });
      expect(events).toContainEqual(
        expect.objectContaining({ type: "permission", kind, title: `Write ${text.split("|")[1]}` }),
      );
    },
  );

  const begun = (kind: string) => ({
    tell: { sessionUpdate: "tool_call", toolCallId: "c1", kind, title: "at work" },
  });
  const told = (status: string) => ({ tell: { toolCallId: "c1", status } });
  const asked = () => ({ ask: { toolCallId: "c1" } });
  const unknown = { settings: { permissions: POLICIES.deny }, isUnknown: true };
  const play = (talk: Pick<Talk, "session">, played: readonly object[], more: object = {}) =>
    turn(talk, JSON.stringify({ steps: played, ...more }));

  it.each([
    ["not-asked", [begun("read"), asked(), begun("edit"), told("completed")]],
    ["not-asked", [begun("edit"), told("in_progress")]],
    ["not-heeded", [begun("edit"), asked(), told("completed")]],
  ] as const)(
    "[AC2] an agent of which nothing is known is ended when it does what its policy denies (%s): %j",
    async (code, played) => {
      const talk = await talkTo("plays", {}, unknown);
      const failure = failureOf((await play(talk, played)).end);
      expect(failure).toMatchObject({ kind: "unsuitable", retryable: false });
      expect(failure.reason).toMatchObject({
        code,
        args: { agent: "puppet", kind: "edit", said: "at work" },
      });
      // Nor is it asked again.
      expect(await talk.agent.open(agentRequest({ limits: QUICK }))).toMatchObject({ ok: false, failure });
    },
  );

  it("[AC2] it goes on after what failed; against one that is known to ask only an edit in its folder counts for which it did not", async () => {
    const talk = await talkTo("plays", {}, unknown);
    expect(talk.agent.abilities?.asks).toBe(false);
    expect((await play(talk, [begun("edit"), asked(), told("failed")])).end.kind).toBe("completed");
    const cut = failureOf((await play(talk, [begun("edit")], { stopReason: "max_tokens" })).end);
    expect(cut.reason?.code).not.toBe("not-asked");
    const known = await talkTo("plays", {}, { ...unknown, isUnknown: false });
    expect(known.agent.abilities?.asks).toBe(true);
    const at = (path: string) => ({ tell: { ...begun("edit").tell, locations: [{ path }] } });
    for (const steps of [
      [begun("edit"), told("completed")],
      [at("/elsewhere/notes.md"), told("completed")],
      [at("a.ts"), told("failed")],
      [at("a.ts"), asked(), told("completed")],
      [begun("execute"), told("completed")],
      [at("a.ts")],
    ])
      expect((await play(known, steps)).end.kind).toBe("completed");
    const failure = failureOf((await play(known, [at("a.ts"), told("completed")])).end);
    expect(failure).toMatchObject({
      kind: "unsuitable",
      reason: { code: "not-asked", args: { kind: "edit" } },
    });
  });

  it("the file for its notes may be written, wherever it lies, and no other there", async () => {
    const writable = ["/repo/notes/a.md"];
    expect(
      (await asks(POLICIES["allow-edits"], "edit|Write|/repo/notes/a.md", { writable })).outcome.optionId,
    ).toBe("once");
    expect(
      (await asks(POLICIES["allow-edits"], "edit|Write|/repo/notes/b.md", { writable })).outcome.optionId,
    ).toBe("no");
  });

  it("[AC6] a person is asked where the policy says so, and is not hurried", async () => {
    const limits = { ...QUICK, idleMs: 3_000 };
    const ask = async () => {
      await new Promise(resolve => setTimeout(resolve, 4_000));
      return { answer: "allowed", by: "person" } as const;
    };
    const { outcome, told } = await asks(POLICIES.ask, "execute|npm test", { ask, limits });
    expect(outcome).toEqual({ outcome: "selected", optionId: "once" });
    expect(told[0]).toMatchObject({ kind: "execute", title: "npm test", answer: "allowed", by: "person" });
  });

  it("[AC6] a question that fails is answered with no", async () => {
    const ask = () => Promise.reject(new Error("no terminal"));
    expect((await asks(POLICIES.ask, "execute|x", { ask })).told[0]).toMatchObject({
      answer: "rejected",
      by: "nobody",
    });
  });

  it("[AC7] tools that we attached ourselves are allowed, others of that name are not", async () => {
    const mcp = [{ name: "espalier", command: "/bin/true", args: [], env: {} }];
    expect((await asks(POLICIES.deny, "other|mcp__espalier__context_pull", { mcp })).outcome.optionId).toBe(
      "once",
    );
    expect((await asks(POLICIES.deny, "other|mcp__other__espalier", { mcp })).outcome.optionId).toBe("no");
    // Some ask by the id of a call alone, whose title they told before.
    expect(
      (await asks(POLICIES.deny, "execute|mcp.espalier.add_context||announced", { mcp })).outcome.optionId,
    ).toBe("once");
    expect((await asks(POLICIES.deny, "execute|mcp__espalier__x; rm -rf /", { mcp })).outcome.optionId).toBe(
      "no",
    );
    const title = "context_pull (espalier MCP Server)";
    expect((await asks(POLICIES.deny, `other|${title}`, { mcp })).outcome.optionId).toBe("once");
    expect((await asks(POLICIES.deny, `execute|rm -rf / # ${title}`, { mcp })).outcome.optionId).toBe("no");
  });

  it("[AC7] a tool of ours is known by what the agent calls it, where its title is its arguments", async () => {
    const mcp = [{ name: "espalier", command: "/bin/true", args: [], env: {} }];
    const call = (toolName: string) => ({
      options: [{ kind: "allow_once", optionId: "yes" }],
      toolCall: { kind: "other", title: '{"label":"a"}', _meta: { toolName } },
    });
    const answer = (name: string) =>
      answerPermission(call(name), agentRequest({ mcp }), POLICIES.deny).then(({ outcome }) => outcome);
    expect(await answer("mcp__espalier__context_pull")).toEqual({ outcome: "selected", optionId: "yes" });
    expect(await answer("mcp__other__context_pull")).toEqual({ outcome: "cancelled" });
    expect(questionOf(call("mcp__other__x"), { cwd: "/" }).title).toBe('mcp__other__x {"label":"a"}');
  });

  it("a command is shown whole, in one line, whatever the model calls it", () => {
    const call = (command: unknown) => ({
      toolCall: { kind: "execute", title: "looks around", rawInput: { command } },
    });
    const title = (command: unknown) => questionOf(call(command), { cwd: "/" }).title;
    expect(title("ls\nrm -rf /\r\n")).toBe("ls ⏎ rm -rf /");
    expect(title(["rm", "-rf", "/"])).toBe("rm -rf /");
    expect(title(7)).toBe("looks around");
    expect(title("x".repeat(5_000))).toHaveLength(1_000);
  });
});

describe("what we send", () => {
  it("[AC20] is held against the schema that the protocol publishes, all of it in these tests", () => {
    expect([...methods].sort()).toEqual([
      "an answer",
      "initialize",
      "session/cancel",
      "session/load",
      "session/new",
      "session/prompt",
      "session/resume",
      "session/set_config_option",
      "session/set_mode",
      "session/set_model",
    ]);
    const sent = { sessionId: "s-1", prompt: [{ type: "text", text: "do it" }] };
    const problems = (params: unknown) => schemaProblems({ method: "session/prompt", params });
    expect(problems(sent)).toEqual([]);
    expect(problems({ ...sent, _meta: null })).toEqual(["PromptRequest: something is null"]);
    expect(problems({ ...sent, mood: "good" })).toEqual(["PromptRequest has no mood"]);
    expect(problems({ ...sent, prompt: "do it" })).not.toEqual([]);
    expect(schemaProblems({ method: "session/begin" })).toEqual([
      "session/begin is no method of the protocol",
    ]);
    expect(schemaProblems({ result: { outcome: { outcome: "maybe" } } })).not.toEqual([]);
  });
});
