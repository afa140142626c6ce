import type { Level } from "../levels.ts";
import type { BudgetProblem } from "./problem.ts";
import type { WorkflowInput } from "./schema.ts";

/** One run of an agent in a workflow. */
export interface Slot {
  /** `02`, and `02#2` where it runs a second time. */
  readonly id: string;
  readonly agent: string;
  readonly critical: boolean;
  /** Why it is critical, in the configuration's words. */
  readonly why: string;
  /** The finest level at which its output is carried on. */
  readonly finest: Level;
}

export interface Stage {
  readonly name: string;
  readonly budget: number | undefined;
  readonly rationale: string;
  readonly slots: readonly Slot[];
}

export interface Workflow {
  readonly name: string;
  /** What its stages share. */
  readonly budget: number;
  /** What its agents may hand on in all: as configured, else what the window has for outputs. */
  readonly total: number;
  readonly stages: readonly Stage[];
}

/** Levels at which an agent named compressible is carried on. */
const COMPRESSIBLE: Level = 2;

/** What a workflow may have, and whether the user wrote it: the document's own are cut to size without complaint. */
interface Room {
  readonly most: number;
  readonly own: boolean;
}

/** One shape for both of the document's: stages of slots, with budgets that fit. */
export function settleWorkflow(
  name: string,
  input: WorkflowInput,
  { most, own }: Room,
  problems: BudgetProblem[],
): Workflow {
  const path = ["workflows", name];
  const problem = (message: string): void => void problems.push({ path, message });
  if (input.stages === undefined && input.agents === undefined) problem("it has neither stages nor agents");
  if (input.stages !== undefined && input.agents !== undefined)
    problem("it has both stages and agents; name agents in their stages");
  const given = input.stages ?? { [name]: { agents: input.agents ?? [] } };
  const named = Object.values(given).reduce((sum, stage) => sum + (stage.budget ?? 0), 0);
  const wanted =
    input.total_budget ?? (Object.values(given).every(stage => stage.budget !== undefined) ? named : most);
  if (own && wanted > most)
    problem(
      `its budget ${wanted} is larger than what the window has for outputs (${most}); lower it or raise agent_outputs`,
    );
  if (own && named > wanted) problem(`its stages ask for ${named}, but its total_budget is ${wanted}`);
  const budget = Math.min(wanted, most);
  const scale = named > budget ? budget / named : 1;
  const critical = new Map(input.critical_agents.map(({ id, why }) => [id, why]));
  const compressible = new Set(input.compressible_agents);
  const times = new Map<string, number>();
  const stages = Object.entries(given).map(
    ([stage, part]): Stage => ({
      name: stage,
      budget: part.budget === undefined ? undefined : Math.floor(part.budget * scale),
      rationale: part.rationale ?? "",
      slots: part.agents.map((agent): Slot => {
        const time = (times.get(agent) ?? 0) + 1;
        times.set(agent, time);
        const isCritical = critical.has(agent);
        const finest = isCritical ? 0 : compressible.has(agent) ? COMPRESSIBLE : (part.compression ?? 0);
        return {
          id: time === 1 ? agent : `${agent}#${time}`,
          agent,
          critical: isCritical,
          why: critical.get(agent) ?? "",
          finest,
        };
      }),
    }),
  );
  for (const id of [...critical.keys(), ...compressible])
    if (!times.has(id)) problem(`agent ${id} is called critical or compressible but takes no part`);
  for (const id of compressible)
    if (critical.has(id)) problem(`agent ${id} is both critical and compressible`);
  return { name, budget, total: Math.min(input.total_budget ?? most, most), stages };
}
