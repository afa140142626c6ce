import type { RunOutcome } from "./event.ts";
import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";

/** Tells people who are not looking what happened. */
export interface Notifier {
  readonly portVersion: 2;
  /** As people know it: `slack`, `webhook`, `command`, `desktop`, `terminal`. */
  readonly name: string;
  /** Says in words why nobody was told; never throws, takes at most half a minute, and leaves off once `over` is aborted. */
  notify(message: NoticeMessage, over?: AbortSignal): Promise<Result<void, string | Reason>>;
}

/** What is told at once: one notice, or all that came while nothing was told. */
export interface NoticeMessage {
  readonly project: string;
  /** What matters most first; never empty. */
  readonly notices: readonly Notice[];
  /** Notices that are only counted. */
  readonly more: number;
}

interface Told {
  /** What is typed to go on, exactly. */
  readonly command: string;
}

/** Something worth leaving other work for. Texts are foreign. */
export type Notice = Told &
  (
    | { readonly kind: "run-ended"; readonly outcome: RunOutcome; readonly summary: NoticeSummary }
    /** The run ended as no run should: its state cannot be written, or by a bug. */
    | { readonly kind: "emergency"; readonly said: string }
    /** An agent waits for a permission; `id` is what `espalier permit` answers it by. */
    | { readonly kind: "asked"; readonly task: string; readonly id: number; readonly wants: string }
    /** A task waits for a person. */
    | { readonly kind: "paused"; readonly task: string; readonly reason: Reason }
    /** Commands of the repository wait to be approved, and nothing was started. */
    | { readonly kind: "approval"; readonly wanted: number }
    /** The money or the tokens that were allowed are spent. */
    | { readonly kind: "budget"; readonly reason: Reason | undefined }
    /** Everything that is left waits until agents have quota again; goes on by itself. */
    | { readonly kind: "quota"; readonly tasks: number; readonly until: number | undefined }
    /** What stands against the end of a phase. */
    | { readonly kind: "phase-refused"; readonly phase: string; readonly reason: Reason }
    /** Too little of a phase completed for the next one to start. */
    | {
        readonly kind: "phase-gated";
        readonly phase: string;
        readonly completed: number;
        readonly counted: number;
      }
    | {
        readonly kind: "phase-ended";
        readonly phase: string;
        readonly completed: number;
        readonly counted: number;
        readonly ms: number;
      }
    /** Its branch waits for a person to merge it. */
    | { readonly kind: "phase-ready"; readonly phase: string; readonly branch: string }
    /** Somebody wants to know whether they are reached. */
    | { readonly kind: "test" }
  );

/** What a run came to. */
export interface NoticeSummary {
  readonly completed: number;
  /** Tasks that it was about. */
  readonly tasks: number;
  readonly unverified: number;
  readonly failed: number;
  readonly paused: number;
  readonly ms: number;
  /** As far as anybody knows. */
  readonly tokens?: number | undefined;
  /** US dollars. */
  readonly cost?: number | undefined;
  /** Phases that wait to be merged. */
  readonly ready: readonly string[];
  readonly reason: Reason | undefined;
}
