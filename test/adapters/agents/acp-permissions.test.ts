import { describe, expect, it } from "vitest";
import { answerPermission, questionOf } from "../../../src/adapters/agent/acp/permission.ts";
import { type Permissions, POLICIES } from "../../../src/adapters/agent/permissions.ts";
import type { SessionRequest } from "../../../src/ports/index.ts";
import { sampleOf } from "../../sample.ts";
import { agentRequest } from "../agent-fixtures.ts";
import { failureOf, methods, QUICK, type Talk, talkTo, turn } from "./acp-talk.ts";

describe("permissions over the protocol", () => {
  const asks = async (policy: Permissions, text: string, given: Partial<SessionRequest> = {}) => {
    const talk = await talkTo("asks", given, { settings: { permissions: policy } });
    const { end, events } = await turn(talk, text);
    return {
      outcome: JSON.parse(end.finalMessage),
      told: events.filter(event => event.type === "permission"),
    };
  };

  it.each(
    sampleOf(
      [
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
      ] as const,
      0,
      3,
      4,
      6,
      7,
      8,
    ),
  )("%s answers %s with %s", async (policy, text, optionId) => {
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

  it.each(
    sampleOf(
      [
        ["not-asked", [begun("read"), asked(), begun("edit"), told("completed")]],
        ["not-asked", [begun("edit"), told("in_progress")]],
        ["not-heeded", [begun("edit"), asked(), told("completed")]],
      ] as const,
      0,
      2,
    ),
  )(
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

  it("[AC26] what an agent of which nothing is known does unasked, which a person was to be asked for, is told once", async () => {
    const options = { settings: { permissions: POLICIES["allow-edits"] }, isUnknown: true };
    const talk = await talkTo("plays", {}, options);
    const seen = async () => {
      const { end, events } = await play(talk, [
        begun("execute"),
        told("completed"),
        begun("edit"),
        told("completed"),
      ]);
      expect(end.kind).toBe("completed");
      return events.filter(({ type }) => type === "permission");
    };
    expect(await seen()).toEqual([
      { type: "permission", kind: "execute", title: "at work", answer: "allowed", by: "nobody" },
    ]);
    expect(await seen()).toEqual([]);
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
    expect(title(7)).toBe('looks around {"command":7}');
    expect(title("x".repeat(5_000))).toHaveLength(1_000);
  });

  it("[AC20] answers and cancels are held against the schema that the protocol publishes", () => {
    expect([...methods]).toEqual(expect.arrayContaining(["an answer", "session/cancel"]));
  });
});
