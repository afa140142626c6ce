import type { LanguageModel, NoObjectGeneratedError } from "ai";
import {
  fail,
  type Model,
  type ModelAnswer,
  type ModelFailure,
  type ModelUsage,
  ok,
  type Result,
} from "../../ports/index.ts";
import { boundedFetch } from "./bounded-fetch.ts";

/** Any model of the AI SDK, or where an OpenAI-compatible server answers. */
export type AiSdkOptions =
  | { readonly model: LanguageModel; readonly name?: string }
  | {
      /** Up to and with the version: `http://127.0.0.1:11434/v1`. */
      readonly baseUrl: string;
      readonly name: string;
      readonly apiKey?: string;
      /** Whether the server holds the model to a JSON Schema. */
      readonly structured?: boolean;
    };

/** A model through the AI SDK, which is loaded at the first question; its packages are optional. */
export function createAiSdkModel(options: AiSdkOptions): Model {
  return {
    portVersion: 1,
    name: options.name ?? "ai-sdk",
    async answer({ instructions, prompt, schema, maxOutputTokens, timeoutMs }) {
      const loaded = await load(options);
      if ("failure" in loaded) return fail(loaded.failure);
      const { sdk, model } = loaded;
      const timeout = AbortSignal.timeout(timeoutMs);
      try {
        const result = await sdk.generateText({
          model,
          instructions,
          prompt,
          maxOutputTokens,
          // Who asks decides about asking again.
          maxRetries: 0,
          abortSignal: timeout,
          output: sdk.Output.object({ schema: sdk.jsonSchema(schema) }),
        });
        if (result.finishReason === "content-filter") return fail(filtered(usageOf(result.usage)));
        return ok({ value: result.output, usage: usageOf(result.usage) });
      } catch (error) {
        if (timeout.aborted) return fail(tooSlow(timeoutMs));
        return sdk.NoObjectGeneratedError.isInstance(error) ? unwrapped(error) : fail(failureOf(error, sdk));
      }
    },
  };
}

type Sdk = typeof import("ai");

interface Loaded {
  readonly sdk: Sdk;
  readonly model: LanguageModel;
}

async function load(options: AiSdkOptions): Promise<Loaded | { readonly failure: ModelFailure }> {
  try {
    const sdk = await import("ai");
    // It would print them to a stream that belongs to others.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    if ("model" in options) return { sdk, model: options.model };
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { baseUrl, name, apiKey, structured = false } = options;
    const provider = createOpenAICompatible({
      name: "compatible",
      baseURL: baseUrl,
      fetch: boundedFetch,
      supportsStructuredOutputs: structured,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return { sdk, model: provider(name) };
  } catch (error) {
    return { failure: notInstalled(error) };
  }
}

function notInstalled(error: unknown): ModelFailure {
  const message = `${messageOf(error)}; to use a model: npm install ai @ai-sdk/openai-compatible`;
  return { kind: "missing", message, retryable: false };
}

function tooSlow(timeoutMs: number): ModelFailure {
  return { kind: "timeout", message: `no answer within ${timeoutMs} ms`, retryable: true };
}

/** Tokens that an answer can have taken; what a server says beyond is no number to count with. */
const MOST_TOKENS = 1e9;

function usageOf({
  inputTokens,
  outputTokens,
  inputTokenDetails,
}: {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly inputTokenDetails?: { readonly cacheReadTokens?: number | undefined };
}): ModelUsage {
  const stated = Object.entries({
    inputTokens,
    outputTokens,
    cachedTokens: inputTokenDetails?.cacheReadTokens,
  }).filter(([, tokens]) => tokens !== undefined && tokens >= 0 && tokens <= MOST_TOKENS);
  return Object.fromEntries(stated);
}

function filtered(usage: ModelUsage): ModelFailure {
  return { kind: "refused", message: "the provider's filter stopped the answer", retryable: false, usage };
}

/** An answer that is no JSON by itself: small models wrap theirs in a fence or in courtesies. */
function unwrapped(error: NoObjectGeneratedError): Result<ModelAnswer, ModelFailure> {
  const usage = error.usage === undefined ? {} : usageOf(error.usage);
  if (error.finishReason === "content-filter") return fail(filtered(usage));
  const text = error.text ?? "";
  try {
    const value: unknown = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    return ok({ value, usage });
  } catch {
    return fail({ kind: "malformed", message: messageOf(error), retryable: true, usage });
  }
}

function failureOf(error: unknown, sdk: Sdk): ModelFailure {
  if (sdk.APICallError.isInstance(error)) return ofStatus(error.statusCode, messageOf(error));
  if (sdk.NoOutputGeneratedError.isInstance(error) || isMalformed(error)) {
    return { kind: "malformed", message: messageOf(error), retryable: true };
  }
  if (sdk.LoadAPIKeyError.isInstance(error))
    return { kind: "auth", message: messageOf(error), retryable: false };
  return { kind: "network", message: messageOf(error), retryable: true };
}

function isMalformed(error: unknown): boolean {
  return error instanceof Error && /JSON|Response|Type|Content/.test(error.name);
}

function ofStatus(status: number | undefined, message: string): ModelFailure {
  if (status === 401 || status === 403) return { kind: "auth", message, retryable: false };
  if (status === 402 || status === 429) return { kind: "quota", message, retryable: status === 429 };
  if (status !== undefined && status >= 500) return { kind: "overloaded", message, retryable: true };
  if (status === undefined) return { kind: "network", message, retryable: true };
  return status < 300
    ? { kind: "malformed", message, retryable: true }
    : { kind: "refused", message: `${status}: ${message}`, retryable: false };
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.slice(0, 300).toWellFormed();
}
