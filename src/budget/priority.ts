import type { VsLevel } from "./levels.ts";

/** What makes an output worth keeping. Weights need not add up to 1. */
export interface PriorityWeights {
  readonly recency: number;
  readonly vs_level: number;
  readonly confidence: number;
  readonly dependencies: number;
  readonly user_relevance: number;
}

/** The document's weights. */
export const PRIORITY_WEIGHTS: PriorityWeights = {
  recency: 0.3,
  vs_level: 0.25,
  confidence: 0.2,
  dependencies: 0.15,
  user_relevance: 0.1,
};

/** What is known of an output; what is missing counts as the middle. */
export interface PriorityFacts {
  /** 0 for the oldest, 1 for the newest. */
  readonly recency?: number | undefined;
  readonly vsLevel?: VsLevel | undefined;
  /** 0 to 1, or 0 to 100 as the templates write it. */
  readonly confidence?: number | undefined;
  /** How many later tasks or agents build on it, or what share of the most that build on any; 1 and more are worth the same. */
  readonly dependents?: number | undefined;
  /** 0 to 1: how much it has to do with the question. */
  readonly relevance?: number | undefined;
}

const VS_WORTH: Readonly<Record<VsLevel, number>> = { full_vs: 1, enhanced_vs: 0.7, light_vs: 0.4 };
const MIDDLE = 0.5;
/** What an output is worth on which nobody is known to build. */
const UNUSED = 0.3;

/** A number within 0 and 1; the middle for one that is unknown or unreal. */
function share(value: number | undefined): number {
  return value === undefined || Number.isNaN(value) ? MIDDLE : Math.min(1, Math.max(0, value));
}

/** Reads a confidence of 0 to 1 or 0 to 100; undefined for what is neither, such as 150 or NaN. */
export function readConfidence(value: number): number | undefined {
  if (!(value >= 0) || value > 100) return undefined;
  return value <= 1 ? value : value / 100;
}

/** How much an output is worth keeping, 0 to 1. */
export function priorityOf(facts: PriorityFacts, weights: PriorityWeights = PRIORITY_WEIGHTS): number {
  const confidence = facts.confidence === undefined ? undefined : readConfidence(facts.confidence);
  const { dependents: given = 0 } = facts;
  const dependents = given > 0 ? Math.min(1, given) : 0;
  const parts = [
    [weights.recency, share(facts.recency)],
    [weights.vs_level, VS_WORTH[facts.vsLevel ?? "light_vs"]],
    [weights.confidence, share(confidence)],
    [weights.dependencies, UNUSED + (1 - UNUSED) * dependents],
    [weights.user_relevance, share(facts.relevance)],
  ] as const;
  let sum = 0;
  let whole = 0;
  for (const [weight, value] of parts) {
    const counted = weight > 0 && Number.isFinite(weight) ? weight : 0;
    sum += counted * value;
    whole += counted;
  }
  return whole === 0 ? MIDDLE : sum / whole;
}

/** Recency from the position in the workflow: the last of `count` is 1, the first 0. */
export function recencyAt(position: number, count: number): number {
  return count <= 1 ? 1 : share(position / (count - 1));
}
