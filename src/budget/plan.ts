import type { Claim } from "./allocate.ts";
import type { Budget } from "./config/settle.ts";
import type { Workflow } from "./config/workflow.ts";
import { allocateStages, reallocate, type StageClaims, type StagePlan } from "./stages.ts";

/** A workflow's slots as claims: weight by VS level, cap by the agent's largest output. */
export function claimsOf(budget: Budget, workflow: Workflow): StageClaims[] {
  return workflow.stages.map(stage => ({
    name: stage.name,
    ...(stage.budget === undefined ? {} : { budget: stage.budget }),
    claims: stage.slots.map(({ id, agent }): Claim => {
      const { vsLevel, limits } = budget.role(agent);
      return { id, weight: budget.weights[vsLevel], cap: limits.maxOutput };
    }),
  }));
}

/** What every slot of a workflow may hand on, before anything is spent; with `used`, what those to come still may. */
export function planWorkflow(
  budget: Budget,
  workflow: Workflow,
  used: ReadonlyMap<string, number> = new Map(),
): StagePlan {
  const claims = claimsOf(budget, workflow);
  return used.size === 0
    ? allocateStages(claims, workflow.budget)
    : reallocate(claims, workflow.budget, used);
}
