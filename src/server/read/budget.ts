import {
  type Budget,
  byAgent,
  costOf,
  createTracker,
  priceOf,
  shareUsed,
  tokensOf,
  track,
} from "../../budget/index.ts";
import { byLabel, leadFromRows } from "../../engine/context/rows.ts";
import type { AttemptRow, StoredContext } from "../../ports/index.ts";
import { DEFAULT_SYNC_POLICY } from "../../sync/index.ts";
import type { Reading } from "../lookout.ts";
import type { BudgetShape, Spender } from "../shapes/budget.ts";
import { shown } from "../shown.ts";
import { sentTo } from "./context.ts";

/** Points of the curve; more are thinned out. */
const POINTS = 600;

/** Every n-th point, and always the last. */
function thinned<T>(points: readonly T[]): T[] {
  const step = Math.ceil(points.length / POINTS);
  return step <= 1 ? [...points] : points.filter((_, at) => at % step === 0 || at === points.length - 1);
}

function spending(ended: readonly AttemptRow[], budget: Budget): BudgetShape["spending"] {
  let [tokens, cost] = [0, 0];
  const points = ended
    .toSorted((a, b) => a.endedAt - b.endedAt)
    .map(({ endedAt, agent, usage = {} }): [number, number, number] => {
      tokens += tokensOf(usage);
      cost += costOf(usage, priceOf(budget.prices, agent)) ?? 0;
      return [endedAt, Math.round(tokens), cost];
    });
  return thinned(points);
}

function stages({ plan }: Reading, ended: readonly AttemptRow[]): Spender[] {
  const phaseOf = new Map(plan.tasks.map(task => [task.id, String(task.phase)]));
  const sums = new Map<string, { tokens: number; costUsd: number; calls: number }>();
  for (const { phase } of plan.phases) sums.set(String(phase), { tokens: 0, costUsd: 0, calls: 0 });
  for (const { task, usage = {} } of ended) {
    const sum = sums.get(phaseOf.get(task) ?? "");
    if (sum === undefined) continue;
    sum.tokens += tokensOf(usage);
    sum.costUsd += usage.costUsd ?? 0;
    sum.calls++;
  }
  return [...sums].map(([name, { tokens, costUsd, calls }]) => ({
    name,
    tokens: Math.round(tokens),
    costUsd,
    calls,
  }));
}

/** What keeping documents in step cost, and what whole documents would have. A version's tokens are told from its bytes. */
function updates(context: StoredContext): BudgetShape["updates"] {
  let [messages, sent, full] = [0, 0, 0];
  for (const rows of byLabel(context).values()) {
    const bytes = rows.versions.at(-1)?.bytes ?? 0;
    for (const mate of leadFromRows(rows, DEFAULT_SYNC_POLICY).teammates.values()) {
      const to = sentTo(mate);
      const whole = mate.sizes.full;
      // What was sent whole tells what a whole document takes; else four bytes are a token, which flatters nobody.
      const each = whole.messages > 0 ? whole.tokens / whole.messages : bytes / 4;
      messages += to.messages;
      sent += to.tokens;
      full += to.messages * each;
    }
  }
  return { messages, sent, full: Math.round(full) };
}

/** The role of the task that goes next, and what it may hand on. */
function nextOf({ plan, stored }: Reading, budget: Budget): BudgetShape["next"] {
  const ready = new Set(stored.tasks.filter(row => row.status === "ready").map(row => row.id));
  const task = plan.tasks.find(candidate => ready.has(candidate.id));
  if (task === undefined) return undefined;
  const role = budget.role(task.role ?? task.specialist ?? task.agent ?? "");
  return { task: task.id, role: shown(role.label), tokens: role.limits.maxOutput, level: role.vsLevel };
}

/** What the run has taken so far. `ended` are the attempts that reported something. */
export function budgetShape(
  reading: Reading,
  ended: readonly AttemptRow[],
  context: StoredContext,
  budget: Budget,
): BudgetShape {
  const tracker = createTracker(budget.window.outputs, budget.prices);
  let [input, cached] = [0, 0];
  for (const { task, number, agent, usage, estimate } of ended) {
    track(tracker, { agent, attempt: `${task}#${number}`, estimate, usage });
    input += usage?.inputTokens ?? 0;
    cached += usage?.cachedTokens ?? 0;
  }
  const next = nextOf(reading, budget);
  const { maxTokens, maxCost } = budget;
  return {
    total: budget.window.outputs,
    window: budget.window.total,
    used: Math.round(tracker.used),
    costUsd: tracker.cost,
    unpriced: tracker.unpriced,
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    compression: shareUsed(tracker) < 0.7 ? "normal" : (tracker.standing.at(-1) ?? "normal"),
    agents: byAgent(tracker).map(({ agent, tokens, cost, calls }) => ({
      name: shown(agent),
      tokens: Math.round(tokens),
      ...(cost === undefined ? {} : { costUsd: cost }),
      calls,
    })),
    stages: stages(reading, ended),
    ...(next === undefined ? {} : { next }),
    spending: spending(ended, budget),
    input: Math.round(input),
    cached: Math.round(cached),
    updates: updates(context),
  };
}
