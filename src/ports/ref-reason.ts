import type { Names } from "./names.ts";

/** What others do in the repository while the run is at work. */
export interface RefReasonArgs {
  readonly "target-moved": {
    readonly branch: string;
    readonly from: string;
    /** Where it is now; absent where it is gone. */
    readonly to?: string;
    readonly task?: string;
  };
  /** A branch was rewritten: it lost what tasks had landed, or only what others had committed. Without `kept` it holds that again. */
  readonly "landed-lost": { readonly branch: string; readonly tasks: Names; readonly kept?: string };
  /** A branch holds nothing of what completed tasks landed on it, since a run went on last. */
  readonly "landed-gone": {
    readonly branch: string;
    readonly tasks: Names;
    readonly kept: readonly string[];
  };
  /** A branch that was deleted while it was checked out stands at a commit again. */
  readonly "target-put-back": { readonly branch: string; readonly at: string };
  /** Files that an attempt has made are ignored: nothing lands them. */
  readonly "work-ignored": { readonly task: string; readonly paths: Names; readonly first: string };
  /** Files of the main checkout, at `top`, changed while a task was worked on that has changed nothing in its own folder. */
  readonly "changed-elsewhere": { readonly task: string; readonly paths: Names; readonly top: string };
  /** Something else stood in the place of a worktree's `.git` file. */
  readonly "entry-replaced": { readonly entry: string };
  /** A task of another project works in the main checkout. */
  readonly "checkout-busy": { readonly pid: number; readonly cwd: string };
  /** Refs of a person's are gone; `back` are the commands that make them again. */
  readonly "refs-gone": { readonly refs: Names; readonly back: readonly string[]; readonly task?: string };
}
