import {
  because,
  type FolderRequest,
  type LeftWork,
  type OwnBranch,
  type Reason,
  type Result,
  type Vcs,
  type VcsFailure,
  type WorkFolder,
} from "../../ports/index.ts";
import { covers } from "../../run/index.ts";
import { createLane, type Lane } from "./lane.ts";
import type { NameRules, Names, PhaseName } from "./names.ts";
import type { SharedStop } from "./shared-stop.ts";
import { tellStrayed } from "./strayed.ts";
import type { PhaseRequest, StopSignals, Workspace } from "./types.ts";
import { vcsReason } from "./vcs-reason.ts";

/** The task file as the repository knows it. */
export interface BoxFile {
  /** Of the repository. */
  readonly path: string;
  /** Ticks the boxes of these tasks in its bytes. */
  readonly tick: (bytes: Uint8Array, tasks: Iterable<string>) => Uint8Array;
  /** Ticks them in the checkout; says why that failed. */
  readonly tickHere: (tasks: ReadonlySet<string>) => string | undefined;
}

/** How a repository is worked in. */
export interface WorkspaceRules {
  readonly names: NameRules;
  /** The project's folder below the checkout's top; empty for the top itself. */
  readonly prefix: string;
  /** The branch that finished phases are merged into. */
  readonly target: string;
  /** Where it stood when the process before this one was cut off in the middle of work in the main checkout: it held this then. */
  readonly home?: string | undefined;
  /** Of these, the branches of phases that the plan has no more, with landed work that no other holds; what it landed on last stands first. */
  readonly former?: (standing: readonly OwnBranch[]) => Promise<Result<readonly string[], VcsFailure>>;
  readonly landing: "rebase" | "merge";
  /** Patterns of repository paths that are lists: lines inserted beside others' are as good in any order. */
  readonly lists: readonly string[];
  /** Commands by the pattern of the repository paths that they make anew, each to be run in the file's own folder. */
  readonly generated?: Readonly<Record<string, string>>;
  /** Runs a command of the project; says why it failed. */
  readonly run?: (command: string, cwd: string, stop: StopSignals) => Promise<Reason | undefined>;
  readonly merge: "auto" | "ask" | "never";
  readonly branches: "delete" | "keep";
  /** The task file, committed at phase ends; undefined where it is none of the repository's. */
  readonly boxes: BoxFile | undefined;
  /** Brings over what a worktree needs from the main checkout, as `FolderRequest` says. Undefined where nothing is to be brought. */
  readonly bring?: NonNullable<FolderRequest["bring"]>;
  /** Makes a new worktree fit to work in; says why that failed. `stop` ends what it runs. Undefined where nothing has to be done. */
  readonly prepare: ((path: string, stop: StopSignals) => Promise<Reason | undefined>) | undefined;
  /** The same for a worktree whose files ask for other packages by now, as after a landing; nothing is done where they do not. */
  readonly prepareAgain?: (path: string, stop: StopSignals) => Promise<Reason | undefined>;
  /** Names what `prepare` does: worktrees that were made fit by something else are prepared again. */
  readonly preparedBy?: string;
  /**
   * Takes the main checkout for a task, which waits while another project works there; returns what gives it back. Fails as
   * "unprepared" where the wait is ended.
   */
  readonly takeCheckout?: (task: string, stop: AbortSignal) => Promise<Result<() => void, VcsFailure>>;
  /** Tells what a person should know. */
  readonly tell: (code: string, message: Reason, task?: string) => void;
}

/** One phase's branch and folder, and who is in it. */
export interface PhaseWorkspace {
  readonly names: Names;
  readonly name: PhaseName;
  /** Its base moves with every landing. */
  folder: WorkFolder;
  /** A lone task that works in it. */
  occupant: { readonly task: string; readonly left: Promise<void> } | undefined;
  /** The task whose unlanded work may still stand in it. */
  leftover: string | undefined;
  /**
   * Settles with whether it is up to date with the branch that finished phases are merged into; undefined before anybody has worked
   * there.
   */
  caughtUp: Promise<boolean> | undefined;
  /** Why it was not, as it was told last. */
  behind: string | undefined;
  /** Tasks that have had folders of their own beside it; some may have left the plan. */
  readonly tasks: Set<string>;
}

/** A phase's folder that is open, or being opened for those who wait for it. */
export interface PhaseOpening {
  readonly opened: Promise<Result<PhaseWorkspace, VcsFailure>>;
  readonly ends: SharedStop;
}

/** What `endPhase` and the attempts share. */
export interface WorkspaceState {
  readonly vcs: Vcs;
  readonly rules: WorkspaceRules;
  /** Ends what runs for no attempt. */
  readonly stop: StopSignals;
  /** Branches of ours that stand. */
  readonly own: Set<string>;
  /** By label: the phases whose folders are open, or being opened. */
  readonly phases: Map<string, PhaseOpening>;
  /** Files of the main checkout that were told to have changed while an attempt changed nothing in its own folder. */
  readonly told: Set<string>;
  /** By task: when its first attempt in the main checkout began, of this process; epoch milliseconds. */
  readonly began: Map<string, number>;
  /** By task: what its last attempt in the main checkout had left there. */
  readonly left: Map<string, LeftWork>;
  /** Where our own work, or what it began on, has brought the target in the main checkout; undefined before any work there. */
  home: string | undefined;
  /** The branch that keeps what the target has lost of that, as it was told last. */
  lost: string | undefined;
  /** By phase: how tasks with folders of their own come home into its branch. */
  readonly lanes: Map<string, Lane>;
  /** The folder below a checkout that stands for the project. */
  cwdIn(path: string): string;
  nameOf(phase: Omit<PhaseRequest, "before">): PhaseName;
  /** Takes unlanded work of another task out of a phase's folder. */
  clear(workspace: PhaseWorkspace, unlessOf?: string): Promise<Result<void, VcsFailure>>;
  /** Does something later, without anybody waiting for it. */
  later(work: Promise<unknown>): void;
}

/** What a folder holds that git ignores and that looks like work; in the main checkout what came or changed since a moment. */
export async function ignoredIn(
  vcs: Pick<Vcs, "ignored">,
  folder: WorkFolder,
  since?: number,
): Promise<readonly string[]> {
  const found = await vcs.ignored?.(folder, since);
  return found?.ok === true ? found.value : [];
}

/** What is read of commits and snapshots. */
export function textsOf(vcs: Vcs): Pick<Workspace, "read" | "diff"> {
  return {
    async read(tree, path) {
      const read = await vcs.read?.(tree, path);
      return read?.ok === true ? read.value : undefined;
    },
    async diff(from, to) {
      const found = await vcs.diff?.(from, to);
      return found?.ok === true ? found.value : undefined;
    },
  };
}

/** Nobody works in a folder any more. Tells what somebody else did to the target meanwhile: none of it is a task's landed work. */
export async function leaveWorkspace(
  { vcs, rules }: WorkspaceState,
  task: string,
  folder?: WorkFolder,
): Promise<Result<void, VcsFailure>> {
  const forgotten = folder === undefined ? undefined : await vcs.forgetUnfinished(folder);
  if (forgotten?.ok === false) return forgotten;
  await tellStrayed({ vcs, rules }, task);
  return vcs.inspect();
}

/** Tells where is kept what an attempt has left behind. */
export function tellLeft(
  { tell }: Pick<WorkspaceRules, "tell">,
  { ref, files }: { readonly ref: string; readonly files?: string },
  task: string,
): void {
  tell("SET_ASIDE", because("work-left", { ref }), task);
  if (files !== undefined) tell("RESCUED", because("files-rescued", { path: files }), task);
}

/** Tells where is kept what stood in the place of a worktree's `.git` file. */
export function tellEntry(
  { tell }: Pick<WorkspaceRules, "tell">,
  entry: string | undefined,
  task?: string,
): void {
  if (entry !== undefined) tell("RESCUED", because("entry-replaced", { entry }), task);
}

/** Which files are lists: lines that two insert at one place may stand one after the other. */
export function listed({ lists }: Pick<WorkspaceRules, "lists">): (path: string) => boolean {
  return path => lists.some(list => covers(list, path));
}

/** The way home into a phase's branch. */
export function laneOf({ lanes }: Pick<WorkspaceState, "lanes">, { name }: PhaseWorkspace): Lane {
  const lane = lanes.get(name.label) ?? createLane();
  lanes.set(name.label, lane);
  return lane;
}

/** Phase 0 works in the main checkout. */
export function isMain(phase: Pick<PhaseRequest, "label">): boolean {
  return phase.label === "0";
}

/** Tells where work went that was saved instead of being removed. */
export function tellRescued(
  rules: Pick<WorkspaceRules, "tell">,
  gone: Awaited<ReturnType<Vcs["retire"]>>,
  task?: string,
): void {
  if (!gone.ok) {
    rules.tell("NOT_CLEARED", vcsReason(gone.failure), task);
    return;
  }
  const { branch, files, entry, unmerged, kept } = gone.value;
  if (branch !== undefined) rules.tell("RESCUED", because("work-rescued", { branch }), task);
  if (unmerged !== undefined)
    rules.tell("NOT_LANDED", because("work-not-landed", { branch: unmerged }), task);
  if (files !== undefined) rules.tell("RESCUED", because("files-rescued", { path: files }), task);
  tellEntry(rules, entry, task);
  if (kept !== undefined) rules.tell("NOT_CLEARED", because("worktree-kept", { said: kept }), task);
}
