import type {
  ContextChange,
  ContextLogRow,
  DocumentRow,
  LabelRow,
  NodeRow,
  ReceiptRow,
  StoredContext,
  TeammateRow,
  VersionRow,
} from "../../ports/context-rows.ts";

/** The context's part of what stands for the disk; rows by their keys, in the order of their first commit. */
export interface MemoryContext {
  readonly texts: Map<string, string>;
  readonly labels: Map<string, LabelRow>;
  readonly versions: Map<string, VersionRow>;
  readonly teammates: Map<string, TeammateRow>;
  readonly nodes: Map<string, NodeRow>;
  readonly documents: Map<string, DocumentRow>;
  readonly receipts: Map<string, ReceiptRow & { readonly run: string }>;
  readonly log: ContextLogRow[];
}

/** A context that holds nothing. */
export function memoryContext(): MemoryContext {
  return {
    texts: new Map(),
    labels: new Map(),
    versions: new Map(),
    teammates: new Map(),
    nodes: new Map(),
    documents: new Map(),
    receipts: new Map(),
    log: [],
  };
}

/** Writes a checked change. */
export function applyContext(context: MemoryContext, change: ContextChange, run: string): void {
  for (const hash of change.dropTexts ?? []) context.texts.delete(hash);
  for (const { label, teammate } of change.dropTeammates ?? [])
    context.teammates.delete(key(label, teammate));
  for (const { hash, text } of change.texts ?? []) context.texts.set(hash, text);
  for (const row of change.labels ?? []) context.labels.set(row.label, { ...row });
  for (const row of change.versions ?? []) context.versions.set(key(row.label, row.number), { ...row });
  for (const row of change.teammates ?? []) context.teammates.set(key(row.label, row.teammate), { ...row });
  for (const row of change.nodes ?? []) context.nodes.set(row.id, { ...row });
  for (const row of change.documents ?? []) context.documents.set(key(row.node, row.label), { ...row });
  for (const row of change.receipts ?? [])
    context.receipts.set(key(run, row.task, row.attempt), { ...row, run });
  for (const entry of change.log ?? []) context.log.push({ ...entry, seq: context.log.length + 1 });
}

/** Everything but texts, log and receipts. */
export function loadContext(context: MemoryContext): StoredContext {
  return {
    labels: copies(context.labels),
    versions: copies(context.versions),
    teammates: copies(context.teammates),
    nodes: copies(context.nodes),
    documents: copies(context.documents),
    lastSeq: context.log.length,
  };
}

/** History in order, from `afterSeq` on, at most `limit`. */
export function contextLog({ log }: MemoryContext, afterSeq: number, limit: number): ContextLogRow[] {
  const from = Math.max(afterSeq, 0);
  return log.slice(from, from + limit).map(row => ({ ...row }));
}

/** Receipts of a task's attempts in a run, oldest first. */
export function receiptsOf({ receipts }: MemoryContext, run: string, task: string): ReceiptRow[] {
  return [...receipts.values()]
    .filter(row => row.run === run && row.task === task)
    .sort((a, b) => a.attempt - b.attempt)
    .map(({ task: name, attempt, receipt }) => ({ task: name, attempt, receipt }));
}

function copies<Row extends object>(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows.values()].map(row => ({ ...row }));
}

function key(...parts: readonly (string | number)[]): string {
  return JSON.stringify(parts);
}
