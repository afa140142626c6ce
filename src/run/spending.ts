import { passThresholds, refusalOf, type SpendLimits, THRESHOLDS } from "../budget/index.ts";
import { type BudgetLeft, type BudgetUse, because, type Reason, type RunEvent } from "../ports/index.ts";
import { reasonText } from "../text/index.ts";
import { slotsOf } from "./resources.ts";
import type { AttemptSpend, Spending } from "./spend-state.ts";
import { isContainer, isEnded, type RunState } from "./state.ts";

/** The spending of a run that goes on where these attempts, and what was charged beside them, have left it. */
export function createSpending(
  limits: SpendLimits,
  before: readonly AttemptSpend[],
  charged: readonly AttemptSpend[] = [],
): Spending {
  const spending: Spending = {
    limits,
    tokens: 0,
    cost: 0,
    attempts: { count: 0, tokens: 0, cost: 0 },
    promised: new Map(),
    expected: new Map(),
    crowded: false,
    refusal: undefined,
    standing: [],
  };
  for (const spent of before) count(spending, spent);
  for (const spent of charged) add(spending, spent);
  spending.standing = passThresholds([], shareOf(spending)).standing;
  return spending;
}

function add(spending: Spending, { tokens, cost }: AttemptSpend): void {
  spending.tokens += Math.max(0, tokens);
  spending.cost += Math.max(0, cost ?? 0);
}

function count(spending: Spending, spent: AttemptSpend): void {
  const { tokens, cost } = spent;
  if (!(tokens > 0) && !((cost ?? 0) > 0)) return;
  add(spending, spent);
  spending.attempts.count++;
  spending.attempts.tokens += tokens;
  spending.attempts.cost += cost ?? 0;
}

/** The larger share of its limits that is used. */
function shareOf({ limits, tokens, cost }: Spending): number {
  const share = (used: number, most: number | undefined): number =>
    most === undefined ? 0 : most === 0 ? 1 : used / most;
  return Math.max(share(tokens, limits.maxTokens), share(cost, limits.maxCost));
}

function mean({ attempts }: Spending): { readonly tokens: number; readonly cost: number } {
  const { count: number, tokens, cost } = attempts;
  return number === 0 ? { tokens: 0, cost: 0 } : { tokens: Math.round(tokens / number), cost: cost / number };
}

/** What a task is likely to take of which nothing is known: as much as attempts did, else as the packages that are known. */
function likely(spending: Spending): { readonly tokens: number; readonly cost: number } {
  const { attempts, expected } = spending;
  if (attempts.count > 0 || expected.size === 0) return mean(spending);
  let tokens = 0;
  let cost = 0;
  for (const known of expected.values()) {
    tokens += known.tokens;
    cost += known.cost ?? 0;
  }
  return { tokens: Math.round(tokens / expected.size), cost: cost / expected.size };
}

/** What an attempt of a task is expected to take, all agents that work on it together. */
function expectedOf(
  { byId }: Pick<RunState, "byId">,
  spending: Spending,
  task: string,
): { readonly tokens: number; readonly cost: number } {
  const { tokens, cost } = mean(spending);
  const known = spending.expected.get(task);
  const slots = slotsOf(byId.get(task) ?? { files: [] });
  return {
    tokens: slots * Math.max(tokens, known?.tokens ?? 0),
    cost: slots * Math.max(cost, known?.cost ?? 0),
  };
}

/**
 * How many of these tasks, one after the other, can be afforded beside those that run; notes what stands against the next
 * one.
 */
export function affordable(run: RunState, tasks: readonly string[]): number {
  const { spending } = run;
  if (spending === undefined) return tasks.length;
  if (spending.crowded && run.running.size > 0) return 0;
  let { tokens, cost } = spending;
  // At most as many as run at once.
  for (const promised of spending.promised.values()) {
    tokens += promised.tokens;
    cost += promised.cost;
  }
  for (const [at, task] of tasks.entries()) {
    const next = expectedOf(run, spending, task);
    spending.refusal = refusalOf(spending.limits, { tokens, cost }, next);
    if (spending.refusal !== undefined) return at;
    tokens += next.tokens;
    cost += next.cost;
  }
  return tasks.length;
}

/** Whether an attempt of a task can be afforded beside those that run; notes what stands against it. */
export function affordsNext(run: RunState, task: string): boolean {
  return affordable(run, [task]) === 1;
}

/** Sets aside what an attempt that begins is expected to take: no less than its package, where that is known. */
export function promiseSpend(run: RunState, task: string, attempt: number, packaged = 0): void {
  if (run.spending === undefined) return;
  const { tokens, cost } = expectedOf(run, run.spending, task);
  run.spending.promised.set(task, { attempt, tokens: Math.max(tokens, packaged), cost });
}

/** Learns what a task's package takes. */
export function expectSpend(run: RunState, task: string, spend: AttemptSpend): void {
  run.spending?.expected.set(task, spend);
}

/** Learns that a task's package found no room beside the attempts that run. */
export function crowdSpend(run: RunState, task: string, spend: AttemptSpend): void {
  if (run.spending === undefined) return;
  expectSpend(run, task, spend);
  run.spending.crowded = true;
}

/** Counts what an attempt took, and tells when a mark of the budget is passed. */
export function settleSpend(
  run: RunState,
  task: string,
  attempt: number,
  spent: AttemptSpend | undefined,
): RunEvent[] {
  const { spending } = run;
  if (spending === undefined) return [];
  if (spending.promised.get(task)?.attempt === attempt) spending.promised.delete(task);
  spending.crowded = false;
  if (spent === undefined) return [];
  const before = shareOf(spending);
  count(spending, spent);
  const marks = marksPassed(spending);
  const over = overrun(spending, before, `${task}#${attempt}`, spent);
  return [...marks, ...over.map(event => ({ ...event, task }))];
}

/** Tells who took the run beyond its budget, when this did; all that follows is refused anyway. */
function overrun(spending: Spending, before: number, attempt: string | undefined, spent: AttemptSpend) {
  if (before > 1 || shareOf(spending) <= 1) return [];
  const { maxTokens, maxCost } = spending.limits;
  const message = because("budget-overrun", {
    ...(attempt === undefined ? {} : { attempt }),
    ...(maxTokens === undefined ? {} : { tokens: spent.tokens }),
    ...(maxCost === undefined ? {} : { cost: spent.cost ?? 0 }),
    used: budgetUse(spending),
  });
  return [{ type: "warning", code: "OVER_BUDGET", message } as const];
}

/** Counts what was taken beside the attempts; the expectation of the next attempt stays what it was. */
export function chargeSpend(run: RunState, spent: AttemptSpend): RunEvent[] {
  const { spending } = run;
  if (spending === undefined) return [];
  const before = shareOf(spending);
  add(spending, spent);
  return [...marksPassed(spending), ...overrun(spending, before, undefined, spent)];
}

function marksPassed(spending: Spending): RunEvent[] {
  const step = passThresholds(spending.standing, shareOf(spending));
  spending.standing = step.standing;
  return step.fired.map(name => {
    const percent = Math.round(THRESHOLDS.find(threshold => threshold.name === name)!.at * 100);
    return {
      type: "warning",
      code: "BUDGET",
      message: because("budget-mark", { percent, used: budgetUse(spending) }),
    };
  });
}

/** What is needed and a little more: an attempt's worth, at least a twentieth. */
const withSpare = (needed: number, each: number): number => needed + Math.max(each, needed / 20);
/** To whole cents; what arithmetic on fractions adds is no cent. */
const roundedUp = (cost: number): string => (Math.ceil(cost * 100 - 1e-6) / 100).toFixed(2);

function budgetUse({ limits: { maxTokens, maxCost }, tokens, cost }: Spending): BudgetUse {
  return {
    ...(maxTokens === undefined ? {} : { tokens, maxTokens }),
    ...(maxCost === undefined ? {} : { cost, maxCost }),
  };
}

/** Why the run ends for want of budget, what remains, what that would take, and how to go on; undefined while it does not. */
export function spendingReason(run: RunState): Reason | undefined {
  const left = budgetLeft(run);
  if (left === undefined || run.spending === undefined) return undefined;
  return because("budget-reached", { used: budgetUse(run.spending), left });
}

/** What remains of a run for want of budget, what that would take, and how to go on; empty while there is enough. */
export function spendingLeft(run: RunState): string {
  const left = budgetLeft(run);
  return reasonText(left && because("budget-left", left), "en");
}

function budgetLeft(run: RunState): BudgetLeft | undefined {
  const { spending } = run;
  if (spending?.refusal === undefined) return undefined;
  const remaining = run.tasks.filter(
    ({ task, status }) =>
      !isEnded(status) && !isContainer(task) && (run.only === undefined || run.only.has(task.id)),
  );
  const each = likely(spending);
  const needed = { tokens: 0, cost: 0 };
  for (const { task } of remaining) {
    const known = spending.expected.has(task.id) ? expectedOf(run, spending, task.id) : each;
    needed.tokens += known.tokens;
    needed.cost += known.cost;
  }
  const spare = mean(spending);
  const option =
    spending.refusal.limit === "tokens"
      ? `--max-tokens ${Math.ceil(spending.tokens + withSpare(needed.tokens, spare.tokens))}`
      : `--max-cost ${roundedUp(spending.cost + withSpare(needed.cost, spare.cost))}`;
  return { tasks: remaining.length, ...needed, option };
}
