import { allocate, type Claim, wholeTokens } from "./allocate.ts";

/** A part of a workflow with a budget of its own. */
export interface StageClaims {
  readonly name: string;
  /** Absent: it shares what the others leave. */
  readonly budget?: number;
  readonly claims: readonly Claim[];
}

export interface StageShare {
  readonly name: string;
  /** Its own budget and what earlier stages could not use. */
  readonly budget: number;
  readonly shares: ReadonlyMap<string, number>;
  readonly short: boolean;
}

export interface StagePlan {
  readonly stages: readonly StageShare[];
  readonly total: number;
  /** What remains when every agent has what it may have. */
  readonly left: number;
}

/**
 * Shares a budget among stages and within them. What a stage's agents may not have flows on to the next stage; the sum of
 * all shares is never more than `total`.
 */
export function allocateStages(stages: readonly StageClaims[], total: number): StagePlan {
  const budget = wholeTokens(total);
  const named = stages.reduce((sum, stage) => sum + wholeTokens(stage.budget ?? 0), 0);
  const open = stages.filter(stage => stage.budget === undefined);
  const weightOf = (stage: StageClaims): number => stage.claims.reduce((sum, { weight }) => sum + weight, 0);
  const rest = allocate(
    open.map((stage, at) => ({ id: String(at), weight: weightOf(stage) })),
    Math.max(0, budget - named),
  );
  let carried = 0;
  let spent = 0;
  const shared = stages.map((stage): StageShare => {
    const own =
      stage.budget === undefined
        ? (rest.shares.get(String(open.indexOf(stage))) ?? 0)
        : wholeTokens(stage.budget);
    const available = Math.min(own + carried, budget - spent);
    const { shares, left, short } = allocate(stage.claims, available);
    carried = left;
    spent += available - left;
    return { name: stage.name, budget: available, shares, short };
  });
  return { stages: shared, total: budget, left: budget - spent };
}

/**
 * Shares what is left when some claims have been settled: `used` is what they really took, more or less than their share.
 * Called whenever a run's remaining work changes.
 */
export function reallocate(
  stages: readonly StageClaims[],
  total: number,
  used: ReadonlyMap<string, number>,
): StagePlan {
  let spent = 0;
  for (const tokens of used.values()) spent += wholeTokens(tokens);
  let unused = 0;
  const remaining = stages.map(stage => {
    const claims = stage.claims.filter(({ id }) => !used.has(id));
    if (stage.budget === undefined) return { ...stage, claims };
    const taken = stage.claims.reduce((sum, { id }) => sum + wholeTokens(used.get(id) ?? 0), 0);
    // A stage that is done passes on what it did not need, and one that took too much takes it from those to come.
    const own = wholeTokens(stage.budget) + unused - taken;
    unused = claims.length === 0 ? own : Math.min(0, own);
    return { ...stage, claims, budget: claims.length === 0 ? 0 : Math.max(0, own) };
  });
  return allocateStages(remaining, Math.max(0, total - spent));
}
