import type { Result } from "./result.ts";

/**
 * A language model that answers one question with one JSON value. Every implementation passes `modelConformance` from
 * `espalier/testing`.
 */
export interface Model {
  readonly portVersion: 1;
  /** What receipts and reports call it. */
  readonly name: string;
  /** Never throws and never takes longer than `timeoutMs`; the value is JSON, not yet checked against the schema. */
  answer(question: ModelQuestion): Promise<Result<ModelAnswer, ModelFailure>>;
}

export interface ModelQuestion {
  readonly instructions: string;
  readonly prompt: string;
  /** JSON Schema of the answer, an object. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly maxOutputTokens: number;
  readonly timeoutMs: number;
}

/** Tokens as the provider reports them; absent where it does not. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedTokens?: number;
}

export interface ModelAnswer {
  readonly value: unknown;
  readonly usage: ModelUsage;
}

/** Why there is no answer. */
export interface ModelFailure {
  readonly kind: /** A package that is needed is not installed. */
    | "missing"
    | "auth"
    | "quota"
    | "overloaded"
    | "timeout"
    | "network"
    /** It answered something that is no JSON object, nothing, or was cut off. */
    | "malformed"
    | "refused";
  /** One line for people; foreign text. */
  readonly message: string;
  readonly retryable: boolean;
  /** What the useless answer cost, where there was one. */
  readonly usage?: ModelUsage;
}
