import {
  type AgentRole,
  type Budget,
  byAgent,
  createTracker,
  finestLevel,
  shareUsed,
  type Tracker,
  track,
} from "../../../budget/index.ts";
import { modelsSpentBy, spentBy } from "../../../engine/index.ts";
import type { Task } from "../../../plan/index.ts";
import { createTokenCache, type TokenCache } from "../../../tokens/index.ts";
import type { RunReading } from "../../reader.ts";

/** What a role's outputs take of the window. */
export interface AgentUse {
  readonly agent: string;
  readonly tokens: number;
  readonly calls: number;
}

/** The budget as it stands. */
export interface BudgetFacts {
  /** Tokens the window has for agents' outputs. */
  readonly total: number;
  readonly used: number;
  /** Share of the total, which may pass 1. */
  readonly share: number;
  /** The largest first. */
  readonly agents: readonly AgentUse[];
  /** The finest level at which later outputs are carried on. */
  readonly finest: 0 | 1 | 2 | 3;
  /** What runs or comes next. */
  readonly next: { readonly task: string; readonly role: AgentRole; readonly tokens: number } | undefined;
  /** Tokens used after each output, oldest first. */
  readonly history: readonly number[];
  /** What the run has taken in all, as agents reported it or packages were estimated at. */
  readonly spent: {
    readonly tokens: number;
    readonly cost: number | undefined;
    readonly unpriced: number;
    readonly maxTokens: number | undefined;
    readonly maxCost: number | undefined;
  };
}

/** The role a task is done in: its own, or its agent's name. */
function roleOf(budget: Budget, task: Task): AgentRole {
  return budget.role(task.role ?? task.specialist ?? task.agent ?? task.id);
}

/** Output tokens by task, read once each: an ended attempt does not change. */
export interface OutputCounts {
  tokens(reading: RunReading, task: string): number;
}

/** Counts of finished tasks' outputs, remembered while somebody watches. */
export function outputCounts(cache: TokenCache = createTokenCache()): OutputCounts {
  const known = new Map<string, number>();
  return {
    tokens(reading, task) {
      const key = `${reading.stored.run.id} ${task} ${reading.stored.tasks.find(row => row.id === task)?.attempts}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const done = reading.attempts(task).findLast(({ outcome }) => outcome === "done");
      const tokens = done === undefined ? 0 : cache.count(done.finalMessage);
      known.set(key, tokens);
      return tokens;
    },
  };
}

function spentFacts(budget: Budget, { stored, invocation }: RunReading): BudgetFacts["spent"] {
  const spent = [
    ...stored.usage.map(row => spentBy(row, budget.prices)),
    ...stored.usage.flatMap(row => modelsSpentBy(row) ?? []),
  ];
  const priced = spent.flatMap(one => (one?.cost === undefined ? [] : [one.cost]));
  return {
    tokens: spent.reduce((sum, one) => sum + (one?.tokens ?? 0), 0),
    cost: priced.length === 0 ? undefined : priced.reduce((sum, cost) => sum + cost, 0),
    unpriced: spent.length - priced.length,
    maxTokens: invocation.maxTokens ?? budget.maxTokens,
    maxCost: invocation.maxCost ?? budget.maxCost,
  };
}

/** What comes next: a running task, else a ready one, else the first that waits. */
function nextOf(budget: Budget, reading: RunReading, tracker: Tracker): BudgetFacts["next"] {
  const status = new Map(reading.stored.tasks.map(row => [row.id, row.status]));
  const isWork = (task: Task): boolean => task.children === undefined;
  const first = (...wanted: readonly string[]): Task | undefined =>
    reading.plan.tasks.find(task => isWork(task) && wanted.includes(status.get(task.id) ?? "pending"));
  const task = first("in_progress") ?? first("ready") ?? first("pending", "waiting", "paused");
  if (task === undefined) return undefined;
  const role = roleOf(budget, task);
  return {
    task: task.id,
    role,
    tokens: Math.max(0, Math.min(role.limits.maxOutput, tracker.total - tracker.used)),
  };
}

/** Everything the dashboard shows of a run. */
export function budgetFacts(budget: Budget, reading: RunReading, counts: OutputCounts): BudgetFacts {
  const tracker = createTracker(budget.window.outputs, budget.prices);
  const done = new Set(
    reading.stored.tasks.filter(({ status }) => status === "completed").map(({ id }) => id),
  );
  const history: number[] = [];
  for (const task of reading.plan.tasks) {
    if (!done.has(task.id)) continue;
    const outputTokens = counts.tokens(reading, task.id);
    if (outputTokens === 0) continue;
    track(tracker, { agent: roleOf(budget, task).label, attempt: task.id, usage: { outputTokens } });
    history.push(tracker.used);
  }
  return {
    total: tracker.total,
    used: tracker.used,
    share: shareUsed(tracker),
    agents: byAgent(tracker).map(({ agent, tokens, calls }) => ({ agent, tokens, calls })),
    finest: finestLevel(tracker),
    next: nextOf(budget, reading, tracker),
    history,
    spent: spentFacts(budget, reading),
  };
}
