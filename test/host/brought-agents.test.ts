import { describe, expect, it, vi } from "vitest";
import { createLocalFleet } from "../../src/adapters/fleet/index.ts";
import { heldToPort } from "../../src/host/run/brought-agents.ts";
import { type Agent, type AgentEvent, because, type OrderEvent, ok } from "../../src/ports/index.ts";
import { scriptedAgent } from "../../src/testing/scripted-agent.ts";
import { agentRequest } from "../adapters/agent-fixtures.ts";
import { LIMITS, order } from "../order.ts";

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

describe("what agents of a program leave open", () => {
  const limits = { ...LIMITS, graceMs: 20 };
  const never = new Promise<never>(() => {});

  /** A session of an agent that hangs wherever it can, with the first end that is told of its turn. */
  async function hung(given: Partial<typeof limits>) {
    const mine: Agent = {
      ...scriptedAgent("mine").agent,
      open: async () =>
        ok({
          async *turn() {
            yield { type: "line", stream: "stdout", text: "at work" } as const;
            await never;
          },
          cancel: () => never,
          close: () => never,
        }),
    };
    const opened = await heldToPort(mine).open(agentRequest({ limits: { ...limits, ...given } }));
    if (!opened.ok) throw new Error(opened.failure.message);
    const events: AgentEvent[] = [];
    const done = (async () => {
      for await (const event of opened.value.turn("go")) events.push(event);
    })();
    return { session: opened.value, events, done };
  }

  it.each([
    ["wall-clock", { wallMs: 30 }],
    ["idle", { idleMs: 30 }],
  ])("[HO326] a turn that never ends is ended for it: %s", async (kind, given) => {
    const { events, done } = await hung(given);
    await done;
    expect(events.map(({ type }) => type)).toEqual(["line", "ended"]);
    expect(events[1]).toMatchObject({ end: { kind: "failed", failure: { kind, retryable: true } } });
  });

  it.each(["soft", "hard"] as const)(
    "[HO326] a %s cancel ends a turn that does not heed it, and so does a close",
    async how => {
      const { session, events, done } = await hung({});
      await session.cancel(how);
      await done;
      expect(events.at(-1)).toMatchObject({ end: { failure: { kind: "cancelled" } } });
      await session.close();
    },
  );

  it("[HO426] one that does not say whether it is there is not there", async () => {
    vi.useFakeTimers();
    try {
      const { agent } = scriptedAgent("mine");
      const probing = heldToPort({ ...agent, probe: () => never }).probe();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await probing).toEqual({
        found: false,
        problem: "mine made no progress for 20 s",
        reason: because("agent-late", { agent: "mine", ms: 20_000, why: "no-progress" }),
      });
      expect(await heldToPort(agent).probe()).toEqual(await agent.probe());
    } finally {
      vi.useRealTimers();
    }
  });
});
