import type { BudgetItem } from "./item.ts";

/** The share of an item's worth that stays when all it tells is told already: its words still help. */
const TOLD = 0.2;

export interface Repeats {
  /** By item: the factor, 0 to 1, that what others tell leaves of its worth. */
  readonly worths: readonly number[];
  /** Items whose content another one has: position → position of that one. */
  readonly standsIn: ReadonlyMap<number, number>;
}

function before(a: BudgetItem, b: BudgetItem): number {
  const rank = (item: BudgetItem): number => (item.pinned === true ? 0 : item.critical === true ? 1 : 2);
  return rank(a) - rank(b) || b.priority - a.priority;
}

/**
 * Counts repetition once: of items with one content the worthiest stands for all, and a fact that a worthier item tells
 * adds nothing to the others.
 */
export function withoutRepeats(items: readonly BudgetItem[]): Repeats {
  const order = items.map((_, at) => at).sort((a, b) => before(items[a]!, items[b]!));
  const first = new Map<string | undefined, number>();
  const standsIn = new Map<number, number>();
  const told = new Set<string>();
  const worths = items.map(() => 1);
  for (const at of order) {
    const { content, facts } = items[at]!;
    const same = first.get(content);
    if (same !== undefined) {
      standsIn.set(at, same);
      continue;
    }
    if (content !== undefined) first.set(content, at);
    if (facts === undefined || facts.length === 0) continue;
    const fresh = facts.filter(fact => !told.has(fact));
    worths[at] = TOLD + (1 - TOLD) * (fresh.length / facts.length);
    for (const fact of fresh) told.add(fact);
  }
  return { worths, standsIn };
}
