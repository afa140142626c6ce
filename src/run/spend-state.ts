import type { SpendLimits, SpendRefusal, ThresholdName } from "../budget/index.ts";
import type { AttemptRow, AttemptUsage } from "../ports/index.ts";

/** What one attempt took, as reported or else as estimated. */
export interface AttemptSpend {
  readonly tokens: number;
  /** US dollars, where they are known. */
  readonly cost?: number | undefined;
}

interface Promised {
  readonly attempt: number;
  readonly tokens: number;
  readonly cost: number;
}

/** What a run has taken of what it may take. Owned by the run, like the rest of its state. */
export interface Spending {
  readonly limits: SpendLimits;
  tokens: number;
  cost: number;
  /** Attempts that took something, and what: the next one is expected to take as much as they did on average. */
  readonly attempts: { count: number; tokens: number; cost: number };
  /** By task: what its running attempt is expected to take. */
  readonly promised: Map<string, Promised>;
  /** By task: what its package was found to take. */
  readonly expected: Map<string, AttemptSpend>;
  /** An attempt found no room beside the others: nothing begins before one of them has ended. */
  crowded: boolean;
  /** What stands against the next attempt; undefined while it can be afforded. */
  refusal: SpendRefusal | undefined;
  standing: readonly ThresholdName[];
}

/** The tokens of a report that tells any. Where estimates stand in one, it is whole: without any tokens no model was asked. */
export function toldTokens(usage: AttemptUsage | undefined): number | undefined {
  const { inputTokens = 0, outputTokens = 0, estimatedTokens } = usage ?? {};
  const tokens = inputTokens + outputTokens;
  return tokens > 0 || estimatedTokens !== undefined ? tokens : undefined;
}

/** What an attempt counts with in place of a report: its package; nothing where its agent told its tokens, or has no model. */
export function packageTokens({
  agent,
  usage,
  estimate = 0,
}: Pick<AttemptRow, "agent" | "usage" | "estimate">): number {
  return toldTokens(usage) !== undefined || agent === "shell" ? 0 : estimate;
}
