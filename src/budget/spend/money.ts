import type { AgentUsage } from "../../ports/index.ts";

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Tokens read from the provider's prompt cache; a tenth of `input` when absent. */
  readonly cached?: number | undefined;
}

/** Prices by agent or model name; `default` stands for those without one. */
export type Prices = Readonly<Record<string, Price>>;

const MILLION = 1_000_000;
const CACHED_SHARE = 0.1;

/** All tokens of a report: what went in, cached or not, and what came out. */
export function tokensOf(usage: AgentUsage): number {
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}

/** The price of an agent, by its own name or the default one. */
export function priceOf(prices: Prices, agent: string): Price | undefined {
  return Object.hasOwn(prices, agent)
    ? prices[agent]
    : Object.hasOwn(prices, "default")
      ? prices["default"]
      : undefined;
}

/**
 * What a report cost: as reported, else by price; undefined when neither is known. `cachedTokens` are counted among
 * `inputTokens`, as providers report them.
 */
export function costOf(usage: AgentUsage, price: Price | undefined): number | undefined {
  if (usage.costUsd !== undefined) return usage.costUsd;
  if (price === undefined) return undefined;
  const input = usage.inputTokens ?? 0;
  const cached = Math.min(input, usage.cachedTokens ?? 0);
  const cachedPrice = price.cached ?? price.input * CACHED_SHARE;
  return (
    ((input - cached) * price.input + cached * cachedPrice + (usage.outputTokens ?? 0) * price.output) /
    MILLION
  );
}

/** What an attempt of this many input tokens would cost before anything is known of its output. */
export function estimatedCost(
  inputTokens: number,
  outputTokens: number,
  price: Price | undefined,
): number | undefined {
  return costOf({ inputTokens, outputTokens }, price);
}
