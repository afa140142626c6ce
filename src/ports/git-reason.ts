import type { Names } from "./names.ts";
import type { RefReasonArgs } from "./ref-reason.ts";
import type { Nothing, UnderWay } from "./refusal.ts";

/** What a repository, a branch, a folder or the work in it has against what is to be done with it. */
export interface GitReasonArgs extends RefReasonArgs {
  /** Something that could start a program is not as it was. */
  readonly "git-config-changed": { readonly keys: Names };
  /** There is no repository any more where one was opened. */
  readonly "repository-gone": { readonly path: string };
  /** Git's configuration includes a folder, a pipe or the like. */
  readonly "git-config-include": { readonly path: string };
  readonly "git-config-includes": { readonly most: number };
  readonly "git-config-unsteady": Nothing;
  readonly "clone-shallow": Nothing;

  readonly "branch-unnameable": { readonly branch: string };
  readonly "branch-gone": { readonly branch: string };
  /** Where finished phases go. */
  readonly "target-missing": { readonly branch: string };
  readonly "ref-gone": { readonly ref: string };
  /** What was asked for as one cannot be a commit's name. */
  readonly "commit-unnamed": { readonly name: string };
  /** A phase begins at a branch of one that the plan has no more. */
  readonly "phase-begins-at-former": { readonly branch: string; readonly former: string };
  readonly "branch-not-ours": { readonly branch: string };
  readonly "branch-in-the-way": { readonly branch: string; readonly wanted: string };
  /** `way` or the command `move` frees it. */
  readonly "branch-checked-out": {
    readonly branch: string;
    readonly path: string;
    readonly way?: "merge" | "switch";
    readonly move?: string;
  };
  readonly "merge-not-held": { readonly branch: string; readonly into: string };
  /** Another process merges; without `pid` nobody knows which. */
  readonly "merging-elsewhere": { readonly path: string; readonly pid?: number };
  /** Commits without a common one; `root` is the first commit of theirs. */
  readonly "histories-unrelated": { readonly ours: string; readonly theirs: string; readonly root: string };

  /** Something stands where a folder is to be made. */
  readonly "place-taken": { readonly path: string };
  readonly "worktree-missing": { readonly path: string };
  readonly "worktree-not-made": { readonly path: string };
  /** An operation of git's was begun and is not ended; `end` and `undo` are git's words for it. */
  readonly "operation-unfinished": {
    readonly operation: UnderWay;
    readonly path: string;
    readonly end: string;
    readonly undo: string;
  };
  /** The main checkout has another branch checked out, or none; `back` has it have the right one. */
  readonly "checkout-elsewhere": {
    readonly path: string;
    readonly branch: string;
    readonly now?: string;
    readonly back: string;
  };
  readonly "checkout-has-files": { readonly paths: Names };
  readonly "checkout-has-changes": { readonly paths: Names };
  /** An ignored file could not be moved out of the way; what the system said is foreign. */
  readonly "ignored-in-the-way": { readonly said: string };

  readonly "setup-cache": { readonly said: string };
  /** A file of `worktree.copy` or `worktree.link` could not be brought over. */
  readonly "not-brought": { readonly how: "copy" | "link"; readonly path: string; readonly said: string };
  /** It stands outside of the project, or would come to stand outside of the worktree. */
  readonly "leads-out": {
    readonly how: "copy" | "link";
    readonly path: string;
    readonly of: "project" | "worktree";
  };

  readonly "branch-left": { readonly branch: string; readonly now?: string };
  readonly "branch-deleted": { readonly branch: string };
  readonly "history-rewritten": Nothing;
  readonly "worktree-removed": { readonly path: string };
  readonly "submodule-unpushed": { readonly path: string };
  readonly "repository-within": { readonly path: string };
  readonly "not-on-top": Nothing;
  readonly "message-nul": Nothing;
}
