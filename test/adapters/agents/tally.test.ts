import { describe, expect, it } from "vitest";
import { usageIn } from "../../../src/adapters/agent/acp/ledger.ts";
import { hearUpdate, promptUsage, stepUsage } from "../../../src/adapters/agent/acp/updates.ts";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import { createSaid } from "../../../src/adapters/agent/said-lines.ts";
import { createTally, type TallyOptions } from "../../../src/adapters/agent/tally.ts";
import { createToolCalls } from "../../../src/adapters/agent/tool-calls.ts";
import type { AgentEvent, AgentProblem, AgentUsage, TurnEnd } from "../../../src/ports/index.ts";

const session: AgentEvent = { type: "session", id: "s" };
const begins: AgentEvent = { type: "tool", id: "t", kind: "execute", title: "npm test", state: "started" };
const ends: AgentEvent = { ...begins, state: "done" };
const says: AgentEvent = { type: "line", stream: "stdout", text: "DONE" };
const used = (usage: AgentUsage): AgentEvent => ({ type: "usage", ...usage });
const done: TurnEnd = { kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 };
const failed = (kind: AgentProblem): TurnEnd => ({
  kind: "failed",
  failure: { kind, message: "", retryable: true },
  finalMessage: "",
});

/** What a session of such turns is counted to have used, after each event that says something of it. */
function counts(
  options: TallyOptions,
  ...turns: readonly (readonly [TurnEnd, ...AgentEvent[]])[]
): AgentUsage[] {
  const tally = createTally(options);
  const told: AgentUsage[] = [];
  for (const [end, ...events] of turns) {
    tally.began("do it");
    for (const event of [...events, { type: "ended", end } as const])
      for (const heard of tally.hear(event)) {
        const { type, ...usage } = heard;
        if (type === "usage") told.push(usage as AgentUsage);
      }
  }
  return told;
}

const lastOf = (...given: Parameters<typeof counts>) => counts(...given).at(-1);

describe("what an agent counts", () => {
  it("[AC12] is taken as it is where it is about the whole turn", () => {
    const count = used({ inputTokens: 690, outputTokens: 81, cachedTokens: 390 });
    expect(lastOf({ tells: "turn" }, [done, session, begins, ends, begins, ends, count, says])).toEqual({
      inputTokens: 690,
      outputTokens: 81,
      cachedTokens: 390,
      estimatedTokens: 0,
    });
  });

  it("[AC12] of its last call stands for each call before, and is marked", () => {
    const count = used({ inputTokens: 320, outputTokens: 34 });
    const turn = [done, session, begins, ends, begins, ends, says, count] as const;
    const whole = { inputTokens: 960, outputTokens: expect.any(Number), estimatedTokens: expect.any(Number) };
    expect(lastOf({ tells: "last" }, turn)).toMatchObject(whole);
    expect(lastOf({}, turn)?.estimatedTokens).toBeGreaterThanOrEqual(640);
    const [window, more] = [used({ contextUsed: 320 }), used({ contextUsed: 320 })];
    const last = [done, session, begins, ends, says, window, count, more] as const;
    expect(lastOf({}, last)).toMatchObject({ inputTokens: 640, estimatedTokens: 320 });
    const all = used({ inputTokens: 900, outputTokens: 34 });
    expect(lastOf({}, [done, session, begins, ends, says, window, all])).toMatchObject({ inputTokens: 900 });
  });

  it("[AC12] is counted call by call as it arrives", () => {
    const steps = counts({ tells: "turn" }, [
      failed("killed"),
      session,
      begins,
      used({ inputTokens: 140, outputTokens: 20 }),
      ends,
      begins,
    ]);
    expect(steps.map(({ inputTokens = 0, estimatedTokens = 0 }) => inputTokens - estimatedTokens)).toEqual(
      expect.arrayContaining([140]),
    );
    expect(steps.at(-1)?.inputTokens).toBeGreaterThan(280);
    expect(steps.at(-1)?.estimatedTokens).toBeGreaterThan(140);
  });

  it("[AC12] of messages holds what may be asked besides, for none, marked as estimated", () => {
    const turn = [
      session,
      begins,
      used({ inputTokens: 400 }),
      ends,
      used({ inputTokens: 1_000 }),
      says,
    ] as const;
    const exact = { asksAside: () => false };
    expect(lastOf(exact, [done, ...turn])).toMatchObject({ inputTokens: 1_000, estimatedTokens: 0 });
    // A quarter of 400 and of 600, and three times these 600.
    const aside = { asksAside: () => true };
    expect(lastOf(aside, [done, ...turn])).toMatchObject({ inputTokens: 3_050, estimatedTokens: 2_050 });
    expect(lastOf(aside, [failed("exit"), ...turn])).toMatchObject({ inputTokens: 1_250 });
  });

  it("[AC12] of earlier turns is kept beside what was never counted", () => {
    const count = used({ inputTokens: 500, outputTokens: 50 });
    const usage = lastOf({ tells: "turn" }, [failed("killed"), session, begins], [done, says, count]);
    expect((usage?.inputTokens ?? 0) - (usage?.estimatedTokens ?? 0)).toBeLessThanOrEqual(500);
    expect(usage?.inputTokens).toBeGreaterThan(8_500);
  });
});

describe("what an agent does not count", () => {
  it("[AC12] is by how full it said its window was, and else by what such programs take", () => {
    const window = used({ contextUsed: 25_000 });
    expect(lastOf({}, [failed("killed"), session, begins, window])).toMatchObject({ inputTokens: 25_000 });
    expect(lastOf({}, [failed("killed"), session, window, begins])?.inputTokens).toBeGreaterThan(24_000);
    expect(
      lastOf({}, [failed("killed"), session, used({ contextUsed: 0 }), begins])?.inputTokens,
    ).toBeGreaterThan(24_000);
    expect(lastOf({}, [failed("idle"), session])?.inputTokens).toBeGreaterThan(8_000);
    expect(lastOf({}, [done, session, says])?.estimatedTokens).toBeGreaterThan(8_000);
  });

  it("[AC12] is nothing where it was not let in, whatever it says of that, and where it did not begin", () => {
    const nothing = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };
    for (const kind of ["auth", "quota", "overloaded", "not-found"] as const)
      expect(lastOf({}, [failed(kind), session, says])).toMatchObject(nothing);
    // Who breaks the protocol before a session is open has asked no model; afterwards nobody knows.
    expect(lastOf({}, [failed("protocol")])).toMatchObject(nothing);
    expect(lastOf({}, [failed("protocol"), session, says])?.inputTokens).toBeGreaterThan(8_000);
    expect(lastOf({}, [failed("cancelled")])).toMatchObject(nothing);
    expect(lastOf({}, [failed("quota"), session, begins, ends, says])?.inputTokens).toBeGreaterThan(8_000);
  });

  it("[AC12] is what was sent and received by then, what tools were given and returned among it", () => {
    const readAfter = (bytes: object) =>
      lastOf({}, [done, session, begins, { ...ends, ...bytes } as AgentEvent, says])?.inputTokens ?? 0;
    const own = lastOf({}, [done, session, says])?.inputTokens ?? 0;
    expect(readAfter({ bytes: 90_000 }) - 2 * own).toBe(30_000);
    expect(readAfter({}) - 2 * own).toBe(1_000);
    expect(own).toBeGreaterThan(24_000);
  });

  it("[AC12] counts what an agent over the protocol shows of a tool, once", async () => {
    const queue = createEventQueue(() => {});
    const calls = createToolCalls(queue);
    const said = createSaid(queue, undefined);
    const hear = (update: object) => hearUpdate({ toolCallId: "t", ...update }, said, queue, calls.hear);
    const content = [
      { type: "content", content: { type: "text", text: "x".repeat(500) } },
      { type: "diff", path: "a.ts", newText: "y".repeat(9_000) },
    ];
    hear({ sessionUpdate: "tool_call", kind: "execute", rawInput: {} });
    hear({ sessionUpdate: "tool_call_update", rawInput: { command: "npm test" } });
    const rawOutput = { output: "x".repeat(500) };
    hear({ sessionUpdate: "tool_call_update", status: "completed", content, rawOutput });
    const given = JSON.stringify({ command: "npm test" }).length;
    queue.end(done);
    const told: AgentEvent[] = [];
    for await (const event of queue.events) told.push(event);
    expect(told).toMatchObject([
      { type: "tool", state: "started" },
      { type: "tool", state: "done", bytes: given + JSON.stringify(rawOutput).length },
      { type: "ended" },
    ]);
  });

  it("[AC12] is told to nobody as sizes of tools", () => {
    const tally = createTally();
    tally.began("do it");
    expect(tally.hear({ ...ends, bytes: 12 } as AgentEvent)[0]).toEqual(ends);
  });

  it("[AC12] is not forgotten because a cancelled turn tells nothing", () => {
    const nothing = used({ inputTokens: 0, outputTokens: 0 });
    expect(lastOf({}, [failed("cancelled"), session, begins, nothing])?.inputTokens).toBeGreaterThan(8_000);
  });
});

describe("counts that cannot be true", () => {
  it("[AC12] are refused", () => {
    for (const value of [-1, Number.NaN, 1e300, "7", null]) {
      const usage = { inputTokens: value, outputTokens: value };
      expect(promptUsage({ usage })).toBeUndefined();
      expect(stepUsage({ sessionUpdate: "agent_message_chunk", _meta: { usage } })).toBeUndefined();
    }
  });

  it("[AC12] what was thought is counted among what was written, once", () => {
    const usage = { inputTokens: 100, cachedReadTokens: 40, outputTokens: 20, thoughtTokens: 9 };
    const expected = { inputTokens: 140, outputTokens: 29, cachedTokens: 40, reasoningTokens: 9 };
    expect(promptUsage({ usage: { ...usage, totalTokens: 169 } })).toEqual(expected);
    expect(promptUsage({ usage: { ...usage, totalTokens: 160 } })).toEqual({ ...expected, outputTokens: 20 });
  });
});

describe("the books of a program", () => {
  const call = (created: number, input: number, output = 20) => ({
    info: {
      role: "assistant",
      time: { created },
      cost: 0.25,
      tokens: { input, output, reasoning: 5, cache: { read: 40, write: 0 } },
    },
  });
  const cut = { info: { role: "assistant", time: { created: 30 }, tokens: { input: 0, output: 0 } } };

  it("[AC13] are summed from when the attempt began, and a call that was cut off is estimated", () => {
    const messages = [{ info: { role: "user" } }, call(5, 900), call(10, 100), call(20, 100), cut];
    expect(usageIn(JSON.stringify({ messages }), 10)).toEqual({
      inputTokens: 280 + 165 + 1_000,
      outputTokens: 50,
      cachedTokens: 80,
      reasoningTokens: 10,
      estimatedTokens: 1_165,
      costUsd: 0.5,
    });
  });

  it("[AC13] that cannot be read, or show no call, count for nothing", () => {
    for (const printed of ["", "{", "[]", '{"messages":7}', JSON.stringify({ messages: [cut] })])
      expect(usageIn(printed, 0)).toBeUndefined();
    expect(usageIn(JSON.stringify({ messages: [call(1, -4, 1e300)] }), 0)).toMatchObject({ inputTokens: 40 });
  });
});
