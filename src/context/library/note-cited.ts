import type { PackageReceipt } from "../../assembly/index.ts";
import type { Task } from "../../plan/index.ts";
import type { ContextStep } from "../shared/index.ts";
import { countUse, receiptsOf, usesOf } from "./asked.ts";
import { type Citable, citedIn } from "./cited.ts";
import type { Library } from "./library.ts";
import { documentsRead } from "./package.ts";

/**
 * Notes in an attempt's receipt which of its sources its accepted answer names, and which it says are wrong; nothing where it names
 * none. Runs in the ledger's order.
 */
export function noteCited(
  library: Library,
  of: { readonly runId: string; readonly task: Task; readonly attempt: number; readonly answer: string },
  now: number,
): ContextStep | undefined {
  const { runId, task, attempt, answer } = of;
  const key = `${task.id}#${attempt}`;
  const stored = receiptsOf(library.rows, runId, task.id).findLast(one => one.attempt === attempt)?.receipt;
  // An agent may answer before its receipt is on the disk.
  const receipt =
    library.asked.written.get(key) ??
    (stored === undefined ? undefined : (JSON.parse(stored) as PackageReceipt));
  library.asked.written.delete(key);
  if (receipt === undefined) return undefined;
  // Of what landed before its process died, this may be said twice.
  if (receipt.cited !== undefined) return undefined;
  const cited = citedIn(answer, citable(library, task, receipt, now));
  if (cited.length === 0) return undefined;
  usesOf(library, runId);
  for (const { source, against } of cited)
    countUse(library.asked.uses!, source, { cited: 1, against: against > 0 ? 1 : 0 });
  const noted = JSON.stringify({ ...receipt, cited });
  return { rows: { receipts: [{ task: task.id, attempt, receipt: noted }] } };
}

/** What an attempt was given or asked for, under the names that it may call it by. */
function citable(
  library: Library,
  task: Task,
  { parts, asked = [] }: PackageReceipt,
  now: number,
): Citable[] {
  const results = parts
    .filter(({ kind }) => kind === "result")
    .map(({ source }) => source.replace(/#\d+$/, ""));
  const named = documentsRead(library, task, now).map(({ label, name }) => ({
    source: label,
    names: [...new Set([label, name])],
  }));
  const known = new Set(named.map(({ source }) => source));
  const others = [...results, ...asked.map(({ source }) => source)].filter(source => !known.has(source));
  return [...[...new Set(others)].map(source => ({ source, names: [source] })), ...named];
}
