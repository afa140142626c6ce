import { byLabel, leadFromRows } from "../../context/shared/rows.ts";
import { modelsSpentBy, reviewersSpentBy, spentBy } from "../../engine/index.ts";
import type { BudgetFacts, Monitor, Reading } from "../../host/monitor/types.ts";
import type { AttemptRow, StoredContext } from "../../ports/index.ts";
import { DEFAULT_SYNC_POLICY } from "../../sync/index.ts";
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

/** What one ended attempt took, or somebody for it. */
interface Taken {
  readonly row: AttemptRow;
  /** Its agent, or its reviewer; empty for what put its package together. */
  readonly name: string;
  readonly tokens: number;
  readonly cost: number | undefined;
}

function takenFor(row: AttemptRow, prices: Monitor["prices"]): Taken[] {
  const own = spentBy(row, prices);
  const reviewers = reviewersSpentBy(row);
  const models = modelsSpentBy(row);
  const others = (models?.tokens ?? 0) - reviewers.reduce((sum, [, { tokens }]) => sum + tokens, 0);
  const cost = (models?.cost ?? 0) - reviewers.reduce((sum, [, one]) => sum + (one.cost ?? 0), 0);
  return [
    ...(own === undefined ? [] : [{ row, name: row.agent, tokens: own.tokens, cost: own.cost }]),
    ...reviewers.map(([name, spent]) => ({ row, name, tokens: spent.tokens, cost: spent.cost })),
    ...(others > 0
      ? [{ row, name: "", tokens: others, cost: models?.cost === undefined ? undefined : cost }]
      : []),
  ];
}

/** Sums by a name, in the order in which names are met after those given. */
function sumBy(
  all: readonly Taken[],
  nameOf: (taken: Taken) => string,
  names: readonly string[] = [],
): Spender[] {
  const sums = new Map(names.map(name => [name, { tokens: 0, costUsd: 0, calls: 0 }]));
  for (const taken of all) {
    const name = nameOf(taken);
    const sum = sums.get(name) ?? { tokens: 0, costUsd: 0, calls: 0 };
    sum.tokens += taken.tokens;
    sum.costUsd += taken.cost ?? 0;
    sum.calls++;
    sums.set(name, sum);
  }
  return [...sums].map(([name, { tokens, ...rest }]) => ({ name, tokens: Math.round(tokens), ...rest }));
}

function curve(all: readonly Taken[]): BudgetShape["spent"]["curve"] {
  let [tokens, cost] = [0, 0];
  const points = all
    .toSorted((a, b) => a.row.endedAt - b.row.endedAt)
    .map((taken): [number, number, number] => {
      tokens += taken.tokens;
      cost += taken.cost ?? 0;
      return [taken.row.endedAt, Math.round(tokens), cost];
    });
  return thinned(points);
}

/** What keeping documents in step cost, and what whole documents would have. */
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

function windowShape({ total, used, finest, agents, next }: BudgetFacts): BudgetShape["window"] {
  return {
    total,
    used: Math.round(used),
    finest,
    agents: agents.map(({ agent, tokens, calls }) => ({
      name: shown(agent),
      tokens: Math.round(tokens),
      calls,
    })),
    ...(next === undefined
      ? {}
      : {
          next: {
            task: next.task,
            role: shown(next.role.label),
            tokens: Math.round(next.tokens),
            level: next.role.vsLevel,
          },
        }),
  };
}

/** What the run has taken so far. `ended` are its attempts that have ended. */
export function budgetShape(
  { plan }: Reading,
  facts: BudgetFacts,
  ended: readonly AttemptRow[],
  context: StoredContext,
  { prices }: Pick<Monitor, "prices">,
): BudgetShape {
  const all = ended.flatMap(row => takenFor(row, prices));
  const sum = (of: (row: AttemptRow) => number | undefined) =>
    Math.round(ended.reduce((total, row) => total + (of(row) ?? 0), 0));
  const phaseOf = new Map(plan.tasks.map(task => [task.id, String(task.phase)]));
  const phases = plan.phases.map(({ phase }) => String(phase));
  const { tokens, estimated, cost, unpriced, maxTokens, maxCost } = facts.spent;
  return {
    window: windowShape(facts),
    spent: {
      tokens: Math.round(tokens),
      estimated: Math.round(estimated),
      costUsd: cost ?? 0,
      unpriced,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(maxCost === undefined ? {} : { maxCost }),
      agents: sumBy(all, ({ name }) => shown(name)).toSorted((a, b) => b.tokens - a.tokens),
      stages: sumBy(all, ({ row }) => phaseOf.get(row.task) ?? "", phases),
      curve: curve(all),
      input: sum(row => row.usage?.inputTokens),
      cached: sum(row => row.usage?.cachedTokens),
    },
    updates: updates(context),
  };
}
