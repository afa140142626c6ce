import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import type { Config } from "../../config/index.ts";
import { createSpendLedger, packageSpend } from "../../engine/index.ts";
import {
  type AttemptRow,
  because,
  type EspalierError,
  EXIT,
  LEAD,
  type LeadFace,
  type Reason,
} from "../../ports/index.ts";
import {
  expectSpend,
  MAX_LISTED,
  promiseSpend,
  readyGroups,
  type Spending,
  spendingReason,
} from "../../run/index.ts";
import { errorFor } from "../../text/index.ts";
import { treeOptions } from "../project/settings.ts";
import type { Session } from "../session/open.ts";
import type { OfflineRun } from "./offline-run.ts";

/** The run a lead holds. */
interface Held {
  readonly face: LeadFace;
  readonly session: Session;
  readonly offline: OfflineRun;
}

/** What a lead is told whose claim would pass the run's budget. */
export function budgetError(reason: Reason, face: LeadFace): EspalierError {
  return errorFor("BUDGET", reason, {
    advice: because("raise-budget", { face }),
    exitCode: EXIT.waitingForPerson,
  });
}

/**
 * Learns what the packages of ready tasks take, so that no task is offered which its package would have refused. Only where
 * the run has a budget that they could pass.
 */
export async function priceReady(
  { session }: Held,
  tokensOf: (task: string) => Promise<number>,
  tasks: readonly string[] = readyGroups(session.run).now.slice(0, MAX_LISTED),
): Promise<void> {
  const { run, project } = session;
  if (run.spending === undefined || hasRoom(run.spending, tasks.length, project.config)) return;
  for (const task of tasks)
    expectSpend(run, task, packageSpend(await tokensOf(task), LEAD, project.config.budget.prices));
}

/** Whether so many packages of the largest size fit beside what is spent and promised. */
function hasRoom(spending: Spending, packages: number, config: Config): boolean {
  const { maxTokens = Number.POSITIVE_INFINITY, maxCost } = spending.limits;
  let used = spending.tokens;
  for (const { tokens } of spending.promised.values()) used += tokens;
  return maxCost === undefined && used + packages * treeOptions(config).limits.tokens <= maxTokens;
}

/** Sets aside what a claimed attempt reads; hands the task back where the budget has no room for that. */
export function holdPackage({ face, session, offline }: Held, row: AttemptRow, tokens: number): void {
  const { run, project } = session;
  const { task, number } = row;
  const kept = { ...row, estimate: tokens };
  const spend = packageSpend(tokens, row.agent, project.config.budget.prices);
  const refusal = createSpendLedger(run).refuses(task, spend);
  if (refusal === undefined) {
    promiseSpend(run, task, number, tokens);
    offline.record([], [kept]);
    return;
  }
  const ended = {
    ...row,
    endedAt: SYSTEM_CLOCK.now(),
    outcome: "cancelled",
    reason: refusal.reason,
  } as const;
  const outcome = { kind: "unaffordable", ...refusal } as const;
  offline.apply({ type: "attempt-ended", task, attempt: number, outcome, ms: 0 }, [ended]);
  throw budgetError(spendingReason(run) ?? refusal.reason, face);
}
