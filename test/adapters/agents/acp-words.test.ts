import { describe, expect, it } from "vitest";
import { wordedFailure } from "../../../src/adapters/agent/acp/failure.ts";
import { promptUsage, stepUsage } from "../../../src/adapters/agent/acp/updates.ts";
import { createEventQueue } from "../../../src/adapters/agent/event-queue.ts";
import { complaintIn } from "../../../src/adapters/agent/stderr-complaint.ts";
import { createToolCalls } from "../../../src/adapters/agent/tool-calls.ts";
import { growth, LINEAR } from "../../growth.ts";

describe("tokens that the protocol does not name", () => {
  it("are counted with those from a cache, whether an agent counts them among the others or beside them", () => {
    const beside = { inputTokens: 100, outputTokens: 20, cachedReadTokens: 40, cachedWriteTokens: 5 };
    expect(promptUsage({ usage: { ...beside, totalTokens: 165 } })).toEqual({
      inputTokens: 145,
      outputTokens: 20,
      cachedTokens: 40,
    });
    expect(promptUsage({ usage: { ...beside, totalTokens: 120 } })?.inputTokens).toBe(100);
    expect(promptUsage({ usage: beside })?.inputTokens).toBe(145);
  });

  it("are told step by step by some, in the extras of a message", () => {
    const usage = { inputTokens: 140, outputTokens: 20, cachedReadTokens: 40, thoughtTokens: 0 };
    const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "" } };
    expect(stepUsage({ ...chunk, _meta: { usage } })).toEqual({
      inputTokens: 140,
      outputTokens: 20,
      cachedTokens: 40,
      reasoningTokens: 0,
    });
    expect(stepUsage({ ...chunk, sessionUpdate: "tool_call", _meta: { usage } })).toBeUndefined();
    expect(stepUsage(chunk)).toBeUndefined();
    expect(stepUsage({ ...chunk, _meta: { usage: { inputTokens: -1 } } })).toBeUndefined();
  });
});

describe("an error that is said as if it were an answer", () => {
  const ended = { stopReason: "end_turn" };
  it.each([
    ["Error: 429 You have hit your usage limit. Try again in 5 minutes.", "quota"],
    ["Info: Retrying...Error: Authentication failed with provider (HTTP 401).", "auth"],
    ["Error: 529 Overloaded", "overloaded"],
    ["Info: Retrying...Error: Could not connect to the provider.", "exit"],
    ["I was about toError: Failed to get response from the AI model; retried 5 times", "exit"],
  ])("%s is %s", (message, kind) => {
    expect(wordedFailure("copilot", message, ended)).toMatchObject({ kind });
  });

  it("is an answer where tokens were counted, where the turn did not end in order, and where it is about other things", () => {
    const quota = "Error: 429 too many requests";
    expect(wordedFailure("copilot", quota, { ...ended, usage: { inputTokens: 1 } })).toBeUndefined();
    expect(wordedFailure("copilot", quota, { stopReason: "cancelled" })).toBeUndefined();
    expect(wordedFailure("copilot", "I fixed it. Error: 429 is gone", ended)).toBeUndefined();
    expect(wordedFailure("copilot", "rate limit", ended)).toBeUndefined();
  });
});

describe("what an agent tells on its standard error only", () => {
  it("is an obstacle in the words of Gemini CLI and of OpenCode", () => {
    const json = '{"error":{"code":429,"message":"Slow down."}}';
    expect(
      complaintIn(`Attempt 2 failed with status 429. Retrying with backoff... _ApiError: ${json}`),
    ).toEqual({
      said: "Slow down.",
      status: 429,
    });
    expect(complaintIn("Attempt 1 failed with status 503. Retrying with backoff... {half")).toMatchObject({
      status: 503,
    });
    const log = (rest: string) => `timestamp=t level=ERROR run=1 ${rest}`;
    expect(complaintIn(log('message="stream error" error.error="AI_APICallError: No."'))).toEqual({
      said: "AI_APICallError: No.",
    });
    expect(complaintIn(log('message="stream error" error.error="cut off'))).toEqual({ said: "cut off" });
  });

  it.each([
    "",
    "Attempt to read a file",
    "I said: Attempt 1 failed with status 429",
    'timestamp=t level=WARN message="stream error" error.error="x"',
    'timestamp=t level=ERROR message="stream error"',
    'timestamp=t level=ERROR small=true message="stream error" error.error="x"',
    'timestamp=t level=ERROR message="other" error.error="x"',
  ])("is nothing else: %s", line => {
    expect(complaintIn(line)).toBeUndefined();
  });

  it("is read in linear time, however long a line is", () => {
    const error = (size: number) =>
      ` level=ERROR message="stream error" error.error="${"x".repeat(5 * size)}`;
    for (const lineOf of [(size: number) => "Attempt ".repeat(size), error])
      expect(growth(100_000, lineOf, complaintIn)).toBeLessThan(LINEAR);
  });
});

describe("a tool call", () => {
  it("ends under the better name that it was asked for by", async () => {
    const queue = createEventQueue(() => {});
    const calls = createToolCalls(queue);
    calls.hear({ id: "1", kind: "execute", title: "Shell", state: "started" });
    calls.rename("1", "npm test");
    calls.rename("1", "");
    calls.rename("2", "nobody");
    for (const id of ["1", "2"]) calls.hear({ id, state: "done" });
    queue.end({ kind: "completed", finalMessage: "", exitCode: 0, outputBytes: 0 });
    const titles: string[] = [];
    for await (const event of queue.events) if (event.type === "tool") titles.push(event.title);
    expect(titles).toEqual(["Shell", "npm test", ""]);
  });
});
