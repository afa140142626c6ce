import { SYSTEM_CLOCK } from "../../adapters/local/clock.ts";
import { createSpendLedger } from "../../engine/index.ts";
import { type AttemptRow, EspalierError, EXIT } from "../../ports/index.ts";
import { promiseSpend } from "../../run/index.ts";
import type { OfflineRun } from "./offline-run.ts";
import type { Session } from "./open.ts";

/** What a lead is told whose claim would pass the run's budget. */
export function budgetError(reason: string): EspalierError {
  return new EspalierError("BUDGET", reason, {
    hint: "budget.maxTokens and budget.maxCost in espalier.yaml say what the run may take",
    exitCode: EXIT.waitingForPerson,
  });
}

/** Sets aside what a claimed attempt reads; hands the task back where the budget has no room for that. */
export function holdPackage(
  { session, offline }: { readonly session: Session; readonly offline: OfflineRun },
  row: AttemptRow,
  tokens: number,
): void {
  const { run } = session;
  const { task, number } = row;
  const kept = { ...row, estimate: tokens };
  const refusal = createSpendLedger(run).refuses(task, tokens);
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
  throw budgetError(refusal.reason);
}
