import { type BudgetItem, CEILINGS, type Level, type Offer, RETENTION } from "../../src/budget/index.ts";

const SIZES: Readonly<Record<"full" | "enhanced" | "light", readonly [number, number]>> = {
  full: [4000, 8000],
  enhanced: [2500, 5000],
  light: [1200, 3000],
};

/** Agent outputs of the document's sizes with their four levels; retention varies around what was measured. */
export function outputs(count: number, next: () => number): BudgetItem[] {
  const kinds = ["full", "enhanced", "light"] as const;
  return Array.from({ length: count }, (_, at): BudgetItem => {
    const [low, high] = SIZES[kinds[Math.floor(next() * 3)]!];
    const full = Math.floor(low + next() * (high - low));
    const offers = RETENTION.map((mean, level): Offer => {
      const most = level === 0 ? full : Math.min(full, CEILINGS[level as 1 | 2 | 3]);
      const tokens = level === 0 ? full : Math.ceil(most * (0.6 + 0.4 * next()));
      const retention = level === 0 ? 1 : Math.min(0.99, Math.max(0.05, mean + (next() - 0.5) * 0.2));
      return { level: level as Level, tokens, retention };
    });
    return { id: `A${at}`, offers, priority: 0.2 + 0.8 * next() };
  });
}

/** The best possible worth, by dynamic programming over every single token. */
export function optimum(items: readonly BudgetItem[], budget: number): number {
  let best = new Float64Array(budget + 1);
  for (const { offers, priority } of items) {
    const next = Float64Array.from(best);
    for (const { tokens, retention } of offers) {
      const worth = priority * retention;
      for (let room = tokens; room <= budget; room++) {
        const value = best[room - tokens]! + worth;
        if (value > next[room]!) next[room] = value;
      }
    }
    best = next;
  }
  return best[budget]!;
}

/** The document's `select_context_to_preserve`: by priority, in full while it fits, else at level 2 whether it fits or not. */
export function documentsOwn(
  items: readonly BudgetItem[],
  budget: number,
  made: "as-written" | "to-fit",
): { readonly tokens: number; readonly value: number } {
  let tokens = 0;
  let value = 0;
  for (const { offers, priority } of [...items].sort((a, b) => b.priority - a.priority)) {
    const [full, , brief] = offers;
    const chosen = tokens + full!.tokens <= budget ? full! : brief!;
    if (made === "to-fit" && tokens + chosen.tokens > budget) continue;
    tokens += chosen.tokens;
    value += priority * chosen.retention;
  }
  return { tokens, value };
}
