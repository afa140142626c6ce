import type { Wire } from "./server.ts";

/** A tool, or a namespace of several. */
type Offer = { name?: string; type: string; tools?: { name: string }[] };
type Item = { type?: string; role?: string; content?: unknown; output?: unknown };

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return ((content as { text?: string }[]) ?? []).map(({ text }) => text ?? "").join("\n");
}

function nameOf(name: string): { readonly name: string; readonly namespace?: string } {
  const slash = name.indexOf("/");
  return slash < 0 ? { name } : { name: name.slice(slash + 1), namespace: name.slice(0, slash) };
}

/** OpenAI's Responses. */
export const responses: Wire = {
  thinks: true,
  takes: path => path.endsWith("/responses"),
  read(body) {
    const input = body["input"] as Item[];
    const isUser = (item: Item) => item.role === "user" && !textOf(item.content).startsWith("<");
    const lastSpoken = input.findLastIndex(isUser);
    const results = input
      .slice(lastSpoken + 1)
      .filter(({ type }) => type === "function_call_output" || type === "custom_tool_call_output")
      .map(({ output }) => JSON.stringify(output));
    const said = input.filter(isUser).map(({ content }) => textOf(content));
    const tools = ((body["tools"] ?? []) as Offer[]).flatMap(({ name, type, tools: inner }) =>
      inner === undefined ? [name ?? type] : inner.map(each => `${name}/${each.name}`),
    );
    return { said: said.join("\n"), last: said.at(-1) ?? "", tools, results };
  },
  tell(step, { input, cached, output, thought }) {
    const id = Math.random().toString(36).slice(2);
    const item =
      step.do === "tool"
        ? {
            type: "function_call",
            id: `fc_${id}`,
            call_id: `call_${id}`,
            ...nameOf(step.name),
            arguments: JSON.stringify(step.input),
          }
        : {
            type: "message",
            id: `msg_${id}`,
            role: "assistant",
            content: [{ type: "output_text", text: step.text }],
          };
    const usage = {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cached },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: thought },
      total_tokens: input + output,
    };
    const delta =
      step.do === "tool"
        ? []
        : [{ type: "response.output_text.delta", delta: step.text, item_id: `msg_${id}` }];
    return [
      { type: "response.created", response: { id: `resp_${id}` } },
      ...(step.do === "tool"
        ? []
        : [{ type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } }]),
      ...delta,
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: `resp_${id}`, usage } },
    ].map(data => ({ event: data.type, data }));
  },
  refuse: ({ type, message }) => ({ error: { type, code: type, message } }),
};
