import type { Names } from "./names.ts";

/** What others have done to refs while the run was at work. */
export interface RefReasonArgs {
  readonly "target-moved": {
    readonly branch: string;
    readonly from: string;
    /** Where it is now; absent where it is gone. */
    readonly to?: string;
    readonly task?: string;
  };
  /** Refs of a person's are gone; `back` are the commands that make them again. */
  readonly "refs-gone": { readonly refs: Names; readonly back: readonly string[]; readonly task?: string };
}
