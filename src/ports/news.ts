import type { Names } from "./names.ts";
import type { Nothing } from "./refusal.ts";
import type { StateNewsArgs } from "./state-news.ts";

/** A file of settings that was not read, and the limit that it passed. */
export interface UnreadFile {
  readonly file: string;
  readonly most: { readonly files?: number; readonly values?: number; readonly kib?: number };
}

/** What a person is told of a run that begins or is taken up again, and of its checkpoints, by its code. */
export interface NewsArgs extends StateNewsArgs {
  readonly "earlier-run-aside": { readonly file: string };
  readonly "ticks-believed": { readonly tasks: number; readonly file: string };
  /** Boxes that say more than the state. */
  readonly "ticks-not-believed": { readonly tasks: Names };
  readonly "done-under-another-text": { readonly tasks: Names };
  readonly "nothing-to-dispatch": Nothing;
  readonly "other-task-files": { readonly file: string; readonly others: readonly string[] };
  readonly "held-before": Nothing;
  readonly "starts-again": { readonly tasks: Names };
  /** Attempts on other machines that the last process has left. */
  readonly "goes-on-elsewhere": { readonly tasks: Names };
  readonly "landed-before": { readonly tasks: Names };
  /** Work that landed although its task was taken from its agent before. */
  readonly "landed-after-taken": { readonly tasks: Names };

  /** What a checkpoint, or state of an earlier form, says is completed. */
  readonly "completions-taken-over": {
    readonly from: string;
    readonly tasks: number;
    /** Its rows that the plan does not have any more. */
    readonly checkpoint?: { readonly gone: number };
  };
  /** Boxes that commits prove, where the state is gone. */
  readonly "state-rebuilt": { readonly tasks: number };
  /** Why somebody could not be told, and where. */
  readonly "notice-failed": {
    readonly at: string;
    readonly why: "redirects" | "no-answer" | "no-time" | "malformed" | "names-user" | "no-token" | "unset";
  };
  readonly "notice-forbidden": { readonly at: string; readonly address: string };
  /** Why nothing of a run can be sent to a collector: which standard variable says what is not heeded here. */
  readonly "telemetry-setting": {
    readonly signal: "traces" | "metrics";
    readonly why: "exporter" | "grpc" | "address" | "headers";
  };
  readonly "telemetry-unsent": {
    readonly at: string;
    readonly why: "no-answer" | "no-time" | { readonly rejected: number };
  };
  readonly "spans-lost": { readonly spans: number };

  // What a loss of power left of a repository; `kept` is the folder where it lies.
  readonly "objects-cut": { readonly objects: number; readonly kept: string };
  readonly "refs-cut": { readonly refs: Names; readonly kept: string };
  /** Refs that are not ours. */
  readonly "refs-cut-elsewhere": { readonly refs: Names };
  readonly "index-anew": { readonly kept: string };
  /** Files that were on their way into the checkout, or in worktrees. */
  readonly "files-put-back": { readonly files: Names; readonly where: "checkout" | "worktrees" };
  readonly "completed-unreadable": { readonly tasks: Names };

  readonly "state-left-unsealed": { readonly said: string };
  /** Files of settings that were not read for what is to be masked. */
  readonly "settings-unread": { readonly files: readonly UnreadFile[] };

  // What a checkpoint is written for.
  readonly "phase-was-ended": {
    readonly phase: string;
    readonly completed: number;
    readonly counted: number;
  };
  readonly "run-asked-to-stop": { readonly by: string };
  readonly "run-was-ended": { readonly outcome: "completed" | "failed" | "waiting" | "interrupted" };
  readonly "lead-window-filled": { readonly percent: number };
  /** The direction in its agent's words. */
  readonly "direction-declared": { readonly text: string };
  readonly "task-file-changed": Nothing;
  readonly "checkpoint-asked": Nothing;
}
