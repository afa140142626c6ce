/** What a run may take in all. Absent parts are not limited. */
export interface SpendLimits {
  readonly maxTokens?: number | undefined;
  /** US dollars. */
  readonly maxCost?: number | undefined;
}

/** What a run has taken, and what it has promised to attempts that still run. */
export interface SpendState {
  readonly tokens: number;
  readonly cost: number;
}

/** What the next attempt is expected to take. */
export interface SpendEstimate {
  readonly tokens: number;
  readonly cost: number | undefined;
}

/** Which limit stands against a dispatch. */
export interface SpendRefusal {
  readonly limit: "tokens" | "cost";
  readonly used: number;
  readonly needed: number;
  readonly most: number;
}

/** Undefined when an attempt may go; else the limit it would pass. A budget that is used up refuses even what costs nothing known. */
export function refusalOf(
  limits: SpendLimits,
  spent: SpendState,
  next: SpendEstimate,
): SpendRefusal | undefined {
  const { maxTokens, maxCost } = limits;
  if (maxTokens !== undefined && (spent.tokens >= maxTokens || spent.tokens + next.tokens > maxTokens))
    return { limit: "tokens", used: spent.tokens, needed: next.tokens, most: maxTokens };
  const cost = next.cost ?? 0;
  if (maxCost !== undefined && (spent.cost >= maxCost || spent.cost + cost > maxCost))
    return { limit: "cost", used: spent.cost, needed: cost, most: maxCost };
  return undefined;
}
