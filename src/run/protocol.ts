import type { Phase, Plan } from "../plan/index.ts";
import type { Reason, RunEvent, RunOutcome, TaskAct } from "../ports/index.ts";
import type { AttemptSpend } from "./spend-state.ts";
import type { TaskState } from "./task-state.ts";

/** What a person may do to one task. */
export type TaskAction = TaskAct;

/** Files that several tasks inserted lines into at the same places, in ways that can stand beside each other. */
export interface JoinedFiles {
  readonly files: readonly string[];
  readonly others: readonly string[];
}

/** How an attempt ended, after signals and proof were judged. */
export type AttemptOutcome =
  /** `verified` tells whether a command proved it; `textHash` is the task's text as it was dispatched. */
  | {
      readonly kind: "done";
      readonly verified: boolean;
      readonly textHash: string;
      /** What its agent held of shared documents that have changed since: `GC v1 of v3`. */
      readonly stale?: string;
      /** Files in which its insertions were joined with those of other tasks. */
      readonly joined?: JoinedFiles;
      /** What its work landed as. */
      readonly commit?: string;
    }
  | { readonly kind: "failed"; readonly reason: Reason }
  /** The work is good, but what others have landed since stands against it; costs no attempt. */
  | {
      readonly kind: "conflict";
      readonly files: readonly string[];
      /** Tasks whose work is on the other side. */
      readonly others: readonly string[];
      readonly reason: Reason;
      /** Whether the task's own agent may solve it. */
      readonly again: boolean;
      /** Names what both sides hold; equal where the same conflict is met again. */
      readonly content: string;
    }
  /** `said`: the line it ended with instead. */
  | { readonly kind: "no-signal"; readonly said?: string }
  /** The operating system could not start it; costs no attempt. */
  | { readonly kind: "stalled"; readonly reason: Reason }
  /** The agent is out of quota until a time (epoch milliseconds); costs no attempt. */
  | { readonly kind: "quota"; readonly agent: string; readonly until: number }
  /** What serves the agent has too much to do, for so long as it says where it does; costs no attempt. */
  | { readonly kind: "busy"; readonly agent: string; readonly until: number | undefined }
  /** What it was to read is more than the run's budget has left beside those that run; costs no attempt. */
  | {
      readonly kind: "unaffordable";
      readonly tokens: number;
      /** US dollars, where they are known. */
      readonly cost?: number | undefined;
      readonly reason: Reason;
    }
  /** Trying again without a person is pointless: not logged in, agent gone, PAUSE in its answer. */
  | {
      readonly kind: "needs-person";
      readonly reason: Reason;
      /** The agent whose account is why: its login is missing or refused, or there is no money on it. */
      readonly account?: string;
    }
  /** The machine that worked on it is gone; costs no attempt. `suspect`: an agent was at work, and what it does may be why. */
  | { readonly kind: "machine-lost"; readonly reason: Reason; readonly suspect: boolean }
  | { readonly kind: "cancelled" };

/** Everything that can happen to a run. `now` is wall time in epoch milliseconds; it never decides an order. */
export type RunInput =
  | { readonly type: "start"; readonly resumed: boolean; readonly now: number }
  | {
      readonly type: "attempt-ended";
      readonly task: string;
      /** Results of any attempt but the newest are ignored. */
      readonly attempt: number;
      readonly outcome: AttemptOutcome;
      /** What it took, where that is known; counts whatever became of it. */
      readonly spent?: AttemptSpend | undefined;
      readonly ms: number;
      readonly now: number;
    }
  /** Something beside the attempts took tokens, such as a model that summarises. */
  | { readonly type: "charge"; readonly spent: AttemptSpend; readonly now: number }
  /** A lead takes a ready task by itself. */
  | { readonly type: "claim"; readonly task: string; readonly now: number }
  /** Time has passed; due retries and quotas are looked at. */
  | { readonly type: "tick"; readonly now: number }
  | {
      readonly type: "act";
      readonly action: TaskAction;
      readonly task: string;
      readonly note: string;
      readonly textHash: string;
      /** Work of it was proved and waits for its review: an approval lets it land. */
      readonly awaitsReview?: boolean;
      /** Who decided it, where that is known. */
      readonly by?: string;
      readonly now: number;
    }
  /** A person holds new dispatches back, or lets them go again. */
  | { readonly type: "hold"; readonly held: boolean; readonly by: string; readonly now: number }
  | { readonly type: "force-phase"; readonly phase: Phase; readonly by: string; readonly now: number }
  /** A lead has seen PHASE_DONE and wants the next phase (`advance: "asked"`). */
  | { readonly type: "advance"; readonly now: number }
  | { readonly type: "plan-changed"; readonly plan: Plan; readonly now: number }
  /** The end of a phase was worked off, something stands against that, or a stop cut it short. */
  | {
      readonly type: "phase-settled";
      readonly phase: Phase;
      readonly outcome: "done" | "refused" | "stopped";
      /** What stands against it, where it is refused. */
      readonly reason: Reason | undefined;
      readonly now: number;
    }
  /** `halt` says why nobody may go on before a person has looked. */
  | {
      readonly type: "stop";
      readonly by: string;
      readonly how: "soft" | "hard";
      readonly halt?: Reason;
      readonly now: number;
    };

/** What the engine must do, after the step's changes are durable. */
export type RunCommand =
  | { readonly type: "dispatch"; readonly task: string; readonly attempt: number }
  | {
      readonly type: "cancel";
      readonly task: string;
      readonly attempt: number;
      readonly how: "soft" | "hard";
    }
  /** Work off the end of a phase, and answer with `phase-settled`. */
  | { readonly type: "settle-phase"; readonly phase: Phase }
  /** Tick the task's box in the task file. */
  | { readonly type: "tick-box"; readonly task: string }
  | { readonly type: "end"; readonly outcome: RunOutcome; readonly reason: Reason | undefined };

/** What one step did. `touched` are the tasks whose rows changed. */
export interface StepResult {
  readonly commands: RunCommand[];
  readonly events: RunEvent[];
  readonly touched: Set<TaskState>;
  /** Ids that left the plan. */
  readonly removed: string[];
  /** True when phase, forced phases or the outcome changed. */
  runTouched: boolean;
  /** Why an input was refused without effect, for the person or lead who sent it. */
  refused: Reason | undefined;
}

/** An empty result to collect into. */
export function emptyStep(): StepResult {
  return { commands: [], events: [], touched: new Set(), removed: [], runTouched: false, refused: undefined };
}
