import { z } from "zod";

const text = z.string();

export const Spender = z.strictObject({
  name: text,
  tokens: z.int(),
  costUsd: z.number().optional(),
  calls: z.int(),
});
export type Spender = z.infer<typeof Spender>;

/** `GET /api/budget`: what the window holds, what the run has taken, and what the shared context saved. */
export const BudgetShape = z.strictObject({
  /** The documents' budget: tokens of the window for agents' outputs, and how the outputs of completed tasks fill it. */
  window: z.strictObject({
    total: z.int(),
    used: z.int(),
    /** The finest level at which later outputs are carried on. */
    finest: z.int(),
    /** By role, the largest first. */
    agents: z.array(Spender),
    next: z.strictObject({ task: text, role: text, tokens: z.int(), level: text }).optional(),
  }),
  /** What the agents took in all: as their programs reported it, else as their packages were estimated. */
  spent: z.strictObject({
    tokens: z.int(),
    /** How many of them are an estimate. */
    estimated: z.int(),
    costUsd: z.number(),
    /** Attempts whose cost nobody knows. */
    unpriced: z.int(),
    maxTokens: z.int().optional(),
    maxCost: z.number().optional(),
    /** Largest first. */
    agents: z.array(Spender),
    /** Phases in order, each with what its tasks took. */
    stages: z.array(Spender),
    /** Ends of attempts in time: cumulative tokens and cost. */
    curve: z.array(z.tuple([z.int(), z.int(), z.number()])),
    /** Input tokens and how many of them came from the provider's cache. */
    input: z.int(),
    cached: z.int(),
  }),
  /** Updates of shared documents: tokens sent, and what whole documents would have cost. */
  updates: z.strictObject({ messages: z.int(), sent: z.int(), full: z.int() }),
});
export type BudgetShape = z.infer<typeof BudgetShape>;
