import { z } from "zod";
import type { Plan } from "../../plan/index.ts";
import type { Invocation } from "./invocation.ts";

const Stored = z.object({
  plan: z.looseObject({ tasks: z.array(z.looseObject({ id: z.string(), text: z.string() })) }),
  invocation: z.object({
    agent: z.string().optional(),
    command: z.string().optional(),
    parallel: z.union([z.number(), z.literal("declared")]).optional(),
    allowMissing: z.boolean().optional(),
    plan: z.enum(["reconcile", "frozen"]).optional(),
    maxTokens: z.number().optional(),
    maxCost: z.number().optional(),
    on: z.string().optional(),
    onBy: z.enum(["flag", "config"]).optional(),
    target: z.string().optional(),
  }),
});

/** The plan and the flags of a run, as its row keeps them. */
export function storedPlanJson(plan: Plan, invocation: Invocation): string {
  // How an edited file is met is decided at each start; it does not stick to the run.
  return JSON.stringify({ plan, invocation: { ...invocation, plan: undefined } });
}

/** Reads them back; undefined when the row was made by something else. */
export function readStoredPlan(json: string): { plan: Plan; invocation: Invocation } | undefined {
  try {
    const { plan, invocation } = Stored.parse(JSON.parse(json));
    return { plan: plan as unknown as Plan, invocation };
  } catch {
    return undefined;
  }
}
