import { describe, expect, it } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { heldToPort } from "../../src/host/run/brought-agents.ts";
import { type Agent, type AgentEvent, because, type OrderEvent, ok } from "../../src/ports/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { order } from "../order.ts";

/** All that is told of the order of an agent which tells that. */
async function toldBy(...said: readonly unknown[]): Promise<readonly OrderEvent[]> {
  const mine: Agent = {
    ...scriptedAgent("mine").agent,
    open: async () =>
      ok({
        async *turn() {
          yield* said as AgentEvent[];
        },
        cancel: async () => {},
        close: async () => {},
      }),
  };
  const fleet = createLocalFleet({ agents: new Map([["mine", heldToPort(mine)]]) });
  await fleet.submit(order({ agent: "mine" }));
  await fleet.tell("tokenx/1", { type: "end" });
  const events = [];
  for await (const { event } of fleet.follow("tokenx/1", 1)) events.push(event);
  return events;
}

describe("what agents of a program tell", () => {
  it.each([
    ["nothing", null, "event: Invalid input: expected object, received null"],
    [
      "a session that is no text",
      { type: "session", id: { a: 1 } },
      "session.id: Invalid input: expected string, received object",
    ],
    [
      "a stream of its own",
      { type: "line", stream: "x", text: "" },
      'line.stream: Invalid option: expected one of "stdout"|"stderr"',
    ],
    [
      "an end of no kind",
      { type: "ended", end: null },
      "ended.end: Invalid input: expected object, received null",
    ],
    [
      "a failure without words",
      { type: "ended", end: { kind: "failed", finalMessage: "" } },
      "ended.end.failure: Invalid input: expected object, received undefined",
    ],
    [
      "words that are a number",
      { type: "line", stream: "stdout", text: 5 },
      "line.text: Invalid input: expected string, received number",
    ],
    ["no end", { type: "line", stream: "stdout", text: "" }, "ended: a turn ends with it"],
  ])("[HO100] ends the order of an agent that tells %s", async (_, told, said) => {
    const events = await toldBy(told);
    const failure = {
      kind: "unsuitable",
      retryable: false,
      reason: because("agent-event", { agent: "mine", said }),
    };
    expect(events.slice(-2)).toMatchObject([
      { type: "ended", end: { kind: "failed", failure } },
      { type: "closed" },
    ]);
  });

  it.each([
    { type: "of a later version" },
    { type: "usage", inputTokens: Number.NaN },
    { type: "line", stream: "stdout", text: "", at: { what: "is beside it" } },
  ])("[HO100] takes no offence at %o", async told => {
    const end = { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0, mine: 1 };
    const events = await toldBy(told, { type: "ended", end });
    expect(events.slice(-3)).toEqual([told, { type: "ended", end }, { type: "closed" }]);
  });

  it("[HO101] takes a field that is set to undefined for one that is not there", async () => {
    const usage = { type: "usage", inputTokens: 5, costUsd: undefined };
    const said = {
      kind: "exit",
      message: "out of memory",
      retryable: true,
      exitCode: 137,
      signal: undefined,
    };
    for (const end of [
      { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0, complaint: undefined },
      { kind: "failed", finalMessage: "", failure: said },
    ]) {
      const events = await toldBy(usage, { type: "ended", end });
      expect(events.slice(-3)).toEqual([usage, { type: "ended", end }, { type: "closed" }]);
    }
    const events = await toldBy({ type: "session", id: undefined });
    expect(JSON.stringify(events.at(-2))).toContain("session.id: Invalid input: expected string");
  });
});
