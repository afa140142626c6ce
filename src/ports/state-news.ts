import type { Nothing } from "./refusal.ts";

/** What is wrong with a field of a file of the state. */
export type StateFieldProblem =
  | "unreadable"
  /** A key that nobody means. */
  | "no-key"
  /** A number where a list of tasks should stand. */
  | "no-names"
  | "no-list"
  | "no-object"
  | "no-task"
  /** Taken as pending. */
  | "unknown-status"
  /** Taken as none. */
  | "no-retries"
  /** Phases that are completed, and no task that is. */
  | "phases-alone";

/** Something in a file of the state that is not as it should be. */
export type StateOddity =
  /** `at` names the field: `tasks[3]`. */
  | { readonly at: string; readonly problem: StateFieldProblem }
  /** A task has several statuses. */
  | { readonly task: string; readonly statuses: readonly string[]; readonly taken: string }
  /** What is not listed. */
  | { readonly more: number };

export type StateDamageKind =
  | "empty"
  /** It ends in the middle of a page. */
  | "cut"
  | "other-tables"
  /** A row of the table `of`. */
  | "broken-row"
  | "no-first-entry"
  | "other-program"
  | "no-version"
  /** Espalier did not write it. */
  | "not-sealed"
  | "fields-missing"
  | "no-object"
  | "names-nothing"
  /** Version `of`. */
  | "other-version";

/** How a file of the state is damaged, or what SQLite, the system or a parser says of it. */
export type StateDamage = { readonly is: StateDamageKind; readonly of?: string } | { readonly said: string };

/** What is told of a project's state when it is opened: how it was found, and what was put right. `kept`: where a copy lies. */
export interface StateNewsArgs {
  readonly "state-file-missing": { readonly file: string; readonly kept?: string };
  /** Its latest changes are gone. */
  readonly "state-file-behind": { readonly file: string; readonly kept?: string };
  readonly "state-file-damaged": {
    readonly file: string;
    readonly damage: StateDamage;
    readonly kept?: string;
  };
  readonly "state-began-anew": Nothing;
  readonly "state-from-backup": { readonly file: string };
  /** Tasks whose status changed by it, and how many more there are. */
  readonly "state-brought-forward": {
    readonly file: string;
    readonly event: number;
    readonly changes: readonly { readonly id: string; readonly from: string; readonly to: string }[];
    readonly more: number;
  };
  readonly "state-file-odd": { readonly file: string; readonly what: StateOddity };
  readonly "state-moved": { readonly from: string; readonly to: string };
  /** File modes, in octal digits. */
  readonly "state-made-private": { readonly folder: string; readonly was: string; readonly now: string };
  readonly "state-event-gone": { readonly run: string; readonly event: number };
  readonly "state-run-forged": { readonly run: string };
  readonly "state-copy-kept": { readonly kept: string };
  readonly "state-run-elsewhere": { readonly file: string; readonly run: string };
  // Of a file under our name that another orchestrator wrote.
  readonly "state-left-by-another": { readonly file: string; readonly kept: string };
  readonly "state-tasks-of-another": { readonly file: string; readonly tasks: number };
}
