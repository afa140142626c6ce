import { createHash } from "node:crypto";
import type { DocumentRow, LabelRow, NodeRow, TeammateRow, VersionRow } from "../ports/context-rows.ts";
import type { StampedEvent } from "../ports/event.ts";
import type { AttemptRow, RunRow, TaskRow } from "../ports/store.ts";

/** A run for tests. */
export function runRow(given: Partial<RunRow> = {}): RunRow {
  return {
    id: "run-1",
    project: "demo",
    state: "running",
    phase: "1",
    file: "/demo/TASKS.md",
    planHash: "a".repeat(64),
    plan: '{"tasks":[]}',
    startedAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
    forced: [],
    leadTokens: 0,
    reason: undefined,
    ...given,
  };
}

/** A task for tests. */
export function taskRow(id: string, given: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    status: "pending",
    retries: 0,
    attempts: 0,
    reason: undefined,
    sameError: 0,
    textHash: "",
    notBefore: 0,
    ...given,
  };
}

/** An attempt for tests; it runs until `endedAt` is given. */
export function attemptRow(task: string, number: number, given: Partial<AttemptRow> = {}): AttemptRow {
  return {
    task,
    number,
    token: `token-${task}-${number}`,
    nonce: "k7f2",
    agent: "command",
    startedAt: 1_700_000_000_002,
    endedAt: 0,
    outcome: "running",
    reason: undefined,
    evidence: "",
    finalMessage: "",
    feedback: "",
    ...given,
  };
}

/** A stamped event for tests. */
export function stampedEvent(
  seq: number,
  event: StampedEvent["event"] = { type: "unblocked", task: `T${seq}` },
): StampedEvent {
  return { seq, at: 1_700_000_000_000 + seq, event };
}

/** A text with its address, for tests. */
export function textRow(text: string): { readonly hash: string; readonly text: string } {
  return { hash: createHash("sha256").update(text, "utf8").digest("hex"), text };
}

/** A label for tests. */
export function labelRow(label: string, given: Partial<LabelRow> = {}): LabelRow {
  return { label, serial: 0, ...given };
}

/** A version of a text, for tests. */
export function versionRow(
  label: string,
  number: number,
  text: string,
  given: Partial<VersionRow> = {},
): VersionRow {
  const { hash } = textRow(text);
  const bytes = Buffer.byteLength(text);
  return { label, number, hash, bytes, at: 1_700_000_000_000 + number, by: "lead", ...given };
}

/** A teammate for tests. */
export function teammateRow(label: string, teammate: string, record = '{"live":true}'): TeammateRow {
  return { label, teammate, record };
}

/** A node of the tree for tests. */
export function nodeRow(id: string, given: Partial<NodeRow> = {}): NodeRow {
  return { id, status: "active", createdAt: 1_700_000_000_000, by: "plan", ...given };
}

/** A document on a node, for tests. */
export function documentRow(node: string, label: string, given: Partial<DocumentRow> = {}): DocumentRow {
  return { node, label, place: "shared", position: 0, source: '{"file":"a.md"}', withdrawn: false, ...given };
}
