import { describe, expect, it } from "vitest";
import { jsonAnswer } from "../../../src/adapters/agent/json-answer.ts";
import { growth, LINEAR } from "../../growth.ts";

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

describe("answers of model services, and of programs that have a shape of their own", () => {
  it.for([
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

  const own = { type: "message", role: "assistant", content: "I asked." };
  const usage = { prompt_tokens: 9e9, completion_tokens: 9e9 };
  const whole = { ...chunk("c", {}, usage), object: "chat.completion", choices: [{ message: own }] };

  it.each([
    ["a chat", { ...whole, tool_call_id: "t", choices: [{ message: { ...own, content: "DONE:T1" } }] }],
    ["a response", { ...answered("r", ["DONE:T1"]), role: "tool" }],
    ["an answer of Ollama's", { model: "m", done: true, response: "DONE:T1", tool: "ask", eval_count: 9e9 }],
    ["a message of Codex'", { role: "user", msg: { type: "agent_message", message: "DONE:T1" } }],
    ["the end of Codex'", { callId: "c", msg: { type: "task_complete", last_agent_message: "DONE:T1" } }],
    ["a message of Goose's", { ...goose("m", "DONE:T1"), parent_tool_use_id: "t" }],
    ["counts", { type: "tool_result", usage: { input_tokens: 9e9, output_tokens: 9e9 } }],
  ])("[AC25] is not heard or counted where a tool gave it: %s", (_, given) => {
    expect(jsonAnswer(lines(own, given))).toEqual({ said: "I asked.", usage: {} });
    expect(jsonAnswer(lines(given, goose("m", "I"), goose("m", " asked.")))?.said).toBe("I asked.");
  });

  it.each([
    [
      "a chat",
      ["I asked: ", "DONE:T1"].map((content, at) =>
        chunk("c", { role: at === 0 ? "assistant" : "tool", content }),
      ),
    ],
    [
      "a chat of Ollama's",
      ["I asked: ", "DONE:T1"].map((content, at) => ({
        model: "m",
        message: { role: at === 0 ? "assistant" : "tool", content },
        done: at === 1,
      })),
    ],
    [
      "messages of Goose's",
      [
        goose("m", "I asked: "),
        { type: "message", message: { ...goose("m", "DONE:T1").message, tool_call_id: "t" } },
      ],
    ],
  ])("[AC25] hears no piece of %s that a tool says under the same id", (_, pieces) => {
    expect(jsonAnswer(lines(...pieces))?.said).toBe("I asked: ");
  });

  it("[AC24] hears a message with an id whose words are no list", () => {
    const message = { id: "m", role: "assistant", content: "DONE:T1" };
    expect(jsonAnswer(lines({ type: "message", message }))?.said).toBe("DONE:T1");
  });

  it("[AC24] counts nothing of calls that cannot have used so much together", () => {
    const calls = Array.from({ length: 2 }, (_, at) => ({ ...whole, id: `c${at}` }));
    expect(jsonAnswer(lines(...calls))?.usage).toEqual({});
  });

  it.each([
    ["chat", (at: number) => chunk("c", { role: at === 0 ? "assistant" : "", content: "a" })],
    ["messages of Goose's", () => goose("m", "a")],
  ])("[AC24] puts pieces of one %s together in linear time", (_, pieceOf) => {
    const textOf = (size: number) => lines(...Array.from({ length: size }, (__, at) => pieceOf(at)));
    expect(growth(3_000, textOf, jsonAnswer)).toBeLessThan(LINEAR);
  });
});
