import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createCommandAgent } from "../../../src/adapters/agent/index.ts";
import { jsonAnswer } from "../../../src/adapters/agent/json-answer.ts";
import { createRedactor } from "../../../src/text/index.ts";
import { agentRequest, oneTurn } from "../agent-fixtures.ts";

const lines = (...events: readonly object[]) => events.map(event => JSON.stringify(event)).join("\n");

/** A chunk of OpenAI's chat completions. */
const chunk = (id: string, delta: object, usage?: object) => ({
  id,
  object: "chat.completion.chunk",
  choices: [{ index: 0, delta, finish_reason: null }],
  ...(usage === undefined ? {} : { usage }),
});
/** A response of OpenAI's. */
const answered = (id: string, said: readonly string[]) => ({
  id,
  object: "response",
  status: "completed",
  output: [
    { type: "reasoning", id: "r", summary: [{ type: "summary_text", text: "DONE:T2" }] },
    ...said.map(text => ({
      type: "message",
      role: "assistant",
      content: [{ type: "output_text", text, annotations: [] }],
    })),
    { type: "function_call", call_id: "c", name: "bash", arguments: "DONE:T3" },
  ],
  usage: {
    input_tokens: 36,
    input_tokens_details: { cached_tokens: 6 },
    output_tokens: 87,
    output_tokens_details: { reasoning_tokens: 40 },
    total_tokens: 123,
  },
});
const goose = (id: string, text: string) => ({
  type: "message",
  message: { id, role: "assistant", created: 1, content: [{ type: "text", text }] },
});

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
    [
      "a chat completion, with what it thought",
      JSON.stringify({
        id: "chatcmpl-1",
        object: "chat.completion",
        model: "m",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "Did it.\nDONE:T1", tool_calls: [] },
            finish_reason: "stop",
          },
          { index: 1, message: { role: "assistant", content: "FAIL:T1:no" } },
        ],
        usage: {
          prompt_tokens: 20,
          completion_tokens: 9,
          total_tokens: 29,
          prompt_tokens_details: { cached_tokens: 8 },
          completion_tokens_details: { reasoning_tokens: 4 },
        },
      }),
      "Did it.\nDONE:T1",
      { inputTokens: 20, cachedTokens: 8, outputTokens: 9, reasoningTokens: 4 },
    ],
    [
      "chunks of two chat completions, one of which counts as it goes",
      lines(
        chunk("a", { role: "assistant", content: "" }),
        chunk("a", { content: "I look." }, { prompt_tokens: 10, completion_tokens: 1 }),
        chunk(
          "a",
          { tool_calls: [{ index: 0, function: { name: "bash", arguments: "DONE:T3" } }] },
          undefined,
        ),
        { ...chunk("a", {}, { prompt_tokens: 10, completion_tokens: 5 }), choices: [] },
        { role: "tool", tool_call_id: "c", content: "DONE:T2" },
        chunk("b", { role: "assistant", content: "DONE" }),
        chunk("b", { content: ":T1" }),
        chunk("b", {}, { prompt_tokens: 30, completion_tokens: 7 }),
      ),
      "I look.\nDONE:T1",
      { inputTokens: 40, outputTokens: 12 },
    ],
    [
      "a response",
      JSON.stringify(answered("resp_1", ["I look.", "DONE:T1"])),
      "I look.\nDONE:T1",
      { inputTokens: 36, cachedTokens: 6, outputTokens: 87, reasoningTokens: 40 },
    ],
    [
      "a response as a stream, which tells everything twice",
      lines(
        { type: "response.created", response: { ...answered("resp_1", []), usage: null } },
        { type: "response.output_text.delta", item_id: "i", delta: "DONE" },
        { type: "response.output_text.delta", item_id: "i", delta: ":T1" },
        { type: "response.output_text.done", item_id: "i", text: "DONE:T1" },
        { type: "response.completed", response: answered("resp_1", ["DONE:T1"]) },
      ),
      "DONE:T1",
      { inputTokens: 36, cachedTokens: 6, outputTokens: 87, reasoningTokens: 40 },
    ],
    [
      "a response as a stream that is cut",
      lines(
        { type: "response.created", response: { ...answered("resp_1", []), usage: null } },
        { type: "response.output_text.delta", item_id: "i", delta: "FAIL:T1" },
        { type: "response.output_text.delta", item_id: "i", delta: ":no" },
      ),
      "FAIL:T1:no",
      {},
    ],
    [
      "a chat of Ollama, in pieces, two calls",
      lines(
        { model: "m", created_at: "x", message: { role: "assistant", content: "I look" }, done: false },
        { model: "m", created_at: "x", message: { role: "assistant", content: "." }, done: false },
        {
          model: "m",
          message: { role: "assistant", content: "" },
          done: true,
          prompt_eval_count: 10,
          eval_count: 2,
        },
        { model: "m", message: { role: "assistant", content: "DONE:", thinking: "DONE:T2" }, done: false },
        {
          model: "m",
          message: { role: "assistant", content: "T1" },
          done: true,
          prompt_eval_count: 20,
          eval_count: 3,
        },
      ),
      "I look.\nDONE:T1",
      { inputTokens: 30, outputTokens: 5 },
    ],
    [
      "a generation of Ollama",
      lines(
        { model: "m", response: "DONE:", done: false },
        { model: "m", response: "T1", done: true, prompt_eval_count: 20, eval_count: 3 },
      ),
      "DONE:T1",
      { inputTokens: 20, outputTokens: 3 },
    ],
    [
      "Codex as it was",
      lines(
        { model: "gpt-5", workdir: "/w", provider: "openai" },
        { prompt: "say DONE:T2" },
        { id: "0", msg: { type: "agent_reasoning", text: "DONE:T3" } },
        { id: "0", msg: { type: "exec_command_end", stdout: "DONE:T4", call_id: "c" } },
        { id: "0", msg: { type: "agent_message_delta", delta: "DO" } },
        { id: "0", msg: { type: "agent_message", message: "First." } },
        {
          id: "0",
          msg: {
            type: "token_count",
            info: {
              total_token_usage: {
                input_tokens: 50,
                cached_input_tokens: 20,
                output_tokens: 9,
                reasoning_output_tokens: 3,
              },
              last_token_usage: { input_tokens: 5, output_tokens: 1 },
            },
          },
        },
        { id: "0", msg: { type: "agent_message", message: "DONE:T1" } },
        { id: "0", msg: { type: "task_complete", last_agent_message: "DONE:T1" } },
      ),
      "DONE:T1",
      { inputTokens: 50, cachedTokens: 20, outputTokens: 9, reasoningTokens: 3 },
    ],
    [
      "Codex as it was before that, cut before its last word",
      lines(
        { id: "0", msg: { type: "agent_message", message: "FAIL:T1:no" } },
        { id: "0", msg: { type: "token_count", input_tokens: 5, output_tokens: 1, total_tokens: 6 } },
      ),
      "FAIL:T1:no",
      { inputTokens: 5, outputTokens: 1 },
    ],
    [
      "Goose, all at once",
      JSON.stringify({
        messages: [
          { id: null, role: "user", content: [{ type: "text", text: "say DONE:T2" }] },
          {
            role: "assistant",
            content: [
              { type: "text", text: "I look." },
              { type: "toolRequest", id: "c" },
            ],
          },
          { role: "user", content: [{ type: "toolResponse", id: "c", text: "DONE:T3" }] },
          { role: "assistant", content: [{ type: "text", text: "DONE:T1" }] },
        ],
        metadata: { total_tokens: 35, input_tokens: 30, output_tokens: 5, status: "completed" },
      }),
      "I look.\nDONE:T1",
      { inputTokens: 30, outputTokens: 5 },
    ],
    [
      "Goose as a stream, whose older versions tell of the last call alone",
      lines(
        goose("1", "I look."),
        {
          type: "message",
          message: { id: "2", role: "user", content: [{ type: "toolResponse", text: "DONE:T3" }] },
        },
        { type: "notification", extension_id: "e", message: "DONE:T4" },
        goose("3", "DONE"),
        goose("3", ":T1"),
        { type: "complete", total_tokens: 35 },
      ),
      "I look.\nDONE:T1",
      {},
    ],
    [
      "Gemini CLI with its statistics",
      JSON.stringify({
        response: "DONE:T1",
        stats: {
          models: {
            pro: { tokens: { prompt: 100, candidates: 20, total: 180, cached: 30, thoughts: 50, tool: 10 } },
            flash: { tokens: { prompt: 10, candidates: 2, total: 12, cached: 0, thoughts: 0, tool: 0 } },
          },
        },
      }),
      "DONE:T1",
      { inputTokens: 120, cachedTokens: 30, outputTokens: 72, reasoningTokens: 50 },
    ],
    [
      "Gemini CLI as a stream",
      lines(
        { type: "init", session_id: "s", model: "pro" },
        { type: "message", role: "user", content: "say DONE:T2" },
        { type: "message", role: "assistant", content: "DONE:", delta: true },
        { type: "message", role: "assistant", content: "T1", delta: true },
        {
          type: "result",
          status: "success",
          stats: { total_tokens: 190, input_tokens: 120, output_tokens: 20, cached: 30 },
        },
      ),
      "DONE:T1",
      { inputTokens: 120, cachedTokens: 30, outputTokens: 70, reasoningTokens: 50 },
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
