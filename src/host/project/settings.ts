import { settleBudget } from "../../budget/index.ts";
import { accountOf, type Config } from "../../config/index.ts";
import type { TreeOptions } from "../../context/library/index.ts";
import {
  candidatesOf,
  type EngineOptions,
  type KnownAgents,
  modelsSpentBy,
  reviewerOf,
  spentBy,
} from "../../engine/index.ts";
import type { ContextNodeDeclaration, Task } from "../../plan/index.ts";
import { KNOWN_AGENTS, type UsageRow } from "../../ports/index.ts";
import {
  createSpending,
  DEFAULT_POLICY,
  type ResourceRules,
  type RunPolicy,
  type Spending,
} from "../../run/index.ts";
import type { SyncPolicy } from "../../sync/index.ts";
import { messagesFor } from "../../text/index.ts";
import { SCAN_LIMITS } from "../../tree/index.ts";
import type { Invocation } from "./invocation.ts";
import { storedPlanJson } from "./stored-plan.ts";

/** Flags given now outrank those the run was started with. */
export function mergeInvocations(before: Invocation, now: Invocation): Invocation {
  const given = Object.entries(now).filter(([, value]) => value !== undefined);
  const merged: Invocation = { ...before, ...Object.fromEntries(given) };
  // A new command line without a name means the agent it is the command line of.
  return now.command !== undefined && now.agent === undefined ? { ...merged, agent: "command" } : merged;
}

/** The rules of a run, from configuration and flags. `isOneFolder`: agents at once would write one folder. */
export function policyOf(
  config: Config,
  invocation: Invocation,
  advance: RunPolicy["advance"],
  isOneFolder = false,
): RunPolicy {
  const usual = isOneFolder ? 1 : DEFAULT_POLICY.parallel;
  const wanted = invocation.parallel ?? config.parallel ?? usual;
  const agent = invocation.agent ?? config.agent;
  const parallel = wanted === "declared" ? DEFAULT_POLICY.parallel : wanted;
  return {
    parallel,
    parallelMode: wanted === "declared" ? "declared" : "auto",
    maxAttempts: config.maxAttempts,
    sameErrorLimit: config.sameError,
    phaseGate: config.phaseGate,
    backoffMs: config.backoff.first,
    backoffMaxMs: config.backoff.max,
    advance,
    settlePhases: false,
    // A lead gives each task to one agent of its own, and has nothing reviewed.
    resources:
      advance === "asked"
        ? resourceRules({ ...config, review: undefined }, knownAgents(config, agent), 1)
        : resourceRules(config, knownAgents(config, agent), parallel),
  };
}

/** What only so many tasks may use at once, where so many agents work at once in all. */
export function resourceRules(
  { resources, agents, review }: Pick<Config, "resources" | "agents"> & Pick<EngineOptions, "review">,
  known: KnownAgents,
  parallel: number,
  offers?: (name: string) => number,
): ResourceRules {
  const caps = new Map(Object.entries(resources));
  const limits = {
    caps,
    offers,
    accountOf: (name: string) => accountOf(agents, name),
    reviewerOf(task: Task) {
      const reviewer = reviewerOf(task, task.run === undefined ? "signal" : "exit", { review });
      return reviewer !== undefined && "agent" in reviewer ? reviewer.agent : undefined;
    },
  };
  return { ...limits, agentsOf: task => candidatesOf(task, known, { parallel, ...limits }) };
}

/** The agents that a configuration knows; `defaultAgent` works on tasks that name none. */
function knownAgents({ roles, agents }: Pick<Config, "roles" | "agents">, defaultAgent: string): KnownAgents {
  return {
    agents: new Set([...KNOWN_AGENTS, ...Object.keys(agents)]),
    roles: new Map(Object.entries(roles)),
    defaultAgent,
  };
}

/** What a run may take, and what its ended attempts have taken; undefined for a run without a limit. */
export function spendingOf(
  config: Config,
  invocation: Invocation,
  before: readonly UsageRow[],
): Spending | undefined {
  const maxTokens = invocation.maxTokens ?? config.budget.maxTokens;
  const maxCost = invocation.maxCost ?? config.budget.maxCost;
  if (maxTokens === undefined && maxCost === undefined) return undefined;
  const spent = before.map(row => spentBy(row, config.budget.prices));
  return createSpending(
    { maxTokens, maxCost },
    spent.filter(one => one !== undefined),
    before.flatMap(row => modelsSpentBy(row) ?? []),
  );
}

/** How the shared context is kept in step. */
export function contextPolicy({ context }: Config): SyncPolicy {
  const { maxGap, majorRestructure, ackTimeout, maxSends, routing } = context;
  const { keepVersions, keepEnded, stampVersion } = context;
  const points = context.points as SyncPolicy["points"];
  return {
    maxGap,
    majorRestructure,
    ackTimeoutMs: ackTimeout,
    maxSends,
    routing,
    keepVersions,
    keepEnded,
    stampVersion,
    points,
  };
}

/** How the context tree is used. */
export function treeOptions({ context, budget: wanted }: Config): TreeOptions {
  const budget = settleBudget(wanted);
  const { addContext, handover, learn, research, package: given, prompts } = context;
  const { earlier, ...limits } = given;
  const { worker, contextFill } = prompts;
  return {
    limits,
    earlier,
    addContext: addContext.when,
    addScope: addContext.scope,
    scan: SCAN_LIMITS,
    handover,
    learn,
    research,
    ...(budget.ok ? { budget: budget.value } : {}),
    prompts: {
      ...(worker === undefined ? {} : { worker }),
      ...(contextFill === undefined ? {} : { contextFill }),
    },
  };
}

/** The nodes of the context tree that the configuration declares. */
export function configuredNodes({ context }: Config): ContextNodeDeclaration[] {
  return Object.entries(context.tree).map(([id, { parent, shared, documents }]) => ({
    id,
    ...(parent === undefined ? {} : { parent }),
    ...(shared.length === 0 ? {} : { shared }),
    ...(documents.length === 0 ? {} : { documents }),
  }));
}

/** What the models of agents are called: by their own settings, else as far as their command lines tell. */
function agentModels({ agents }: Config, command: string | undefined): Map<string, string> {
  const models = Object.entries(agents).map(
    ([name, { model, preset, command: line, acp }]) =>
      [name, model ?? preset ?? line ?? acp ?? name] as const,
  );
  return new Map([...(command === undefined ? [] : [["command", command] as const]), ...models]);
}

/** What the engine needs to know besides the run. */
export function engineOptions(
  config: Config,
  invocation: Invocation,
  runId: string,
  cwd: string,
): EngineOptions {
  return {
    runId,
    cwd,
    messages: messagesFor(config.locale),
    limits: {
      wallMs: config.limits.wall,
      idleMs: config.limits.idle,
      graceMs: config.limits.grace,
      logBytes: config.limits.log,
    },
    signals: config.signals,
    ...knownAgents(config, invocation.agent ?? config.agent),
    fallback: config.fallback,
    accountOf: name => accountOf(config.agents, name),
    verify: config.verify,
    test: config.test,
    tdd: config.tdd,
    review: config.review,
    phaseVerify: config.phase.verify,
    conflicts: config.git.conflicts,
    heartbeatMs: config.heartbeat,
    prices: config.budget.prices,
    models: agentModels(config, invocation.command ?? config.command),
    context: contextPolicy(config),
    staleContext: config.context.stale,
    tree: treeOptions(config),
    planJson: plan => storedPlanJson(plan, invocation),
  };
}
