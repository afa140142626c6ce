import type { Wire } from "./server.ts";

type Message = { role: string; content: unknown };

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return ((content as { text?: string }[] | null) ?? []).map(({ text }) => text ?? "").join("\n");
}

/** OpenAI's Chat Completions. */
export const chat: Wire = {
  thinks: true,
  takes: path => path.endsWith("/chat/completions"),
  read(body) {
    const messages = body["messages"] as Message[];
    const lastSpoken = messages.findLastIndex(({ role }) => role === "user");
    const results = messages.slice(lastSpoken + 1).filter(({ role }) => role === "tool");
    const said = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
    const tools = ((body["tools"] ?? []) as { function: { name: string } }[]).map(tool => tool.function.name);
    return {
      said: said.join("\n"),
      last: said.at(-1) ?? "",
      tools,
      results: results.map(({ content }) => textOf(content)),
    };
  },
  tell(step, { input, cached, output, thought }) {
    const id = Math.random().toString(36).slice(2);
    const call = step.do === "tool" ? { name: step.name, arguments: JSON.stringify(step.input) } : undefined;
    const delta =
      step.do === "tool"
        ? {
            role: "assistant",
            tool_calls: [{ index: 0, id: `call_${id}`, type: "function", function: call }],
          }
        : { role: "assistant", content: step.text };
    const chunk = (choice: object, more: object = {}) => ({
      data: {
        id: `chatcmpl-${id}`,
        object: "chat.completion.chunk",
        created: 1,
        model: "mock",
        choices: [{ index: 0, ...choice }],
        ...more,
      },
    });
    const usage = {
      prompt_tokens: input,
      completion_tokens: output,
      total_tokens: input + output,
      prompt_tokens_details: { cached_tokens: cached },
      completion_tokens_details: { reasoning_tokens: thought },
    };
    return [
      chunk({ delta, finish_reason: null }),
      chunk({ delta: {}, finish_reason: step.do === "tool" ? "tool_calls" : "stop" }, { usage }),
    ];
  },
  refuse: ({ type, message }) => ({ error: { type, code: type, message } }),
  last: "data: [DONE]\n\n",
};
