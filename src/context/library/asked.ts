import type { PackageReceipt } from "../../assembly/index.ts";
import type { ContextRows } from "../../ports/index.ts";
import type { Library } from "./library.ts";
import { UNUSED, type Uses } from "./uses.ts";

/** An attempt that asks, and what it was answered. */
export interface Ask {
  readonly runId: string;
  readonly task: string;
  readonly attempt: number;
  /** A label, or the id of a task. */
  readonly source: string;
  readonly tokens: number;
}

/** The receipts of a task's attempts in a run; none where they cannot be read. */
export function receiptsOf(rows: Pick<ContextRows, "receipts">, runId: string, task: string) {
  const found = rows.receipts(runId, task);
  return found.ok ? found.value : [];
}

/** A source of which an attempt says that it is wrong. */
interface Contradiction {
  readonly source: string;
  readonly attempt: string;
  readonly said: string;
}

/** What became of each source, as the receipts of some tasks' attempts say. */
export function usesIn(
  rows: Pick<ContextRows, "receipts">,
  runId: string,
  tasks: readonly { readonly id: string }[],
): { readonly uses: Map<string, Uses>; readonly contradictions: readonly Contradiction[] } {
  const uses = new Map<string, Uses>();
  const contradictions: Contradiction[] = [];
  for (const { id } of tasks)
    for (const { attempt, receipt } of receiptsOf(rows, runId, id)) {
      const { asked = [], cited = [] } = JSON.parse(receipt) as PackageReceipt;
      for (const { source, times } of asked) countUse(uses, source, { asked: times });
      for (const { source, against, said } of cited) {
        countUse(uses, source, { cited: 1, against: against > 0 ? 1 : 0 });
        if (against > 0) contradictions.push({ source, attempt: `${id}#${attempt}`, said });
      }
    }
  return { uses, contradictions };
}

/** Adds to what became of a source. */
export function countUse(uses: Map<string, Uses>, source: string, more: Partial<Uses>): void {
  const { asked, cited, against } = uses.get(source) ?? UNUSED;
  uses.set(source, {
    asked: asked + (more.asked ?? 0),
    cited: cited + (more.cited ?? 0),
    against: against + (more.against ?? 0),
  });
}

/** What became of each source of a run: what receipts say, read once, and what came since. */
export function usesOf(library: Library, runId: string): ReadonlyMap<string, Uses> {
  const { asked, rows, plan } = library;
  asked.uses ??= usesIn(rows, runId, plan().tasks).uses;
  return asked.uses;
}

/** Counts what an attempt asked for, in its receipt and for the packages to come. Durable when it resolves. */
export async function noteAsked(library: Library, ask: Ask): Promise<void> {
  const { runId, task, attempt, source, tokens } = ask;
  usesOf(library, runId);
  const { uses, byAttempt } = library.asked;
  countUse(uses!, source, { asked: 1 });
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

/** A receipt with what its attempt has asked for, as it is to be written. */
export function withAsked({ asked }: Library, attempt: string, receipt: PackageReceipt): PackageReceipt {
  const own = asked.byAttempt.get(attempt);
  const written = own === undefined ? receipt : { ...receipt, asked: own };
  asked.written.set(attempt, written);
  return written;
}
