import type { AgentLogin, AgentTerms } from "./agent.ts";
import type { Reason } from "./reason.ts";

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
  /** An agent that the run has work for, as it was found before anything started. */
  | {
      readonly type: "agent-found";
      readonly agent: string;
      readonly version?: string | undefined;
      readonly login: AgentLogin;
      /** Nothing is known of them where it is only a command line. */
      readonly terms?: AgentTerms | undefined;
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
  /** The branch of a phase was joined into its target. */
  | { readonly type: "phase-merged"; readonly phase: string; readonly into: string; readonly commit: string }
  /** The branch of a phase was left for a person to merge; `how` says with what command. */
  | { readonly type: "phase-left"; readonly phase: string; readonly branch: string; readonly how: string }
  /** Its checks failed, or its branch does not join: the next phase needs a person. */
  | { readonly type: "phase-refused"; readonly phase: string; readonly reason: Reason }
  /** Work that others' work stands against; both sides are with the attempt. */
  | {
      readonly type: "conflict";
      readonly task: string;
      readonly files: readonly string[];
      readonly others: readonly string[];
      readonly reason: Reason;
    }
  /** Lines that a task and others inserted at the same places of files were joined, in the order they landed. */
  | {
      readonly type: "joined";
      readonly task: string;
      readonly files: readonly string[];
      readonly others: readonly string[];
    }
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
  /** Somebody has judged the work of an attempt before it lands. */
  | {
      readonly type: "reviewed";
      readonly task: string;
      readonly attempt: number;
      /** The agent, or the command. */
      readonly by: string;
      readonly verdict: "approved" | "findings";
      /** Which review of the attempt it was, from 1. */
      readonly round: number;
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
      /** Why it is to be looked at all the same: its agent did not hold the newest context. */
      readonly reason?: Reason;
    }
  | {
      readonly type: "attempt-failed";
      readonly task: string;
      readonly reason: Reason;
      readonly retries: number;
      readonly maxAttempts: number;
    }
  | { readonly type: "retry-scheduled"; readonly task: string; readonly inMs: number }
  | { readonly type: "failed"; readonly task: string; readonly reason: Reason }
  | { readonly type: "blocked"; readonly task: string; readonly by: string }
  | { readonly type: "unblocked"; readonly task: string }
  | {
      readonly type: "paused";
      readonly task: string;
      readonly reason: Reason;
      readonly by: "rule" | "person" | "agent";
      /** How often it failed so in a row, where that is why. */
      readonly times?: number;
    }
  | { readonly type: "waiting"; readonly task: string; readonly agent: string; readonly until: number }
  | {
      readonly type: "person";
      readonly action: string;
      readonly task: string;
      readonly note: string;
      /** Who it was, where that is known. */
      readonly by?: string;
    }
  /** An agent waits for a person to allow something; `kind` and `title` as in `permission`. */
  | {
      readonly type: "asked";
      readonly task: string;
      readonly attempt: number;
      /** Names the question while this process lives. */
      readonly id: number;
      readonly kind: string;
      readonly title: string;
    }
  /** The question was answered, or waited too long: `by` is empty then. */
  | {
      readonly type: "answered";
      readonly task: string;
      readonly id: number;
      readonly allowed: boolean;
      readonly by: string;
    }
  /** An agent asked for something its policy does not allow unasked, or wanted what it forbids. Foreign title. */
  | {
      readonly type: "permission";
      readonly task: string;
      readonly attempt: number;
      readonly kind: string;
      readonly title: string;
      readonly answer: "allowed" | "rejected";
      readonly by: "policy" | "person" | "nobody";
    }
  | { readonly type: "foreign-signal"; readonly task: string; readonly text: string }
  | {
      readonly type: "plan-changed";
      readonly added: number;
      readonly removed: number;
      readonly changed: number;
      /** Research that a worker asked for, where that alone joins the plan: each task with its question. Foreign text. */
      readonly asked?: string;
    }
  | { readonly type: "warning"; readonly code: string; readonly message: Reason; readonly task?: string }
  | { readonly type: "saturation"; readonly percent: number; readonly level: "warn" | "save" | "stop" }
  /** A person holds new dispatches back, or lets them go again; what runs goes on. */
  | { readonly type: "run-held"; readonly by: string }
  | { readonly type: "run-released"; readonly by: string }
  /** A checkpoint was written, or this run was started from one. */
  | {
      readonly type: "checkpoint";
      readonly action: "written" | "resumed";
      readonly id: string;
      /** What it was written for, or what was taken over from it. */
      readonly why: Reason;
    }
  | { readonly type: "stopping"; readonly by: string }
  | { readonly type: "run-ended"; readonly outcome: RunOutcome; readonly reason?: Reason | undefined };

/** Every run ends in one of these; `interrupted` ones can be resumed. */
export type RunOutcome = "completed" | "failed" | "waiting" | "interrupted";

/** An event with its place in the run's order and the wall time for people. */
export interface StampedEvent {
  readonly seq: number;
  readonly at: number;
  readonly event: RunEvent;
}
