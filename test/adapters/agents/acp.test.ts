import { describe, expect, it } from "vitest";
import { withOwn } from "../../../src/adapters/agent/own-surroundings.ts";
import type { AgentSettings } from "../../../src/adapters/agent/settings.ts";
import type { Agent } from "../../../src/ports/index.ts";
import { schemaProblems } from "./acp-schema.ts";
import { failureOf, methods, talkTo, turn } from "./acp-talk.ts";

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

describe("what we send", () => {
  it("[AC20] is held against the schema that the protocol publishes, all of it in these tests", () => {
    expect([...methods].sort()).toEqual([
      "initialize",
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
