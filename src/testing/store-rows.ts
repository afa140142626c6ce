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
    reason: "",
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
    reason: "",
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
    reason: "",
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
