import { createHash } from "node:crypto";
import type { ContextChange } from "../../ports/context-rows.ts";
import type { Change } from "../../ports/store.ts";
import { misuse } from "./epoch-store.ts";

/** The address of a text: the SHA-256 of its UTF-8 bytes, in hexadecimal digits. */
export function textAddress(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** Throws where the context's part of a change cannot be what its rows say; found before anything is changed. */
export function checkContext(context: ContextChange): void {
  for (const { hash, text } of context.texts ?? [])
    if (textAddress(text) !== hash) throw misuse(`a text is not that of hash ${hash}`);
  for (const { label, gate } of context.labels ?? []) requireJson(gate, `the gate of ${label}`);
  for (const { label, number, impact } of context.versions ?? [])
    requireJson(impact, `the impact of ${label}-v${number}`);
  for (const { label, teammate, record } of context.teammates ?? [])
    requireJson(record, `the record of ${teammate} on ${label}`);
  for (const { node, label, source } of context.documents ?? [])
    requireJson(source, `the source of ${label} on ${node}`);
  for (const { task, attempt, receipt } of context.receipts ?? [])
    requireJson(receipt, `the receipt of ${task} #${attempt}`);
  for (const { label, entry } of context.log ?? []) requireJson(entry, `a log entry of ${label}`);
}

function requireJson(text: string | undefined, what: string): void {
  if (text === undefined) return;
  try {
    JSON.parse(text);
  } catch {
    throw misuse(`${what} is not JSON`);
  }
}

/** Whether a change has parts that belong to a run. */
export function needsRun({ runId, run, tasks, removedTasks, attempts, events, context }: Change): boolean {
  if (runId !== "" || run !== undefined) return true;
  return [tasks, removedTasks, attempts, events, context?.receipts].some(rows => (rows ?? []).length > 0);
}
