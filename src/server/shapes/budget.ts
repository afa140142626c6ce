import { z } from "zod";

const text = z.string();

export const Spender = z.strictObject({
  name: text,
  tokens: z.int(),
  costUsd: z.number().optional(),
  calls: z.int(),
});
export type Spender = z.infer<typeof Spender>;

/** `GET /api/budget`: what the run has taken, by whom, when, and what the shared context saved. */
export const BudgetShape = z.strictObject({
  /** Tokens for agents' outputs, as configured, and the whole window. */
  total: z.int(),
  window: z.int(),
  used: z.int(),
  costUsd: z.number(),
  /** Attempts whose cost nobody knows. */
  unpriced: z.int(),
  /** The limits of the run itself, where it has any. */
  maxTokens: z.int().optional(),
  maxCost: z.number().optional(),
  compression: z.enum(["normal", "warn", "compress", "stop"]),
  /** Largest first. */
  agents: z.array(Spender),
  /** Phases in order, each with what its tasks took. */
  stages: z.array(Spender),
  next: z.strictObject({ task: text, role: text, tokens: z.int(), level: text }).optional(),
  /** Ends of attempts in time: cumulative tokens and cost. */
  spending: z.array(z.tuple([z.int(), z.int(), z.number()])),
  /** Input tokens and how many of them came from the provider's cache. */
  input: z.int(),
  cached: z.int(),
  /** Updates of shared documents: tokens sent, and what whole documents would have cost. */
  updates: z.strictObject({ messages: z.int(), sent: z.int(), full: z.int() }),
});
export type BudgetShape = z.infer<typeof BudgetShape>;
