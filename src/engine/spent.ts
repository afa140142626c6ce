import { costOf, type Prices, priceOf, tokensOf } from "../budget/index.ts";
import type { AttemptRow } from "../ports/index.ts";
import type { AttemptSpend, RunState } from "../run/index.ts";

/** What an attempt took: as its agent reported, else as its package was estimated; undefined when nobody knows. */
export function spentBy(
  row: Pick<AttemptRow, "agent" | "usage" | "estimate">,
  prices: Prices = {},
): AttemptSpend | undefined {
  const { agent, usage, estimate } = row;
  if (usage === undefined && estimate === undefined) return undefined;
  const reported = usage === undefined ? 0 : tokensOf(usage);
  const tokens = reported > 0 ? reported : (estimate ?? 0);
  const price = priceOf(prices, agent);
  const tells = usage !== undefined && (reported > 0 || usage.costUsd !== undefined);
  const cost = tells ? costOf(usage, price) : costOf({ inputTokens: tokens }, price);
  return { tokens, ...(cost === undefined ? {} : { cost }) };
}

/** What the packages of running attempts take: known only once they are put together. */
export interface SpendLedger {
  /** Notes what an attempt is to read; says no when that passes the run's budget beside the others that run. */
  refuses(task: string, tokens: number): { readonly tokens: number; readonly reason: string } | undefined;
  end(task: string): void;
}

/** A ledger beside a run: its own promises are means, these are the packages as they are. */
export function createSpendLedger(run: RunState): SpendLedger {
  const packages = new Map<string, number>();
  return {
    refuses(task, tokens) {
      const { spending } = run;
      const most = spending?.limits.maxTokens;
      if (spending === undefined || most === undefined) return undefined;
      let beside = 0;
      for (const [other, promised] of spending.promised)
        if (other !== task) beside += Math.max(promised.tokens, packages.get(other) ?? 0);
      packages.set(task, tokens);
      if (spending.tokens + beside + tokens <= most) return undefined;
      packages.delete(task);
      return { tokens, reason: `its package of ${tokens} tokens does not fit the run's budget now` };
    },
    end: task => void packages.delete(task),
  };
}
