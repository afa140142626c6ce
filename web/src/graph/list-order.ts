import type { TaskCard, TaskNow } from "../../../src/server/shapes/run.ts";
import { countStands, doneIn, totalOf } from "../parts/stand.ts";

type Phases = readonly { readonly label: string; readonly title: string }[];

/** Tasks that wait for a person, tasks at work, and the phases in the order in which they are worth reading. */
export interface ListOrder {
  readonly needs: readonly TaskCard[];
  readonly running: readonly TaskCard[];
  /** Those with something left to do first, finished ones last; else as in the plan. */
  readonly order: Phases;
}

/** How a list is best read. Linear. */
export function listOrder(
  phases: Phases,
  plan: readonly TaskCard[],
  tasks: ReadonlyMap<string, TaskNow>,
): ListOrder {
  const groups = Map.groupBy(plan, card => card.phase);
  const isOver = ({ label }: Phases[number]) => {
    const counts = countStands(groups.get(label) ?? [], tasks);
    return doneIn(counts) === totalOf(counts);
  };
  const over = new Set(phases.filter(isOver));
  return {
    needs: plan.filter(({ id }) => tasks.get(id)?.ask !== undefined),
    running: plan.filter(({ id }) => tasks.get(id)?.since !== undefined),
    order: [...phases.filter(phase => !over.has(phase)), ...phases.filter(phase => over.has(phase))],
  };
}
