import { fail, ok, type Result } from "../../ports/index.ts";
import { templateLevel, templateProblems } from "../../summary/index.ts";
import type { VsLevel } from "../levels.ts";
import { readVsLevel, VS_LEVELS } from "../levels.ts";
import type { PriorityWeights } from "../priority.ts";
import type { Prices } from "../spend/money.ts";
import type { BudgetProblem } from "./problem.ts";
import type { BudgetInput, LimitsInput, WorkflowInput } from "./schema.ts";
import { settleTiers, type Tiers } from "./tiers.ts";
import { settleWorkflow, type Workflow } from "./workflow.ts";

/** What one agent may hand on. */
export interface AgentLimits {
  readonly maxOutput: number;
  /** Outputs above are summarised. */
  readonly summaryThreshold: number;
}

/** An agent by what its id and configuration say of it. */
export interface AgentRole {
  readonly id: string;
  /** `02-theoretical` where a name is known, else the id. */
  readonly label: string;
  readonly vsLevel: VsLevel;
  readonly limits: AgentLimits;
  /** Whether the configuration lists it; others are taken for `light_vs`. */
  readonly listed: boolean;
}

/** The parts of the window. They sum to `total`. */
export interface WindowParts {
  readonly total: number;
  readonly system: number;
  readonly user: number;
  readonly outputs: number;
  readonly buffer: number;
}

/** A budget configuration that makes sense. */
export interface Budget {
  readonly window: WindowParts;
  readonly weights: Readonly<Record<VsLevel, number>>;
  readonly priority: PriorityWeights;
  readonly prices: Prices;
  readonly workflows: ReadonlyMap<string, Workflow>;
  /** The one that decides how outputs are carried on; undefined: each as it fits. */
  readonly workflow: Workflow | undefined;
  readonly tiers: Tiers;
  readonly templates: BudgetInput["summary_templates"];
  readonly maxTokens: number | undefined;
  readonly maxCost: number | undefined;
  /** The role of any agent, also of one that no configuration names. */
  role(id: string): AgentRole;
}

/** The document's limits and lists. */
const LIMITS: Readonly<Record<VsLevel, AgentLimits & { readonly agents: readonly string[] }>> = {
  full_vs: { maxOutput: 8000, summaryThreshold: 6000, agents: "02 03 05 10 16".split(" ") },
  enhanced_vs: { maxOutput: 5000, summaryThreshold: 4000, agents: "01 04 06 07 08 09".split(" ") },
  light_vs: { maxOutput: 3000, summaryThreshold: 2500, agents: "11 12 13 14 15 17 18 19 20".split(" ") },
};

/** The names the document gives. */
const NAMES: Readonly<Record<string, string>> = {
  "02": "theoretical",
  "03": "devils",
  "05": "literature",
  "10": "statistical",
};

/** Shares of the window when only its size is given: the document's numbers at 200,000. */
const SYSTEM = 0.025;
const USER = 0.05;
const BUFFER = 0.175;

function settleWindow(input: BudgetInput, problems: BudgetProblem[]): WindowParts {
  const { total_available: total, allocation } = input.context_budget;
  const system = allocation.system_prompt ?? Math.round(total * SYSTEM);
  const user = allocation.user_context ?? Math.round(total * USER);
  const rest = total - system - user;
  const buffer =
    allocation.buffer ??
    (allocation.agent_outputs === undefined
      ? Math.round(total * BUFFER)
      : Math.max(0, rest - allocation.agent_outputs));
  const outputs = allocation.agent_outputs ?? Math.max(0, rest - buffer);
  const sum = system + user + outputs + buffer;
  if (sum !== total) {
    const off = sum > total ? `${sum - total} too many` : `${total - sum} too few`;
    problems.push({
      path: ["context_budget", "allocation"],
      message: `the parts add up to ${sum}, but total_available is ${total}: ${off}; leave one part out and it takes the rest`,
    });
  }
  return { total, system, user, outputs, buffer };
}

/** The limits by VS level, whichever way it is spelt. */
function limitsGiven(input: BudgetInput, problems: BudgetProblem[]): Map<VsLevel, LimitsInput> {
  const given = new Map<VsLevel, LimitsInput>();
  for (const [name, limits] of Object.entries(input.context_budget.per_agent_limits ?? {})) {
    const level = readVsLevel(name);
    const path = ["context_budget", "per_agent_limits", name];
    if (level === undefined)
      problems.push({ path, message: `unknown VS level "${name}"; known: ${VS_LEVELS.join(", ")}` });
    else if (given.has(level)) problems.push({ path, message: `${level} is given twice` });
    else given.set(level, limits);
  }
  return given;
}

function settleRoles(input: BudgetInput, problems: BudgetProblem[]): (id: string) => AgentRole {
  const given = limitsGiven(input, problems);
  const levelOf = new Map<string, VsLevel>();
  const limits = new Map<VsLevel, AgentLimits>();
  for (const level of VS_LEVELS) {
    const own = given.get(level);
    limits.set(level, {
      maxOutput: own?.max_output ?? LIMITS[level].maxOutput,
      summaryThreshold: own?.summary_threshold ?? LIMITS[level].summaryThreshold,
    });
    const path = ["context_budget", "per_agent_limits", level];
    if (own !== undefined && own.summary_threshold > own.max_output)
      problems.push({
        path,
        message: `summary_threshold ${own.summary_threshold} is above max_output ${own.max_output}`,
      });
    for (const id of own?.agents ?? (given.size === 0 ? LIMITS[level].agents : [])) {
      const other = levelOf.get(id);
      if (other !== undefined && other !== level)
        problems.push({ path, message: `agent ${id} is listed under ${other} too` });
      levelOf.set(id, level);
    }
  }
  const names = new Map([...Object.entries(NAMES), ...Object.entries(input.names)]);
  const byName = new Map(
    [...names].flatMap(([id, name]) => [[name, id] as const, [`${id}-${name}`, id] as const]),
  );
  return asked => {
    const id = byName.get(asked) ?? numberIn(asked, levelOf) ?? asked;
    const name = names.get(id);
    const vsLevel = levelOf.get(id) ?? "light_vs";
    return {
      id,
      label: name === undefined ? id : `${id}-${name}`,
      vsLevel,
      limits: limits.get(vsLevel)!,
      listed: levelOf.has(id),
    };
  };
}

/** `02-theoretical-framework-architect` is agent 02 where that is known. */
function numberIn(asked: string, known: ReadonlyMap<string, VsLevel>): string | undefined {
  const dash = asked.indexOf("-");
  const head = dash < 0 ? asked : asked.slice(0, dash);
  return known.has(head) ? head : undefined;
}

/** The document's two workflows, for those that name none of their own under the same names. */
const WORKFLOWS: Readonly<Record<string, WorkflowInput>> = {
  full_research_cycle: {
    stages: {
      planning: { agents: "01 02 03 04".split(" "), budget: 30_000, compression: 1 },
      literature: { agents: "05 06 07 08".split(" "), budget: 35_000, compression: 1 },
      methods: { agents: "09 10 11 12".split(" "), budget: 30_000, compression: 2 },
      validation: { agents: "13 14 15 16".split(" "), budget: 25_000, compression: 2 },
      publication: { agents: "17 18 19 20".split(" "), budget: 20_000, compression: 3 },
    },
    critical_agents: [],
    compressible_agents: [],
  },
  meta_analysis: {
    agents: "01 02 05 06 07 10 12 16 17".split(" "),
    total_budget: 100_000,
    critical_agents: [
      { id: "05", why: "search strategy" },
      { id: "07", why: "effect sizes" },
      { id: "10", why: "analysis methods" },
    ],
    compressible_agents: "01 02 16 17".split(" "),
  },
};

function checkTemplates(templates: BudgetInput["summary_templates"], problems: BudgetProblem[]): void {
  for (const [name, { format }] of Object.entries(templates)) {
    const path = ["summary_templates", name];
    if (templateLevel(name) === undefined)
      problems.push({
        path,
        message: "it is of no level; known: level_1_detailed, level_2_brief, level_3_key",
      });
    const unfilled = templateProblems(format).map(one => `{${one}}`);
    if (unfilled.length > 0)
      problems.push({ path: [...path, "format"], message: `nothing fills ${unfilled.join(", ")}` });
  }
}

/** Checks what a schema cannot, and fills in the document's values. */
export function settleBudget(input: BudgetInput): Result<Budget, readonly BudgetProblem[]> {
  const problems: BudgetProblem[] = [];
  const window = settleWindow(input, problems);
  const role = settleRoles(input, problems);
  const workflows = new Map<string, Workflow>();
  for (const [name, workflow] of Object.entries({ ...WORKFLOWS, ...input.workflows }))
    workflows.set(
      name,
      settleWorkflow(
        name,
        workflow,
        { most: window.outputs, own: Object.hasOwn(input.workflows, name) },
        problems,
      ),
    );
  const workflow = input.workflow === undefined ? undefined : workflows.get(input.workflow);
  if (input.workflow !== undefined && workflow === undefined)
    problems.push({
      path: ["workflow"],
      message: `no workflow "${input.workflow}"; known: ${[...workflows.keys()].join(", ")}`,
    });
  const tiers = settleTiers(input.context_cache, problems);
  checkTemplates(input.summary_templates, problems);
  if (problems.length > 0) return fail(problems);
  return ok({
    window,
    weights: input.weights,
    priority: input.priority,
    prices: input.prices,
    workflows,
    workflow,
    tiers,
    templates: input.summary_templates,
    maxTokens: input.maxTokens,
    maxCost: input.maxCost,
    role,
  });
}
