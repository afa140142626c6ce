import type { CallRefusalArgs, Nothing } from "./call-refusal.ts";
import type { HubRefusalArgs } from "./hub-refusal.ts";
import type { Names } from "./names.ts";

export type { Nothing } from "./call-refusal.ts";

/** How a lead asks: by commands of a shell, or by tools. */
export type LeadFace = "shell" | "tools";

/** What stands where a file or folder of ours should. */
export type Stranger =
  | "link"
  | "no-file"
  | "no-folder"
  | "another-folder"
  | "another-users"
  | "linked-elsewhere"
  | "filled-lock"
  | "beside-lock"
  | "foreign-journal";

/** What stands under a name of ours and is none of ours. */
export interface NotOwn {
  readonly path: string;
  readonly found: Stranger;
  /** Of hard links, or of bytes. */
  readonly count?: number;
}

/** What a person began in a repository and did not end. */
export type UnderWay = "merge" | "rebase" | "cherry-pick" | "revert" | "bisect";

/** A run that a hub has a copy of; what is not told could not be read. */
export interface KnownCopy {
  readonly run: string;
  /** The machine that conducted it, and the task file it works on. */
  readonly host?: string;
  readonly file?: string;
  /** When it was copied, as that machine's clock told it. */
  readonly at?: number;
}

/** Why a command does nothing, and what to do about it, by its code. */
export interface RefusalArgs extends CallRefusalArgs, HubRefusalArgs {
  // The state of a project, and who holds it.
  readonly "project-held": {
    /** Absent where it has not said yet who it is. */
    readonly by?: {
      readonly pid: number;
      readonly host: string;
      readonly cwd: string;
      /** ISO 8601; absent where it is not known. */
      readonly since?: string;
      readonly isStopped: boolean;
    };
  };
  /** A newer coordinator conducts the run, on another machine or this one; both empty where the hub does not know whose. */
  readonly "taken-over": { readonly name: string; readonly host: string };
  /** Another machine has conducted the run since this folder did. */
  readonly "conducted-elsewhere": Nothing;
  /** The other machine has gone on with the run since its copy was brought to this folder. */
  readonly "copy-old": Nothing;
  /** The hub has no copy of a run of this repository, or not of that one. */
  readonly "no-copy": { readonly url: string; readonly run?: string };
  readonly "take-over-needs-hub": Nothing;
  readonly "several-copies": { readonly runs: readonly KnownCopy[] };
  /** Another folder conducts a run of the same task file there. */
  readonly "run-elsewhere": KnownCopy;
  /** The coordinator of a run of the same task file has ended, and the run is not completed. */
  readonly "run-left": KnownCopy & { readonly url: string };
  readonly "copy-unreadable": { readonly run: string };
  /** The run is one of another folder of the repository; the empty path is its top. */
  readonly "copy-elsewhere": { readonly folder: string; readonly here: string };
  /** A run of this folder has not ended. */
  readonly "run-here": { readonly file: string };
  /** A branch has commits here that the run does not have, and the reverse. */
  readonly "branch-differs": { readonly branch: string; readonly commit: string };
  /** Finished phases of the run go to another branch than is checked out here. */
  readonly "target-differs": { readonly target: string; readonly here: string };
  readonly "hub-needs-git": Nothing;
  readonly "hub-token-unset": Nothing;
  /** The state names a hub, and nothing outside of the repository tells that a person had the run handed to it. */
  readonly "hub-not-known": Nothing;
  readonly fenced: { readonly stored: number; readonly ours: number };
  readonly "disk-full": { readonly said: string };
  /** `said` by the system. */
  readonly "not-printed": { readonly said: string };
  readonly "state-newer": { readonly found: number; readonly supported: number };
  readonly "state-damaged": { readonly said: string; readonly kept?: string };
  readonly "state-foreign": { readonly found: string; readonly expected: string };
  readonly "state-unsealed": { readonly isOfAnother: boolean };
  readonly "state-set-back": {
    /** What was acknowledged last; absent where only some rows are older or gone. */
    readonly event?: number;
  };
  readonly "key-unreadable": { readonly said: string };
  readonly "boxes-unproven": {
    readonly ticked: number;
    readonly proven: number;
    readonly unproven: readonly string[];
    readonly more: boolean;
  };
  readonly "no-run": { readonly root: string };
  readonly "no-answer": { readonly pid: number; readonly isStopped?: boolean };
  /** `stopped` is the process where a signal has stopped it. */
  readonly "run-silent": { readonly stopped?: number };
  readonly "nothing-runs": Nothing;
  readonly stopped: Nothing;
  readonly "still-ending": { readonly pid: number };
  readonly "kill-it": { readonly pid: number; readonly isStopped?: boolean };
  readonly "see-status": Nothing;
  readonly "take-it-over": { readonly url: string };
  readonly "copies-are": { readonly runs: readonly string[] };
  readonly "name-copy": { readonly url: string };
  readonly "take-over-or-begin": { readonly run: string; readonly url: string };
  readonly "same-version": Nothing;
  readonly "go-to-folder": { readonly folder: string };
  readonly "finish-run-here": Nothing;
  readonly "join-branch": { readonly branch: string; readonly commit: string; readonly isTarget: boolean };
  readonly "clear-folder": Nothing;
  /** The commit where the run has the branch, where there is none of that name here. */
  readonly "check-out-target": { readonly target: string; readonly commit?: string };
  readonly "clone-or-init": Nothing;
  readonly "ask-for-token": Nothing;
  readonly "go-on-there": { readonly host: string };
  readonly "make-room": Nothing;
  readonly "make-writable": {
    /** Absent for the folder of the state. */
    readonly path?: string;
  };
  readonly "came-with-repository": Nothing;
  readonly "update-program": Nothing;
  readonly "see-doctor": { readonly of: "state" | "repository" };
  readonly "doctor-says-why": Nothing;
  readonly "check-disk": Nothing;
  /** What was done about the state's folder that went while a run was going on, and what is to be done. */
  readonly "state-gone": Nothing;
  readonly "state-back": Nothing;
  readonly "adopt-state": Nothing;
  readonly "trust-state": { readonly first: "look" | "put-back" };
  readonly "make-private": { readonly folder: string };
  readonly "trust-boxes": { readonly isKept?: true };
  /** With the address of the hub that was asked to go on with one. */
  readonly "run-starts-one": { readonly url?: string };

  // The repository that tasks are worked in.
  readonly "no-git": Nothing;
  readonly "git-too-old": { readonly found: string; readonly needed: string };
  readonly "program-unnamed": { readonly name: string };
  readonly "worktree-leads-away": { readonly top: string };
  readonly "line-break-in-path": { readonly folder: string };
  readonly "ref-unreadable": { readonly ref: string };
  readonly "no-commits": Nothing;
  readonly "target-deleted": { readonly branch: string };
  /** A run whose work lies in a repository, and there is none any more. */
  readonly "run-without-repository": { readonly root: string };
  readonly "under-way": { readonly what: UnderWay };
  readonly "landing-unknown": { readonly task: string; readonly root: string };
  readonly "place-inside-checkout": { readonly path: string };
  readonly "place-unwritable": { readonly folder: string };
  readonly "first-phase-elsewhere": { readonly branch: string };
  /** Nothing is wrong: phase 0 is about to work in the main checkout. */
  readonly "first-phase-here": { readonly branch: string };
  /** Nothing is wrong: another branch is checked out than the one on which the run began. */
  readonly "target-stays": { readonly target: string };
  readonly "target-gone": { readonly begun: string; readonly target: string };
  readonly "checkout-changed": { readonly files: Names };
  readonly "no-worktrees": { readonly root: string };
  readonly "install-git": { readonly version?: string };
  readonly "rename-it": Nothing;
  readonly "worktrees-off": {
    /** What else can be done than to let all tasks work in the main checkout. */
    readonly or?: "move" | "rename" | "unset-worktree" | "init" | "commit" | "end" | "put-away" | "restore";
  };
  readonly "own-it": { readonly folder: string };
  readonly "name-worktree": { readonly command: string };
  readonly "put-ref-back": { readonly ref: string };
  /** `last` is the commit that it named. */
  readonly "put-branch-back": { readonly branch: string; readonly last?: string };
  readonly "mend-repository": { readonly by: "git" | "doctor" | "fsck" };
  readonly "choose-place": { readonly state: string };
  readonly "make-place-writable": { readonly folder: string };
  readonly "switch-branch": { readonly branch: string };
  readonly "worktrees-need": Nothing;

  // What a command names.
  readonly "plan-changed": {
    readonly file: string;
    readonly added: Names;
    readonly removed: Names;
    readonly changed: Names;
  };
  readonly "only-unknown": { readonly task: string };
  readonly "only-needs": { readonly task: string; readonly needs: readonly string[] };
  readonly "force-unknown": { readonly phase: string };
  readonly "not-owned": NotOwn;
  readonly "state-place": { readonly named: string; readonly tools?: string };
  readonly "tasks-outside-project": { readonly file: string; readonly real: string };
  readonly "put-file-back": Nothing;
  readonly "plan-lists": Nothing;
  readonly "add-to-only": { readonly tasks: readonly string[] };
  readonly "phases-are": { readonly labels: readonly string[]; readonly nearest?: string };
  readonly "choose-state-place": { readonly isTools: boolean };
  readonly "could-lead-out": Nothing;
  readonly "name-it-yourself": Nothing;

  // What a lead is told.
  readonly "not-in-progress": { readonly task: string };
  readonly "foreign-signal": { readonly said: string };
  readonly "window-full": { readonly face: LeadFace };
  readonly "ask-next": { readonly face: LeadFace };
  readonly "start-task": { readonly task: string; readonly face: LeadFace };
  readonly "started-before": { readonly path: string };
  readonly "raise-budget": { readonly face: LeadFace };
  readonly "hand-in-whole": Nothing;
  readonly "hand-in-document": { readonly face: LeadFace };
}
