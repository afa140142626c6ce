/**
 * What happens in a run, as one stream: terminal, log, dashboard and notifications are views of it.
 * Texts from agents and files are foreign: a view sanitises them before showing.
 */
export type RunEvent =
  | {
      readonly type: "run-started";
      readonly project: string;
      readonly tasks: number;
      readonly resumed: boolean;
    }
  | { readonly type: "phase-started"; readonly phase: string; readonly title: string; readonly tasks: number }
  | {
      readonly type: "phase-ended";
      readonly phase: string;
      readonly completed: number;
      /** Tasks that count for the gate: all but skipped ones. */
      readonly counted: number;
    }
  /** Fewer than 90 % of the phase completed: the next phase needs a person's word. */
  | {
      readonly type: "phase-gated";
      readonly phase: string;
      readonly completed: number;
      readonly counted: number;
    }
  | { readonly type: "phase-forced"; readonly phase: string; readonly by: string }
  | { readonly type: "dispatched"; readonly tasks: readonly string[]; readonly retry: boolean }
  | {
      readonly type: "attempt-started";
      readonly task: string;
      readonly attempt: number;
      readonly agent: string;
    }
  | { readonly type: "attempt-line"; readonly task: string; readonly attempt: number; readonly text: string }
  | {
      readonly type: "verify-started";
      readonly task: string;
      readonly attempt: number;
      readonly command: string;
    }
  | {
      readonly type: "completed";
      readonly task: string;
      /** False when no verify command proved the completion. */
      readonly verified: boolean;
      /** `file`: its box was ticked before the run; `children`: all tasks it groups completed. */
      readonly by: "agent" | "person" | "file" | "children";
      /** Milliseconds the last attempt took; 0 when no agent worked. */
      readonly ms: number;
    }
  | {
      readonly type: "attempt-failed";
      readonly task: string;
      readonly reason: string;
      readonly retries: number;
      readonly maxAttempts: number;
    }
  | { readonly type: "retry-scheduled"; readonly task: string; readonly inMs: number }
  | { readonly type: "failed"; readonly task: string; readonly reason: string }
  | { readonly type: "blocked"; readonly task: string; readonly by: string }
  | { readonly type: "unblocked"; readonly task: string }
  | {
      readonly type: "paused";
      readonly task: string;
      readonly reason: string;
      readonly by: "rule" | "person" | "agent";
    }
  | { readonly type: "waiting"; readonly task: string; readonly agent: string; readonly until: number }
  | { readonly type: "person"; readonly action: string; readonly task: string; readonly note: string }
  | { readonly type: "foreign-signal"; readonly task: string; readonly text: string }
  | {
      readonly type: "plan-changed";
      readonly added: number;
      readonly removed: number;
      readonly changed: number;
    }
  | { readonly type: "warning"; readonly code: string; readonly message: string; readonly task?: string }
  | { readonly type: "saturation"; readonly percent: number; readonly level: "warn" | "save" | "stop" }
  | { readonly type: "stopping"; readonly by: string }
  | { readonly type: "run-ended"; readonly outcome: RunOutcome; readonly reason: string };

/** Every run ends in one of these; `interrupted` ones can be resumed. */
export type RunOutcome = "completed" | "failed" | "waiting" | "interrupted";

/** An event with its place in the run's order and the wall time for people. */
export interface StampedEvent {
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}
