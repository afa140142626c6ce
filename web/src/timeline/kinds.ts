/** Kinds of events that can be looked at alone. */
export const KINDS = ["all", "trouble", "people", "attempts", "phases"] as const;
export type Kind = (typeof KINDS)[number];

const OF: Readonly<Record<Exclude<Kind, "all">, ReadonlySet<string>>> = {
  trouble: new Set([
    "attempt-failed",
    "failed",
    "blocked",
    "paused",
    "waiting",
    "conflict",
    "phase-gated",
    "phase-refused",
    "permission",
    "foreign-signal",
    "warning",
    "asked",
  ]),
  people: new Set([
    "person",
    "phase-forced",
    "run-held",
    "run-released",
    "stopping",
    "asked",
    "answered",
    "phase-merged",
  ]),
  attempts: new Set([
    "dispatched",
    "attempt-started",
    "verify-started",
    "attempt-failed",
    "retry-scheduled",
    "completed",
    "failed",
    "reviewed",
  ]),
  phases: new Set([
    "run-started",
    "run-ended",
    "phase-started",
    "phase-ended",
    "phase-gated",
    "phase-forced",
    "phase-merged",
    "phase-left",
    "phase-refused",
    "checkpoint",
    "plan-changed",
  ]),
};

/** Whether events of a type are of a kind. */
export function isOf(kind: Kind, type: string): boolean {
  return kind === "all" || OF[kind].has(type);
}
