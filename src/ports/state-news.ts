import type { Nothing } from "./refusal.ts";

/** What is told of a project's state when it is opened: how it was found, and what was put right. `kept`: where a copy lies. */
export interface StateNewsArgs {
  readonly "state-file-missing": { readonly file: string; readonly kept?: string };
  /** Its latest changes are gone. */
  readonly "state-file-behind": { readonly file: string; readonly kept?: string };
  readonly "state-file-damaged": { readonly file: string; readonly damage: string; readonly kept?: string };
  readonly "state-began-anew": Nothing;
  readonly "state-from-backup": { readonly file: string };
  /** Tasks whose status changed by it, and how many more there are. */
  readonly "state-brought-forward": {
    readonly file: string;
    readonly event: number;
    readonly changes: readonly { readonly id: string; readonly from: string; readonly to: string }[];
    readonly more: number;
  };
  /** Something in a file of the state that is not as it should be, in words that are not ours. */
  readonly "state-file-warns": { readonly file: string; readonly text: string };
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
