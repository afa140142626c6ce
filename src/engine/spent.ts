import { costOf, type Prices, priceOf, tokensOf } from "../budget/index.ts";
import {
  type AgentUsage,
  type AttemptRow,
  type AttemptUsage,
  addUsage,
  because,
  type Reason,
} from "../ports/index.ts";
import { type AttemptSpend, packageTokens, type RunState, toldTokens } from "../run/index.ts";

/** What an attempt took: as its agent reported, else as its package was estimated; undefined when nobody knows. */
export function spentBy(
  row: Pick<AttemptRow, "agent" | "usage" | "estimate">,
  prices: Prices = {},
): AttemptSpend | undefined {
  const { agent, usage, estimate } = row;
  if (usage === undefined && estimate === undefined) return undefined;
  const told = toldTokens(usage);
  const tokens = told ?? packageTokens(row);
  const price = priceOf(prices, agent);
  const tells = usage !== undefined && (told !== undefined || usage.costUsd !== undefined);
  const cost = tells ? costOf(usage, price) : costOf({ inputTokens: tokens }, price);
  return { tokens, ...(cost === undefined ? {} : { cost }) };
}

/** How many of the tokens that an attempt took are an estimate: ours, or one in its agent's report. */
export function estimatedOf(row: Parameters<typeof spentBy>[0]): number {
  return toldTokens(row.usage) === undefined ? packageTokens(row) : (row.usage?.estimatedTokens ?? 0);
}

/** What others took for an attempt: models for its package, and its reviewers. */
export function modelsSpentBy({ usage }: Pick<AttemptRow, "usage">): AttemptSpend | undefined {
  if (usage?.models === undefined) return undefined;
  const { tokens, costUsd: cost } = usage.models;
  return { tokens, ...(cost === undefined ? {} : { cost }) };
}

/** What each reviewer took of that, by its name. */
export function reviewersSpentBy({ usage }: Pick<AttemptRow, "usage">): [string, AttemptSpend][] {
  return Object.entries(usage?.reviewers ?? {}).map(([by, { tokens, costUsd: cost }]) => [
    by,
    { tokens, ...(cost === undefined ? {} : { cost }) },
  ]);
}

/** Two amounts of tokens and money together. */
export function addSpend(before: AttemptSpend | undefined, more: AttemptSpend): AttemptSpend {
  const cost =
    before?.cost === undefined && more.cost === undefined
      ? {}
      : { cost: (before?.cost ?? 0) + (more.cost ?? 0) };
  return { tokens: (before?.tokens ?? 0) + more.tokens, ...cost };
}

type Charges = Pick<AttemptUsage, "models" | "reviewers">;

/** What was taken beside an attempt and one amount more, which the reviewer took that is named. */
export function addCharge(before: Charges = {}, more: AttemptSpend, reviewer?: string): Charges {
  const add = (to: Charges["models"]) => {
    const { tokens, cost: costUsd } = addSpend(to && { tokens: to.tokens, cost: to.costUsd }, more);
    return { tokens, ...(costUsd === undefined ? {} : { costUsd }) };
  };
  const models = add(before.models);
  if (reviewer === undefined) return { ...before, models };
  const { reviewers = {} } = before;
  const own = Object.hasOwn(reviewers, reviewer) ? reviewers[reviewer] : undefined;
  return { models, reviewers: { ...reviewers, [reviewer]: add(own) } };
}

/** Several amounts together; the cost is that of those which have one, and unknown where none has. */
export function totalSpend(spent: readonly AttemptSpend[]): AttemptSpend {
  return spent.reduce(addSpend, { tokens: 0 });
}

/** What one of several agents on an attempt took, as far as it is known. */
export type PartSpent = Pick<AttemptRow, "agent" | "usage" | "estimate">;

/** What several agents on one attempt took together: who reported nothing counts with its estimate, each at its own price. */
export function usageTogether(parts: readonly PartSpent[], prices: Prices = {}): Partial<AttemptRow> {
  const told = parts.some(({ usage }) => usage !== undefined);
  const estimates = parts.flatMap(({ estimate }) => estimate ?? []);
  const estimate = estimates.length === 0 ? {} : { estimate: estimates.reduce((sum, one) => sum + one) };
  const [only] = parts;
  if (!told || parts.length < 2)
    return only?.usage === undefined ? estimate : { ...estimate, usage: only.usage };
  const spent = parts.map(part => spentBy(part, prices));
  const costs = spent.flatMap(one => one?.cost ?? []);
  const usage = parts.reduce<AgentUsage>((sum, part, at) => {
    const isTold = part.usage !== undefined && tokensOf(part.usage) > 0;
    return addUsage(sum, isTold ? part.usage : { ...part.usage, inputTokens: spent[at]?.tokens ?? 0 });
  }, {});
  const costUsd = costs.length === 0 ? {} : { costUsd: costs.reduce((sum, one) => sum + one) };
  // What several read together teaches nothing of any one reader.
  return { usage: { ...usage, ...costUsd }, estimate: 0 };
}

/** What the packages of running attempts take: known only once they are put together. */
export interface SpendLedger {
  /** Notes what an attempt is to read; says no when that passes the run's budget beside the others that run. */
  refuses(task: string, spend: AttemptSpend): (AttemptSpend & { readonly reason: Reason }) | undefined;
  /**
   * Whether a reviewer may read so much, beside all that runs and what the attempt that waits for it took: why not, if it may not.
   * Nothing is noted.
   */
  refusesReview(task: string, soFar: AttemptSpend | undefined, more: AttemptSpend): Reason | undefined;
  end(task: string): void;
}

/** What a package costs its reader before a word is answered. */
export function packageSpend(tokens: number, agent: string, prices: Prices = {}): AttemptSpend {
  const read = packageTokens({ agent, estimate: tokens });
  const cost = costOf({ inputTokens: read }, priceOf(prices, agent));
  return { tokens: read, ...(cost === undefined ? {} : { cost }) };
}

/** A ledger beside a run: its own promises are means, these are the packages as they are. */
export function createSpendLedger(run: RunState): SpendLedger {
  const packages = new Map<string, AttemptSpend>();

  /** Why so much more passes the budget, beside what was taken and what the others that run are to take. */
  function over(task: string, more: AttemptSpend): Reason | undefined {
    const { spending } = run;
    if (spending === undefined) return undefined;
    let { tokens, cost } = spending;
    for (const [other, promised] of spending.promised) {
      if (other === task) continue;
      tokens += Math.max(promised.tokens, packages.get(other)?.tokens ?? 0);
      cost += Math.max(promised.cost, packages.get(other)?.cost ?? 0);
    }
    const { maxTokens = Number.POSITIVE_INFINITY, maxCost = Number.POSITIVE_INFINITY } = spending.limits;
    if (tokens + more.tokens <= maxTokens && cost + (more.cost ?? 0) <= maxCost) return undefined;
    return because("package-unaffordable", { tokens: more.tokens });
  }

  return {
    refuses(task, spend) {
      const reason = over(task, spend);
      if (reason === undefined) packages.set(task, spend);
      else packages.delete(task);
      return reason === undefined ? undefined : { ...spend, reason };
    },
    refusesReview(task, soFar, more) {
      const isOver = over(task, addSpend(soFar ?? packages.get(task), more)) !== undefined;
      return isOver ? because("package-unaffordable", { tokens: more.tokens }) : undefined;
    },
    end: task => void packages.delete(task),
  };
}
