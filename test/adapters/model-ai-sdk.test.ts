import { describe, expect, it } from "vitest";
import { createAiSdkModel } from "../../src/adapters/model/index.ts";
import type { ModelQuestion } from "../../src/ports/index.ts";
import { condense, readSource, summarizeWith } from "../../src/summary/index.ts";
import { modelConformance } from "../../src/testing/index.ts";
import { longOutput } from "../summary/outputs.ts";
import { type Answer, type ModelServer, openModelServer } from "./model-server.ts";

const QUESTION: ModelQuestion = {
  instructions: "Answer.",
  prompt: "What?",
  schema: { type: "object", properties: { a: { type: "number" } } },
  maxOutputTokens: 77,
  timeoutMs: 60_000,
};

function modelAt(server: ModelServer) {
  return createAiSdkModel({ baseUrl: server.baseUrl, name: "tiny", apiKey: "key-1" });
}

async function place(...answers: readonly Answer[]) {
  const server = await openModelServer(...answers);
  return { model: modelAt(server), dispose: () => server[Symbol.asyncDispose]() };
}

describe("the AI SDK adapter conforms", () => {
  const cases = modelConformance({
    answering: content => place({ content }),
    silent: () => place({ raw: () => {} }),
    unreachable: async () => {
      const server = await openModelServer({ status: 500 });
      await server[Symbol.asyncDispose]();
      return { model: modelAt(server) };
    },
  });
  it.each(cases)("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

describe("the AI SDK adapter", () => {
  it("asks an OpenAI-compatible server once, with key, limits and messages", async () => {
    await using server = await openModelServer({ content: '{"a": 1}' });
    const answer = await modelAt(server).answer(QUESTION);
    expect(answer).toEqual({
      ok: true,
      value: { value: { a: 1 }, usage: { inputTokens: 120, outputTokens: 30, cachedTokens: 64 } },
    });
    expect(server.asked).toHaveLength(1);
    const { url, authorization, body } = server.asked[0]!;
    expect({ url, authorization }).toEqual({ url: "/v1/chat/completions", authorization: "Bearer key-1" });
    expect(body).toMatchObject({ model: "tiny", max_tokens: 77, response_format: { type: "json_object" } });
    expect(body.messages).toEqual([
      { role: "system", content: "Answer." },
      { role: "user", content: "What?" },
    ]);
  });

  it("sends the schema to a server that holds models to one", async () => {
    await using server = await openModelServer({ content: '{"a": 1}' });
    await createAiSdkModel({ baseUrl: server.baseUrl, name: "tiny", structured: true }).answer(QUESTION);
    expect(server.asked[0]!.body.response_format).toMatchObject({ type: "json_schema" });
    expect(server.asked[0]!.authorization).toBeUndefined();
  });

  it.each([
    [401, "auth", false],
    [403, "auth", false],
    [402, "quota", false],
    [429, "quota", true],
    [500, "overloaded", true],
    [503, "overloaded", true],
    [400, "refused", false],
    [404, "refused", false],
  ])("takes status %i for %s and asks no second time", async (status, kind, retryable) => {
    await using server = await openModelServer({ status });
    const answer = await modelAt(server).answer(QUESTION);
    expect(answer).toMatchObject({ ok: false, failure: { kind, retryable } });
    expect(server.asked).toHaveLength(1);
  });

  it("counts what a useless answer cost", async () => {
    await using server = await openModelServer({ content: "nonsense" });
    expect(await modelAt(server).answer(QUESTION)).toMatchObject({
      failure: { kind: "malformed", usage: { inputTokens: 120, outputTokens: 30 } },
    });
  });

  it.each([
    ["in a fence", '```json\n{"a": 1}\n```'],
    ["among courtesies", 'Sure, here it is:\n{"a": 1}\nI hope this helps.'],
  ])("takes an answer that is wrapped %s", async (_, content) => {
    await using server = await openModelServer({ content });
    expect(await modelAt(server).answer(QUESTION)).toEqual({
      ok: true,
      value: { value: { a: 1 }, usage: { inputTokens: 120, outputTokens: 30, cachedTokens: 64 } },
    });
  });

  it.each(["", "{", "} {", '{"a": 1} {"a": 2}', "[".repeat(50_000)])(
    "takes %j for no answer",
    async content => {
      await using server = await openModelServer({ content });
      expect(await modelAt(server).answer(QUESTION)).toMatchObject({ failure: { kind: "malformed" } });
    },
  );

  it("says what a filter stopped, once, and what it cost", async () => {
    await using server = await openModelServer({ content: "", finish: "content_filter" });
    expect(await modelAt(server).answer(QUESTION)).toMatchObject({
      failure: { kind: "refused", retryable: false, usage: { inputTokens: 120, outputTokens: 30 } },
    });
  });

  it.each([-1, -1e9, 1e308])("believes no usage of %d tokens", async tokens => {
    const body = JSON.stringify({
      choices: [{ message: { role: "assistant", content: '{"a": 1}' }, finish_reason: "stop" }],
      usage: { prompt_tokens: tokens, completion_tokens: 5, total_tokens: 5 },
    });
    await using server = await openModelServer({ status: 200, body });
    expect(await modelAt(server).answer(QUESTION)).toMatchObject({ ok: true, value: { usage: {} } });
    const answer = await modelAt(server).answer(QUESTION);
    expect(answer.ok && answer.value.usage.inputTokens).toBeUndefined();
  });

  it.each([301, 302, 307, 308])("hands the output to nobody whom a %i points to", async status => {
    await using other = await openModelServer({ content: '{"a": 1}' });
    await using server = await openModelServer({
      raw: response =>
        void response.writeHead(status, { location: `${other.baseUrl}/chat/completions` }).end(),
    });
    expect(await modelAt(server).answer(QUESTION)).toMatchObject({ failure: { kind: "refused" } });
    expect(other.asked).toEqual([]);
  });

  it("stops reading an endless answer", async () => {
    let written = 0;
    await using server = await openModelServer({
      raw(response) {
        response.writeHead(200, { "content-type": "application/json" });
        const pour = () => {
          while (written < 200_000_000 && !response.destroyed) {
            written += 100_000;
            if (!response.write("x".repeat(100_000))) {
              response.once("drain", pour);
              return;
            }
          }
          response.end();
        };
        pour();
      },
    });
    expect(await modelAt(server).answer(QUESTION)).toMatchObject({ failure: { kind: "malformed" } });
    expect(written).toBeLessThan(40_000_000);
  });

  it.each<readonly [string, Answer]>([
    ["a page", { status: 200, body: "<html>" }],
    ["an empty body", { status: 200, body: "" }],
    ["no choices", { status: 200, body: '{"choices": []}' }],
    ["a cut connection", { raw: response => void response.destroy() }],
    [
      "half a body",
      { raw: response => void response.writeHead(200, { "content-length": "999" }).end('{"cho') },
    ],
  ])("survives %s", async (_, answer) => {
    await using server = await openModelServer(answer);
    const result = await modelAt(server).answer({ ...QUESTION, timeoutMs: 2000 });
    expect(result.ok).toBe(false);
  });

  it("condenses an output end to end", async () => {
    const answer = { summary: "Settled.", facts: ["`export_jobs` holds the queue (D-2)"] };
    await using server = await openModelServer({ content: "{}" }, { content: JSON.stringify(answer) });
    const source = readSource(longOutput(60), "02");
    const { state, how, spent, refusals } = await condense(modelAt(server), source);
    expect(how).toBe("model");
    expect(refusals.map(({ reason }) => reason)).toEqual(["malformed"]);
    expect(spent).toEqual({ calls: 2, inputTokens: 240, outputTokens: 60 });
    expect(summarizeWith(source, state, 3).text).toContain("- `export_jobs` holds the queue (D-2)");
  });
});
