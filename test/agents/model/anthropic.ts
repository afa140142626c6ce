import type { Wire } from "./server.ts";

type Block = { type: string; text?: string; content?: unknown };

function blocks(content: unknown): Block[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : ((content as Block[]) ?? []);
}

/** Anthropic's Messages. */
export const anthropic: Wire = {
  thinks: false,
  takes: path => path.endsWith("/v1/messages"),
  read(body) {
    const users = (body["messages"] as { role: string; content: unknown }[]).filter(
      ({ role }) => role === "user",
    );
    const texts = users.map(({ content }) =>
      blocks(content)
        .flatMap(block => (block.type === "text" ? [block.text ?? ""] : []))
        .join("\n"),
    );
    const lastSpoken = texts.findLastIndex(
      (text, at) => text !== "" && !blocks(users[at]?.content).some(({ type }) => type === "tool_result"),
    );
    const results = users
      .slice(lastSpoken + 1)
      .flatMap(({ content }) => blocks(content).filter(({ type }) => type === "tool_result"))
      .map(block => JSON.stringify(block.content));
    const tools = ((body["tools"] ?? []) as { name: string }[]).map(({ name }) => name);
    return { said: texts.join("\n"), last: texts[lastSpoken] ?? "", tools, results };
  },
  tell(step, { input, cached, output }) {
    const block =
      step.do === "tool"
        ? { type: "tool_use", id: `toolu_${Math.random().toString(36).slice(2)}`, name: step.name, input: {} }
        : { type: "text", text: "" };
    const delta =
      step.do === "tool"
        ? { type: "input_json_delta", partial_json: JSON.stringify(step.input) }
        : { type: "text_delta", text: step.text };
    const message = {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "mock",
      content: [],
      stop_reason: null,
      usage: {
        input_tokens: input - cached,
        cache_read_input_tokens: cached,
        cache_creation_input_tokens: 0,
        output_tokens: 1,
      },
    };
    const stop = step.do === "tool" ? "tool_use" : "end_turn";
    return [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: output },
      },
      { type: "message_stop" },
    ].map(data => ({ event: data.type, data }));
  },
  refuse: ({ type, message }) => ({ type: "error", error: { type, message } }),
};
