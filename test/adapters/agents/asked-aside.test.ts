import { describe, expect, it } from "vitest";
import { createAnswers } from "../../../src/adapters/agent/acp/answers.ts";
import { beginTurn, hearEnd, hearTurn } from "../../../src/adapters/agent/acp/current.ts";
import { answerPermission } from "../../../src/adapters/agent/acp/permission.ts";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import type { Fields } from "../../../src/adapters/agent/fields.ts";
import { type Permissions, POLICIES } from "../../../src/adapters/agent/permissions.ts";
import { growth, LINEAR } from "../../growth.ts";
import { agentRequest } from "../agent-fixtures.ts";

/** A request about a call with a person's answer, or an update of a call. */
type Step =
  | { readonly ask: object; readonly answer: "allowed" | "rejected" }
  | { readonly tell: object; readonly status: string };

const allowed = (ask: object, id = "p1"): Step => ({ ask: { toolCallId: id, ...ask }, answer: "allowed" });
const refused = (ask: object, id = "p1"): Step => ({ ask: { toolCallId: id, ...ask }, answer: "rejected" });
const does = (tell: object, id = "c1", status = "completed"): Step => ({
  tell: { toolCallId: id, ...tell },
  status,
});

const make = { kind: "execute", title: "Make it", rawInput: { command: "make it" } };
const write = { kind: "edit", title: "Write", locations: [{ path: "src/a.ts" }] };
const page = { kind: "fetch", title: "Fetch", rawInput: { url: "https://example.org/a" } };
const bash = { kind: "execute", title: "bash" };
const long = (end: string) => ({ ...bash, rawInput: { command: `make ${"x".repeat(10_000)}${end}` } });
const options = [
  { optionId: "once", kind: "allow_once" },
  { optionId: "no", kind: "reject_once" },
];
const { ask, deny } = POLICIES;

/** A turn of these steps under a policy: why it is ended, and what is told of it as done unasked. */
async function turnOf(permissions: Permissions, steps: readonly Step[], isKnown = false) {
  const queue = createEventQueue(() => {});
  const { cwd } = agentRequest();
  const judgedBy = { permissions, cwd, isKnown, unasked: new Set<never>(), isOurs: () => false };
  const turn = beginTurn("puppet", queue, {
    giveUp: () => {},
    judgedBy,
    patienceMs: undefined,
    mask: undefined,
  });
  for (const step of steps) {
    if ("ask" in step) {
      const request = agentRequest({ ask: async () => ({ answer: step.answer, by: "person" }) });
      await answerPermission({ toolCall: step.ask, options }, request, permissions, turn);
    } else {
      const { tell, status } = step;
      hearTurn(turn, { update: { sessionUpdate: "tool_call", status: "in_progress", ...tell } });
      hearTurn(turn, { update: { sessionUpdate: "tool_call_update", ...tell, status } });
    }
  }
  hearEnd(turn);
  queue.end({ kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 });
  const unasked: string[] = [];
  for await (const event of queue.events)
    if (event.type === "permission" && event.answer === "allowed" && event.by === "nobody")
      unasked.push(event.title);
  return { reason: turn.overstep?.reason, unasked };
}

describe("an agent that asks under one id and acts under another", () => {
  it.each<readonly [string, readonly Step[]]>([
    ["runs the command", [allowed(make), does(make)]],
    ["runs it under another title", [allowed(make), does({ ...make, title: "Shell" })]],
    [
      "tells the command in the title it asks with",
      [allowed({ ...make, title: "make it", rawInput: {} }), does(make)],
    ],
    [
      "edits the file, by its whole path",
      [
        allowed(write),
        does({ ...write, title: "edit", locations: [{ path: `${agentRequest().cwd}/src/a.ts` }] }),
      ],
    ],
    ["fetches the page", [allowed(page), does(page)]],
    ["asks without an id", [allowed(make, ""), does(make)]],
    ["runs it twice, allowed twice", [allowed(make), does(make), allowed(make, "p2"), does(make, "c2")]],
    ["is refused, asks again and is allowed", [refused(make), allowed(make, "p2"), does(make)]],
    ["tells no end", [allowed(make), does(make, "c1", "in_progress")]],
  ])("[AC28] and %s as it was let asked for it", async (_, steps) => {
    expect(await turnOf(ask, steps)).toEqual({ reason: undefined, unasked: [] });
  });

  it.each<readonly [string, readonly Step[], string]>([
    ["another command", [allowed(make), does({ ...make, rawInput: { command: "make all" } })], "make all"],
    ["another file", [allowed(write), does({ ...write, locations: [{ path: "b.ts" }] })], "Write"],
    ["something of another kind", [allowed(make), does({ ...write, title: "make it" })], "make it"],
    ["the same a second time", [allowed(make), does(make), does(make, "c2")], "make it"],
    ["what the id it asked under did", [allowed(make), does(make, "p1"), does(make)], "make it"],
  ])("[AC28] and does %s, which nobody was asked for, has that told", async (_, steps, title) => {
    expect(await turnOf(ask, steps)).toEqual({ reason: undefined, unasked: [title] });
  });

  it.each<readonly [string, Permissions, readonly Step[], string]>([
    ["runs it", ask, [refused(make), does(make)], "execute"],
    ["edits it", ask, [refused(write), does(write)], "edit"],
    ["fetches it", deny, [refused(page), does(page)], "fetch"],
    [
      "has told that the request failed",
      ask,
      [refused(make), does({}, "p1", "failed"), does(make)],
      "execute",
    ],
    ["asks without an id", ask, [refused(make, ""), does(make)], "execute"],
    ["tells no end", ask, [refused(make), does(make, "c1", "in_progress")], "execute"],
    ["calls it nothing", ask, [refused(make), does({ title: "make it" })], "execute"],
    ["calls an edit nothing", ask, [refused(write), does({ ...write, kind: "other" })], "edit"],
    [
      "was let do it once before",
      ask,
      [allowed(make), does(make), refused(make, "p2"), does(make, "c2")],
      "execute",
    ],
  ])("[AC28] and is refused, and %s all the same, is ended", async (_, policy, steps, kind) => {
    expect((await turnOf(policy, steps)).reason).toMatchObject({ code: "not-heeded", args: { kind } });
    expect((await turnOf(policy, steps, true)).reason?.code).not.toBe("not-heeded");
  });

  it.each<readonly [string, readonly Step[]]>([
    ["asks for it under its own id", [refused(make), allowed(make, "c1"), does(make)]],
    ["tells that it failed", [refused(make), does(make, "c1", "failed")]],
    ["reads the file", [refused(write), does({ ...write, kind: "read" })]],
    ["does something that it calls nothing", [refused(make), does({ title: "thinks" })]],
    [
      "is let do it later, and calls it nothing",
      [refused(make), allowed(make, "p2"), does({ title: "make it" })],
    ],
    [
      "is let do it later under what it calls nothing",
      [refused(make), allowed({ title: "make it" }, "p2"), does({}, "p2")],
    ],
    [
      "is let do it later under what it calls nothing, and does that so, too",
      [refused(make), allowed({ title: "make it" }, "p2"), does({ title: "make it" })],
    ],
  ])("[AC28] and is refused, and %s, goes on", async (_, steps) => {
    expect(await turnOf(ask, steps)).toEqual({ reason: undefined, unasked: [] });
  });

  it.each<readonly [string, readonly Step[], string]>([
    [
      "was let do it later, and does it twice",
      [refused(make), allowed(make, "p2"), does(make, "p2"), does(make)],
      "make it",
    ],
    [
      "was let do it later, and does it under two ids",
      [refused(make), allowed(make, "p2"), does(make), does(make, "c2")],
      "make it",
    ],
    [
      "names only its tool where it asks",
      [refused(bash), does({ ...bash, rawInput: { command: "ls" } })],
      "ls",
    ],
    [
      "names only its tool where it acts",
      [refused({ ...bash, rawInput: { command: "rm -r x" } }), does(bash)],
      "bash",
    ],
    ["names only its tool", [refused(bash), does(bash)], "bash"],
    ["tells as much as is kept of two commands", [refused(long("a")), does(long("b"))], "make"],
  ])("[AC28] and was refused, and %s, goes on, which is told", async (_, steps, title) => {
    expect(await turnOf(ask, steps)).toEqual({
      reason: undefined,
      unasked: [expect.stringContaining(title)],
    });
  });

  it("[AC28] takes as long for each call, however many it asked for and made", () => {
    const callOf = (at: number): Fields => ({ ...make, rawInput: { command: `make ${at}` } });
    const play = (size: number) => {
      const answers = createAnswers("/work");
      const found: unknown[] = [];
      for (let at = 0; at < size; at++)
        answers.given(`p${at}`, "execute", callOf(at), at % 2 === 0 ? "rejected" : "allowed");
      for (let at = 0; at < size; at++) found.push(answers.take("execute", callOf(at)));
      return found.filter(answer => answer === "allowed").length;
    };
    expect(play(100)).toBe(50);
    expect(growth(2_000, size => size, play)).toBeLessThan(LINEAR);
  });
});
