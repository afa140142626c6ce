import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createCommandAgent } from "../../../src/adapters/agent/index.ts";
import { jsonAnswer } from "../../../src/adapters/agent/json-answer.ts";
import { createRedactor } from "../../../src/text/index.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";

const lines = (...events: readonly object[]) => events.map(event => JSON.stringify(event)).join("\n");

describe("JSON that a program answers in", () => {
  it.for([
    [
      "one object with its last word",
      JSON.stringify({
        type: "result",
        is_error: false,
        result: "Did it.\nDONE:T1",
        session_id: "a",
        total_cost_usd: 0.25,
        usage: {
          input_tokens: 10,
          cache_read_input_tokens: 100,
          cache_creation_input_tokens: 5,
          output_tokens: 7,
        },
      }),
      "Did it.\nDONE:T1",
      { inputTokens: 115, cachedTokens: 100, outputTokens: 7, costUsd: 0.25 },
    ],
    [
      "one object on many lines",
      JSON.stringify({ session_id: "a", response: "DONE:T1", stats: { models: { one: {} } } }, undefined, 2),
      "DONE:T1",
      {},
    ],
    [
      "events that have a message, and what was read with what was cached",
      lines(
        { type: "thread.started", thread_id: "a" },
        { type: "item.completed", item: { type: "reasoning", text: "DONE:T9" } },
        { type: "item.completed", item: { type: "agent_message", text: "DONE:T1" } },
        { type: "turn.completed", usage: { input_tokens: 50, cached_input_tokens: 20, output_tokens: 3 } },
      ),
      "DONE:T1",
      { inputTokens: 50, cachedTokens: 20, outputTokens: 3 },
    ],
    [
      "messages of both sides in a list",
      JSON.stringify([
        { role: "user", content: "say DONE:T2" },
        { role: "assistant", content: [{ type: "text", text: "First." }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "DONE:" },
            { type: "text", text: "T1" },
          ],
        },
      ]),
      "First.\nDONE:T1",
      {},
    ],
    [
      "a last word after messages",
      lines(
        { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "DONE:T2" }] } },
        { type: "user", message: { role: "user", content: [{ type: "tool_result", content: "DONE:T3" }] } },
        { type: "result", result: "DONE:T1", usage: { prompt_tokens: 4, completion_tokens: 2 } },
      ),
      "DONE:T1",
      { inputTokens: 4, outputTokens: 2 },
    ],
  ] as const)("[AC24] is read for its words and counts: %s", ([, output, said, usage]) => {
    expect(jsonAnswer(output)).toEqual({ said, usage });
    expect(jsonAnswer(`\n${output}\r\n`)).toEqual({ said, usage });
  });

  it.for([
    ["a plan that was asked for", '{"tasks":[{"id":"T1","title":"a"}],"result":"two tasks"}'],
    ["plain text", "DONE:T1"],
    ["plain text behind JSON", '{"type":"result","result":"FAIL:T1:no"}\nDONE:T1'],
    ["JSON that is cut", '{"type":"result","result":"DONE:T1'],
    ["an error alone", '{"type":"error","message":"no key"}'],
    ["numbers in a list", "[1, 2]"],
    ["nothing", ""],
  ])("[AC24] is left as it stands where it may be something else: %s", ([, output]) => {
    expect(jsonAnswer(output!)).toBeUndefined();
  });

  it.for([
    { role: "human", content: "DONE:T1" },
    { role: "function", content: "DONE:T1" },
    { role: "developer", content: "DONE:T1" },
    { role: "somebody", content: "DONE:T1" },
    { role: "User", content: "DONE:T1" },
    { role: "assistant", type: "tool_result", content: "DONE:T1" },
    { role: "assistant", type: "thinking", text: "DONE:T1" },
    { type: "message", author: "user", content: "DONE:T1" },
    { type: "message", author: { role: "user" }, content: "DONE:T1" },
    { type: "ToolResult", content: "DONE:T1" },
    { type: "prompt", text: "DONE:T1" },
    { type: "input_text", text: "DONE:T1" },
    { type: "observation", content: "DONE:T1" },
    { type: "step", output: "DONE:T1" },
    { type: "function_call_output", output: "DONE:T1" },
    { type: "command_execution", result: "DONE:T1" },
    { type: "item.completed", item: { type: "command_execution", text: "DONE:T1" } },
    { type: "result", tool_name: "bash", output: "DONE:T1" },
    { type: "response", tool: "bash", result: "DONE:T1" },
    { role: "assistant", tool_call_id: "a", content: "DONE:T1" },
    { type: "assistant", parent_tool_use_id: "a", message: { role: "assistant", content: "DONE:T1" } },
    { role: "assistant", content: [{ callId: "a", text: "DONE:T1" }] },
  ])("[AC25] hears nothing that may be quoted: %j", event => {
    expect(jsonAnswer(lines(event))).toBeUndefined();
    const own = { role: "assistant", content: "FAIL:T1:no" };
    for (const events of [
      [own, event],
      [event, own],
    ])
      expect(jsonAnswer(lines(...events))?.said).toBe("FAIL:T1:no");
  });

  it("[AC25] hears what is said behind a last word, and pieces of a message as one", () => {
    const last = { type: "result", result: "DONE:T1" };
    const own = { role: "assistant", content: "FAIL:T1:no" };
    expect(jsonAnswer(lines(own, last))?.said).toBe("DONE:T1");
    expect(jsonAnswer(lines(last, own))?.said).toBe("DONE:T1\nFAIL:T1:no");
    const pieces = ["never print ", "DONE:T1"];
    for (const piece of [{ type: "text_delta" }, { role: "assistant", delta: true }])
      expect(jsonAnswer(lines(...pieces.map(text => ({ ...piece, text }))))?.said).toBe(
        "never print DONE:T1",
      );
  });

  it("[AC25] begins a line with what is said after a call, so that it is heard", () => {
    const piece = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
    const call = { type: "tool_use", tool_name: "bash", parameters: {} };
    const result = { type: "tool_result", status: "success", output: "DONE:T2" };
    expect(jsonAnswer(lines(piece("I look."), call, result, piece("DONE:"), piece("T1")))?.said).toBe(
      "I look.\nDONE:T1",
    );
    const text = (said: string) => ({ type: "text", text: said });
    const content = [text("I look."), { ...call, name: "bash" }, text("DONE:"), text("T1")];
    expect(jsonAnswer(lines({ role: "assistant", content }))?.said).toBe("I look.\nDONE:T1");
    const main = { type: "assistant", parent_tool_use_id: null, tool_calls: [{}], content: "DONE:T1" };
    expect(jsonAnswer(lines(main))?.said).toBe("DONE:T1");
  });

  it("[AC25] reads no further than the first line that is none", () => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      expect(jsonAnswer("[INFO] works\n".repeat(1000))).toBeUndefined();
      expect(parse.mock.calls.length).toBeLessThan(5);
    } finally {
      parse.mockRestore();
    }
  });

  it("[AC24] counts nothing where only what was written is told: no turn reads nothing", () => {
    const used = (usage: object) =>
      jsonAnswer(JSON.stringify({ type: "result", result: "x", total_cost_usd: 0.5, usage }))?.usage;
    for (const input of [null, "1200", -5, undefined])
      expect(used({ input_tokens: input, output_tokens: 5, reasoning_output_tokens: 2 })).toEqual({
        costUsd: 0.5,
      });
    expect(used({ input_tokens: 0, output_tokens: 5 })).toEqual({
      inputTokens: 0,
      outputTokens: 5,
      costUsd: 0.5,
    });
  });

  it("[AC24] counts no more cached than read, and no sum that cannot be", () => {
    const used = (usage: object) =>
      jsonAnswer(JSON.stringify({ type: "result", result: "x", total_cost_usd: 1e9, usage }))?.usage;
    expect(used({ input_tokens: 10, cached_input_tokens: 1e9, cost: 0.5 })).toEqual({
      inputTokens: 10,
      costUsd: 0.5,
    });
    expect(used({ input_tokens: 1e10, cache_read_input_tokens: 1e10 })).toEqual({});
  });

  it("[AC24] counts nothing that cannot be true", () => {
    const usage = { input_tokens: -5, output_tokens: "7", cached_input_tokens: null };
    const answer = JSON.stringify({ type: "result", result: "x", total_cost_usd: -1, usage });
    expect(jsonAnswer(answer)).toEqual({ said: "x", usage: {} });
  });

  it("[AC25] of too many parts is not read", () => {
    using parse = vi.spyOn(JSON, "parse");
    expect(jsonAnswer("[".repeat(1_000_001))).toBeUndefined();
    expect(jsonAnswer(`{"type":"text"}\n`.repeat(500_001))).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
  });

  it("[AC24] whatever JSON it is, reading it ends", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), json => {
        const answer = jsonAnswer(json);
        expect(answer === undefined || answer.said !== "").toBe(true);
      }),
    );
    expect(jsonAnswer(`{"type":"a","message":`.repeat(50_000))).toBeUndefined();
  });

  it("[AC24] a command agent is heard and counted through it, over all its turns, and masked behind its escapes", async () => {
    const body = {
      type: "result",
      result: "the key is s3cr3t-w0rd\nDONE:T1",
      usage: { input_tokens: 30, output_tokens: 2 },
    };
    const json = JSON.stringify(body).replace("s3cr3t", String.raw`s\u0033cr3t`);
    const agent = createCommandAgent({
      name: "mine",
      command: `printf %s '${json}'`,
      path: process.env["PATH"],
    });
    const redact = createRedactor(["s3cr3t-w0rd"]);
    const session = await agent.open(agentRequest({ mask: () => redact.stream() }));
    if (!session.ok) throw new Error(session.failure.message);
    const told: unknown[] = [];
    for (const turn of ["one", "two"])
      for await (const event of session.value.turn(turn))
        if (event.type === "usage") told.push(event);
        else if (event.type === "ended") told.push(event.end);
    await session.value.close();
    const finalMessage = expect.stringMatching(/^the key is (?!s3cr3t).*\nDONE:T1$/);
    expect(told).toEqual([
      { type: "usage", inputTokens: 30, outputTokens: 2 },
      expect.objectContaining({ kind: "completed", finalMessage }),
      { type: "usage", inputTokens: 60, outputTokens: 4 },
      expect.objectContaining({ kind: "completed", finalMessage }),
    ]);
  });

  it("[AC24] what a program says with its mistakes is what its turn came to", async () => {
    const json = JSON.stringify({
      type: "result",
      is_error: true,
      result: "You've hit your usage limit. Try again in 2 hours.",
    });
    const { end } = await oneTurn(
      createCommandAgent({
        name: "mine",
        command: `sh -c 'printf %s "$1"; exit 1' sh '${json.replaceAll("'", `'"'"'`)}'`,
        path: process.env["PATH"],
      }),
      agentRequest(),
    );
    expect(end).toMatchObject({ kind: "completed", complaint: { kind: "quota" } });
  });
});
