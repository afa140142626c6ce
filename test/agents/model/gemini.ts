import type { Wire } from "./server.ts";

type Part = { text?: string; functionResponse?: unknown };
type Content = { role?: string; parts: Part[] };

const spoken = (content: Content) =>
  content.role === "user" && content.parts.some(({ text }) => text !== undefined);
const textOf = ({ parts }: Content) => parts.map(({ text }) => text ?? "").join("\n");

/** What it is told when it asks, before each turn, how hard the work is. */
const EASY = {
  candidates: [
    {
      content: {
        role: "model",
        parts: [{ text: JSON.stringify({ complexity_reasoning: "It is easy.", complexity_score: 10 }) }],
      },
      finishReason: "STOP",
      index: 0,
    },
  ],
};

/** Gemini's generateContent. */
export const gemini: Wire = {
  thinks: true,
  takes: path => /generateContent$/i.test(path),
  whole: path => (/streamGenerateContent$/i.test(path) ? undefined : EASY),
  read(body) {
    const contents = body["contents"] as Content[];
    const lastSpoken = contents.findLastIndex(spoken);
    const results = contents
      .slice(lastSpoken + 1)
      .flatMap(({ parts }) => parts.filter(({ functionResponse }) => functionResponse !== undefined));
    const said = contents.filter(spoken).map(textOf);
    const tools = ((body["tools"] ?? []) as { functionDeclarations?: { name: string }[] }[]).flatMap(tool =>
      (tool.functionDeclarations ?? []).map(({ name }) => name),
    );
    return {
      said: said.join("\n"),
      last: said.at(-1) ?? "",
      tools,
      results: results.map(part => JSON.stringify(part)),
    };
  },
  tell(step, { input, cached, output, thought }) {
    const part =
      step.do === "tool" ? { functionCall: { name: step.name, args: step.input } } : { text: step.text };
    const usageMetadata = {
      promptTokenCount: input,
      cachedContentTokenCount: cached,
      candidatesTokenCount: output - thought,
      thoughtsTokenCount: thought,
      totalTokenCount: input + output,
    };
    const content = { role: "model", parts: [part] };
    return [
      {
        data: {
          candidates: [{ content, finishReason: "STOP", index: 0 }],
          usageMetadata,
          modelVersion: "mock",
        },
      },
    ];
  },
  refuse: ({ status, message, type }) => ({ error: { code: status, status: type.toUpperCase(), message } }),
};
