import type { PackageReceipt } from "../../assembly/index.ts";
import type { ContextRows } from "../../ports/index.ts";
import type { Library } from "./library.ts";

/** An attempt that asks, and what it was answered. */
export interface Ask {
  readonly runId: string;
  readonly task: string;
  readonly attempt: number;
  /** A label, or the id of a task. */
  readonly source: string;
  readonly tokens: number;
}

function receiptsOf(rows: Pick<ContextRows, "receipts">, runId: string, task: string) {
  const found = rows.receipts(runId, task);
  return found.ok ? found.value : [];
}

/** How often each source was asked for by the attempts of some tasks, as their receipts say. */
export function timesAsked(
  rows: Pick<ContextRows, "receipts">,
  runId: string,
  tasks: readonly { readonly id: string }[],
): Map<string, number> {
  const all = new Map<string, number>();
  for (const { id } of tasks)
    for (const { receipt } of receiptsOf(rows, runId, id))
      for (const { source, times } of (JSON.parse(receipt) as PackageReceipt).asked ?? [])
        all.set(source, (all.get(source) ?? 0) + times);
  return all;
}

/** How often each source was asked for in a run: what receipts say, read once, and what was asked since. */
export function askedFor(library: Library, runId: string): ReadonlyMap<string, number> {
  const { asked, rows, plan } = library;
  asked.times ??= timesAsked(rows, runId, plan().tasks);
  return asked.times;
}

/** Counts what an attempt asked for, in its receipt and for the packages to come. Durable when it resolves. */
export async function noteAsked(library: Library, ask: Ask): Promise<void> {
  const { runId, task, attempt, source, tokens } = ask;
  askedFor(library, runId);
  const { times, byAttempt } = library.asked;
  times!.set(source, (times!.get(source) ?? 0) + 1);
  const key = `${task}#${attempt}`;
  const before = byAttempt.get(key) ?? [];
  const known = before.find(one => one.source === source);
  const next = { source, tokens, times: (known?.times ?? 0) + 1 };
  byAttempt.set(key, [...before.filter(one => one !== known), next]);
  await library.ledger.commit(() => {
    const row = receiptsOf(library.rows, runId, task).findLast(one => one.attempt === attempt);
    if (row === undefined) return undefined;
    const receipt = JSON.parse(row.receipt) as PackageReceipt;
    return {
      rows: { receipts: [{ task, attempt, receipt: JSON.stringify(withAsked(library, key, receipt)) }] },
    };
  });
}

/** A receipt with what its attempt has asked for. */
export function withAsked({ asked }: Library, attempt: string, receipt: PackageReceipt): PackageReceipt {
  const own = asked.byAttempt.get(attempt);
  return own === undefined ? receipt : { ...receipt, asked: own };
}
