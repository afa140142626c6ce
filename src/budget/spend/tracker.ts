import { type AgentUsage, amountsOf } from "../../ports/index.ts";
import { type Calibration, calibrate, UNCALIBRATED } from "../../tokens/index.ts";
import type { Level } from "../levels.ts";
import { costOf, type Price, type Prices, priceOf, tokensOf } from "./money.ts";
import {
  passThresholds,
  THRESHOLDS,
  type Threshold,
  type ThresholdName,
  type ThresholdStep,
} from "./thresholds.ts";

/** One call of an agent: what it was thought to take, and what it took. */
export interface Spent {
  readonly agent: string;
  /** Which attempt, e.g. `T1.3#2`; a second report of the same one replaces the first. */
  readonly attempt: string;
  /** Tokens expected before it began. */
  readonly estimate?: number | undefined;
  /** As the agent reported; absent while it runs, and for agents that report nothing. */
  readonly usage?: AgentUsage | undefined;
}

interface Call {
  readonly agent: string;
  readonly tokens: number;
  readonly cost: number | undefined;
  readonly reported: boolean;
}

/** What one agent has taken, over all its attempts. */
export interface AgentTotal {
  readonly agent: string;
  readonly tokens: number;
  /** Undefined when no price is known for any of its calls. */
  readonly cost: number | undefined;
  readonly calls: number;
}

/** Counts what a run takes. Owned by the run; `track` is its only writer. */
export interface Tracker {
  readonly total: number;
  readonly prices: Prices;
  readonly thresholds: readonly Threshold[];
  used: number;
  cost: number;
  /** Calls whose cost nobody knows. */
  unpriced: number;
  readonly calls: Map<string, Call>;
  readonly calibrations: Map<string, Calibration>;
  standing: readonly ThresholdName[];
}

/** A tracker for a budget of `total` tokens. */
export function createTracker(
  total: number,
  prices: Prices = {},
  thresholds: readonly Threshold[] = THRESHOLDS,
): Tracker {
  return {
    total: total > 0 ? total : 0,
    prices,
    thresholds,
    used: 0,
    cost: 0,
    unpriced: 0,
    calls: new Map(),
    calibrations: new Map(),
    standing: [],
  };
}

function add(tracker: Tracker, call: Call, sign: 1 | -1): void {
  tracker.used += sign * call.tokens;
  tracker.cost += sign * (call.cost ?? 0);
  if (call.cost === undefined) tracker.unpriced += sign;
}

/** No attempt takes more; larger numbers are mistakes, and would swallow the small ones. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;

const count = (value: number | undefined): number =>
  value !== undefined && value > 0 ? Math.min(value, MOST_TOKENS) : 0;

/** A cost that a sum can bear; one that is no number is not known. */
const money = (cost: number | undefined): number | undefined =>
  cost === undefined || Number.isNaN(cost) ? undefined : Math.min(cost, MOST_USD);

/**
 * Counts a call, before it (its estimate) and after it (its usage, which replaces the estimate). Every attempt counts, so an
 * agent that runs twice counts twice. Answers which thresholds this passed.
 */
export function track(tracker: Tracker, spent: Spent): ThresholdStep {
  const before = tracker.calls.get(spent.attempt);
  if (before !== undefined) add(tracker, before, -1);
  const { agent, attempt, estimate } = spent;
  const usage = spent.usage && amountsOf(spent.usage);
  const reported = usage === undefined ? 0 : count(tokensOf(usage));
  const price: Price | undefined = priceOf(tracker.prices, agent);
  const calibration = tracker.calibrations.get(agent) ?? UNCALIBRATED;
  const call: Call = {
    agent,
    tokens: reported > 0 ? reported : Math.round(count(estimate) * calibration.factor),
    cost: money(costOf(usage ?? { inputTokens: count(estimate) }, price)),
    reported: reported > 0,
  };
  add(tracker, call, 1);
  tracker.calls.set(attempt, call);
  // A run may take many turns over one package: what a report teaches is how whole attempts relate to their estimates.
  if (usage !== undefined && estimate !== undefined && before?.reported !== true)
    tracker.calibrations.set(agent, calibrate(calibration, estimate, reported));
  const step = passThresholds(tracker.standing, shareUsed(tracker), tracker.thresholds);
  tracker.standing = step.standing;
  return step;
}

/** The share of the budget that is used; may pass 1, and is 1 for a budget of nothing. */
export function shareUsed(tracker: Tracker): number {
  return tracker.total === 0 ? 1 : tracker.used / tracker.total;
}

/** From 80 % on later agents' outputs are carried at level 2 at most. */
export function finestLevel({ standing }: Pick<Tracker, "standing">): Level {
  return standing.includes("compress") || standing.includes("stop") ? 2 : 0;
}

/** By agent, the largest first. */
export function byAgent(tracker: Tracker): AgentTotal[] {
  const totals = new Map<string, { tokens: number; cost: number | undefined; calls: number }>();
  for (const { agent, tokens, cost } of tracker.calls.values()) {
    const sum = totals.get(agent) ?? { tokens: 0, cost: undefined, calls: 0 };
    sum.tokens += tokens;
    sum.calls++;
    if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost;
    totals.set(agent, sum);
  }
  return [...totals]
    .map(([agent, sum]) => ({ agent, ...sum }))
    .sort((a, b) => b.tokens - a.tokens || (a.agent < b.agent ? -1 : 1));
}
