import {
  type AgentRole,
  type Budget,
  byAgent,
  type Level,
  shareUsed,
  THRESHOLDS,
} from "../../budget/index.ts";
import {
  type OutputMemory,
  roleOfTask,
  type Standing,
  shareIn,
  type TaskShare,
  type WindowUse,
  windowUse,
} from "../../context/library/index.ts";
import type { Task } from "../../plan/index.ts";
import { createTokenCache, type TokenCache } from "../../tokens/index.ts";
import type { RunReading } from "../project/reader.ts";
import { type Taken, takenBy } from "../run/aftermath.ts";

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
  readonly finest: Level;
  /** What runs or comes next. */
  readonly next: { readonly task: string; readonly role: AgentRole; readonly tokens: number } | undefined;
  /** What those may hand on that have not ended; empty without a workflow. */
  readonly shares: readonly (TaskShare & { readonly task: string; readonly agent: string })[];
  /** Tokens used after each output, oldest first. */
  readonly history: readonly number[];
  /** What the run has taken in all, as agents reported it or packages were estimated at. */
  readonly spent: Taken & {
    readonly maxTokens: number | undefined;
    readonly maxCost: number | undefined;
  };
}

/** What somebody who watches remembers between two looks. */
export interface BudgetMemory {
  readonly outputs: OutputMemory;
  readonly cache: TokenCache;
}

/** Nothing seen yet. */
export function budgetMemory(): BudgetMemory {
  return { outputs: new Map(), cache: createTokenCache() };
}

function spentFacts(budget: Budget, { stored, invocation }: RunReading): BudgetFacts["spent"] {
  return {
    ...takenBy(stored, budget.prices),
    maxTokens: invocation.maxTokens ?? budget.maxTokens,
    maxCost: invocation.maxCost ?? budget.maxCost,
  };
}

/** What comes next: a running task, else a ready one, else the first that waits. */
function nextTask({ plan }: RunReading, standing: ReadonlyMap<string, Standing>): Task | undefined {
  const first = (...wanted: readonly string[]): Task | undefined =>
    plan.tasks.find(
      task => task.children === undefined && wanted.includes(standing.get(task.id)?.status ?? "pending"),
    );
  return first("in_progress") ?? first("ready") ?? first("pending", "waiting", "paused");
}

/** Share of a window from which on what is carried on is carried in brief. */
const COMPRESS = THRESHOLDS.find(({ name }) => name === "compress")?.at ?? 1;

/** In brief where the run fills most of its window, or what the next task reads does so alone. */
function finestFor(use: WindowUse, task: Task | undefined): Level {
  if (use.finest === 2) return 2;
  const read = task?.dependsOn.reduce((sum, id) => sum + (use.outputs.get(id)?.tokens ?? 0), 0) ?? 0;
  return read >= COMPRESS * use.tracker.total ? 2 : 0;
}

/** Everything the dashboard shows of a run. */
export function budgetFacts(budget: Budget, reading: RunReading, memory: BudgetMemory): BudgetFacts {
  const { plan, stored } = reading;
  const standing = new Map<string, Standing>(stored.tasks.map(row => [row.id, row]));
  const use = windowUse(
    {
      budget,
      tasks: plan.tasks,
      standing: id => standing.get(id),
      attempts: reading.attempts,
      promised: (task, attempt) =>
        shareIn(reading.receipts(task).findLast(row => row.attempt === attempt)?.receipt),
      count: memory.cache.count,
    },
    memory.outputs,
  );
  const { tracker, shares, history } = use;
  const task = nextTask(reading, standing);
  const left = Math.max(0, tracker.total - tracker.used);
  const role = task === undefined ? undefined : roleOfTask(budget, task);
  return {
    total: tracker.total,
    used: tracker.used,
    share: shareUsed(tracker),
    agents: byAgent(tracker).flatMap(({ agent, tokens, calls }) =>
      tokens === 0 ? [] : [{ agent, tokens, calls }],
    ),
    finest: finestFor(use, task),
    next:
      task === undefined || role === undefined
        ? undefined
        : {
            task: task.id,
            role,
            tokens: shares.get(task.id)?.tokens ?? Math.min(role.limits.maxOutput, left),
          },
    shares: plan.tasks.flatMap(one => {
      const own = shares.get(one.id);
      return own === undefined ? [] : [{ task: one.id, agent: roleOfTask(budget, one).label, ...own }];
    }),
    history: history.at(-1) === tracker.used || history.length === 0 ? history : [...history, tracker.used],
    spent: spentFacts(budget, reading),
  };
}
