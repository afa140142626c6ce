import { describe, expect, it } from "vitest";
import { beginTurn, hearEnd, hearTurn } from "../../../src/adapters/agent/acp/current.ts";
import type { Judge } from "../../../src/adapters/agent/acp/overstep.ts";
import { answerPermission, isOurs } from "../../../src/adapters/agent/acp/permission.ts";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import { type Permissions, POLICIES } from "../../../src/adapters/agent/permissions.ts";
import { agentRequest } from "../agent-fixtures.ts";

/** What an agent sends in its turn: an update of a call, or a request about one. */
type Step = { readonly tell: object } | { readonly ask: object };

const OPTIONS = [
  { optionId: "once", kind: "allow_once" },
  { optionId: "no", kind: "reject_once" },
];
const mcp = [{ name: "espalier", command: "/bin/true", args: [], env: {} }];

const judge = (permissions: Permissions): Judge => ({
  permissions,
  cwd: agentRequest({ mcp }).cwd,
  unasked: new Set(),
  isOurs: call => isOurs(call, mcp),
});

/** Why a turn of these steps is ended, if it is. */
async function played(policy: Permissions, steps: readonly Step[], judgedBy = judge(policy)) {
  return (await turnOf(policy, steps, judgedBy)).overstep?.reason;
}

/** A turn of these steps, with what it told of permissions. */
async function turnOf(policy: Permissions, steps: readonly Step[], judgedBy = judge(policy)) {
  const queue = createEventQueue(() => {});
  const turn = beginTurn("puppet", queue, {
    giveUp: () => {},
    judgedBy,
    patienceMs: undefined,
    mask: undefined,
  });
  for (const step of steps) {
    if ("tell" in step) hearTurn(turn, { update: { sessionUpdate: "tool_call_update", ...step.tell } });
    else
      await answerPermission({ toolCall: step.ask, options: OPTIONS }, agentRequest({ mcp }), policy, turn);
  }
  hearEnd(turn);
  queue.end({ kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 });
  const unasked: string[] = [];
  for await (const event of queue.events)
    if (event.type === "permission" && event.answer === "allowed" && event.by === "nobody")
      unasked.push(`${event.kind}: ${event.title}`);
  return { overstep: turn.overstep, unasked };
}

const begun = (kind?: string, more: object = {}) => ({
  tell: { sessionUpdate: "tool_call", toolCallId: "c1", kind, title: "at work", status: "pending", ...more },
});
const told = (more: object) => ({ tell: { toolCallId: "c1", ...more } });
const asked = (more: object = {}) => ({ ask: { toolCallId: "c1", ...more } });
const done = told({ status: "completed" });
const failed = told({ status: "failed" });
const atWork = { status: "in_progress" };
const command = { rawInput: { command: "echo x > f" } };
const ours = { kind: "execute", title: "mcp__espalier__add_context" };
const { deny, allow, ask } = POLICIES;
const edits = POLICIES["allow-edits"];
const commandless: Permissions = { ...edits, execute: "deny" };
const editless: Permissions = { ...allow, edit: "deny" };
const others = Array.from({ length: 1_500 }, (_, at) => ({ tell: { toolCallId: `r${at}`, kind: "read" } }));

describe("what an agent says it does, held against its policy", () => {
  it.each<readonly [string, Permissions, string, readonly Step[]]>([
    ["edits", deny, "edit", [begun("edit"), failed, begun("edit"), done]],
    ["deletes", deny, "edit", [begun("delete"), done]],
    ["moves", deny, "edit", [begun("move"), done]],
    ["fetches", deny, "fetch", [begun("fetch"), done]],
    ["runs a command, which it calls nothing", deny, "execute", [begun(undefined, command), done]],
    ["runs a command, which it calls other", commandless, "execute", [begun("other", command), done]],
    ["runs a command, which it calls reading", commandless, "execute", [begun("read", command), done]],
    ["edits by a command", editless, "edit", [begun("edit", command), done]],
    ["asks to read, and edits", deny, "edit", [asked({ kind: "read" }), begun("edit"), done]],
    ["asks to run, and edits", editless, "edit", [asked({ kind: "execute" }), begun("edit"), done]],
    ["asks once it is done", deny, "edit", [begun("edit"), done, asked()]],
    [
      "says in the end that it read",
      deny,
      "edit",
      [begun("edit"), told({ kind: "read", status: "completed" })],
    ],
    ["says in the end that it ran", editless, "edit", [begun("edit"), told({ kind: "execute" }), done]],
    ["tells no end", deny, "edit", [begun("edit", atWork)]],
    ["begins, and tells no more", deny, "edit", [begun("edit")]],
    ["begins, and tells of 1,500 others", deny, "edit", [begun("edit"), ...others]],
    [
      "uses the id of a call that was allowed",
      deny,
      "execute",
      [asked(ours), begun("execute"), done, begun("execute"), done],
    ],
  ])("[AC2] one that %s is ended", async (_, policy, kind, steps) => {
    expect(await played(policy, steps)).toMatchObject({ code: "not-asked", args: { agent: "puppet", kind } });
  });

  it.each<readonly [string, Permissions, string, readonly Step[]]>([
    ["edits", deny, "edit", [begun("edit"), asked(), done]],
    ["edits what it had not announced", deny, "edit", [asked({ kind: "move" }), done]],
    ["begins and tells no end", deny, "edit", [begun("edit"), asked(), told(atWork)]],
    ["runs a command", edits, "execute", [asked({ kind: "execute", ...command }), done]],
    ["edits elsewhere", edits, "edit", [asked({ kind: "edit", locations: [{ path: "/etc/hosts" }] }), done]],
  ])("[AC2] one that is refused and %s is ended", async (_, policy, kind, steps) => {
    expect(await played(policy, steps)).toMatchObject({
      code: "not-heeded",
      args: { agent: "puppet", kind },
    });
  });

  it.each<readonly [string, Permissions, readonly Step[]]>([
    ["reads", deny, [begun("read"), done, begun("search"), done, begun("think"), done]],
    ["does what may be anything", deny, [begun("other"), done, begun("switch_mode"), done, begun(), done]],
    ["fails", deny, [begun("edit"), failed, begun("execute", command), told({ status: "cancelled" })]],
    [
      "tells that the refused failed",
      deny,
      [begun("edit", { rawInput: {} }), told(command), asked(), failed],
    ],
    ["does not tell of the refused", deny, [asked({ kind: "execute", ...command }), asked({ kind: "edit" })]],
    ["goes on about the refused", deny, [begun("edit", atWork), asked(), told({ title: "not done" })]],
    ["does not write a call to its end", deny, [begun("edit", { rawInput: {} })]],
    ["looks with an editor", deny, [begun("read", { rawInput: { command: "view", path: "a.ts" } }), done]],
    ["uses the id of a call that failed", deny, [begun("edit"), failed, begun("read"), done]],
    ["uses our tool", deny, [asked(ours), begun("execute"), done, done]],
    ["does what is allowed", edits, [begun("edit"), done, begun("move"), done]],
    ["does not ask where it should", edits, [begun("execute", command), done, begun("read", command), done]],
  ])("[AC2] one that %s is not ended", async (_, policy, steps) => {
    expect(await played(policy, steps)).toBeUndefined();
  });

  it.each<readonly [string, Permissions, readonly Step[], readonly string[]]>([
    ["runs a command", edits, [begun("execute", command), done], ["execute: echo x > f"]],
    ["runs two", edits, [begun("execute", command), done, begun("execute"), done], ["execute: echo x > f"]],
    [
      "edits and runs",
      ask,
      [begun("edit"), done, begun("execute", command), done],
      ["edit: at work", "execute: echo x > f"],
    ],
    ["tells no end", edits, [begun("execute", { ...command, ...atWork })], ["execute: echo x > f"]],
    ["asks first", edits, [begun("execute", command), asked(), done], []],
    ["fails", edits, [begun("execute", command), failed], []],
    ["does what is allowed", edits, [begun("edit"), done], []],
    ["does what is denied", deny, [begun("edit"), done], []],
    ["reads", ask, [begun("read"), done], []],
    ["uses our tool", edits, [begun("execute", { title: ours.title }), done], []],
  ])(
    "[AC26] one that %s where a person is to be asked has it told, once for each kind",
    async (_, policy, steps, all) => {
      const judgedBy = judge(policy);
      expect((await turnOf(policy, steps, judgedBy)).unasked).toEqual(all);
      expect((await turnOf(policy, steps, judgedBy)).unasked).toEqual([]);
      expect((await turnOf(policy, steps, { ...judge(policy), isKnown: true })).unasked).toEqual([]);
    },
  );

  it.each([
    ["read", deny, "no"],
    ["other", deny, "no"],
    ["other", edits, "once"],
  ] as const)(
    "[AC1] what was announced as an edit is asked for as one, not as %s",
    async (kind, policy, optionId) => {
      const queue = createEventQueue(() => {});
      const judgedBy = judge(policy);
      const options = { giveUp: () => {}, judgedBy, patienceMs: undefined, mask: undefined };
      const turn = beginTurn("puppet", queue, options);
      hearTurn(turn, { update: begun("edit").tell });
      const request = { toolCall: asked({ kind }).ask, options: OPTIONS };
      const answer = await answerPermission(request, agentRequest(), policy, turn);
      expect(answer["outcome"]).toEqual({ outcome: "selected", optionId });
    },
  );
});
