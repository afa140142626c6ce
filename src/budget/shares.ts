import type { Budget } from "./config/settle.ts";
import type { Slot, Workflow } from "./config/workflow.ts";
import { reallocate, type StageClaims, type StagePlan } from "./stages.ts";

/** A piece of work of a run, as the sharing of its budget sees it. */
export interface Work {
  readonly id: string;
  /** Its agent, as the budget spells it. */
  readonly agent: string;
  /** `open`: it is to come; `settled`: it has begun or ended, with `tokens`; `lent`: what it might have is others' for now. */
  readonly state: "open" | "settled" | "lent";
  /** What it hands on, or may hand on while it runs. */
  readonly tokens?: number;
}

/** Name of the stage of those that the workflow does not foresee. */
export const ADDED_STAGE = "added";

/** The slot of each piece of work: of an agent that comes several times, the first work has the first slot. */
export function slotsOfWork(
  workflow: Workflow,
  work: readonly Pick<Work, "id" | "agent">[],
): ReadonlyMap<string, Slot> {
  const waiting = Map.groupBy(work, ({ agent }) => agent);
  const slots = new Map<string, Slot>();
  for (const slot of workflow.stages.flatMap(stage => stage.slots)) {
    const id = waiting.get(slot.agent)?.shift()?.id;
    if (id !== undefined) slots.set(id, slot);
  }
  return slots;
}

/**
 * What each piece of work that is to come may hand on, when the others have handed on what they have: the workflow's stages
 * by work instead of slots. Slots without work ask for nothing; work of a known agent without a slot shares what the stages
 * leave. Called anew whenever the remaining work changes.
 */
export function shareOut(budget: Budget, workflow: Workflow, work: readonly Work[]): StagePlan {
  const slots = slotsOfWork(workflow, work);
  const bySlot = new Map([...slots].map(([id, slot]) => [slot.id, id]));
  const claim = (id: string, agent: string) => {
    const { vsLevel, limits } = budget.role(agent);
    return { id, weight: budget.weights[vsLevel], cap: limits.maxOutput };
  };
  const stages = workflow.stages.map(
    (stage): StageClaims => ({
      name: stage.name,
      ...(stage.budget === undefined ? {} : { budget: stage.budget }),
      claims: stage.slots.flatMap(({ id, agent }) => {
        const own = bySlot.get(id);
        return own === undefined ? [] : [claim(own, agent)];
      }),
    }),
  );
  const added = work.filter(({ id, agent }) => !slots.has(id) && budget.role(agent).listed);
  const claims = added.map(({ id, agent }) => claim(id, agent));
  const used = new Map(
    work.flatMap(({ id, state, tokens = 0 }) =>
      state === "open" ? [] : [[id, state === "settled" ? tokens : 0] as const],
    ),
  );
  return reallocate([...stages, { name: ADDED_STAGE, claims }], workflow.total, used);
}
