import type {
  Authorship,
  Landed,
  LeftWork,
  ProvedWork,
  Reason,
  Result,
  Snapshot,
  VcsFailure,
} from "../../ports/index.ts";

/** How whatever runs for an attempt is told to end. */
export interface StopSignals {
  readonly cancel: AbortSignal;
  readonly kill: AbortSignal;
}

/** A task that is about to be worked on. */
export interface WorkspaceRequest {
  readonly task: string;
  /** When its attempt began, epoch milliseconds: what changes elsewhere from then on may be its agent's. */
  readonly startedAt?: number;
  /** No agent works on it, but a command of the plan: wherever that writes was meant. */
  readonly isShell?: boolean;
  readonly phase: PhaseRequest;
  /** Nothing else runs or can start before it has ended. */
  readonly alone: boolean;
  /** It goes on with whatever an earlier attempt of it has left; else it begins on a clean tree. */
  readonly goesOn?: boolean;
  /** Its agent is at work elsewhere, on its folder as it stands: the phase is not brought up to the target for it. */
  readonly isTakenUp?: boolean;
  /** A person has it go on: the phase takes in what they have committed to the target meanwhile. */
  readonly isRenewed?: boolean;
  /** Its last attempt died with its process: a merge that stands open where it worked is that attempt's. */
  readonly isAfterCrash?: boolean;
  /** The commit of an earlier attempt's work that was proved and has not landed. */
  readonly proved?: string;
  /** It was only claimed: it is proved where it stands now. */
  readonly isToProve?: boolean;
  /** One more agent works on the task beside the first: in a folder of its own, whose work does not land from there. */
  readonly candidate?: Candidate;
  /** Ends what makes its folder fit to work in; without it only the end of the run does. */
  readonly stop?: StopSignals;
}

/** One of several agents on a task that has not the task's own place. */
export interface Candidate {
  /** From 2 on. */
  readonly number: number;
  /** The commit that the task's own place stands on. */
  readonly from: string;
}

/** A phase as the run knows it. */
export interface PhaseRequest {
  readonly label: string;
  readonly title: string;
  readonly feature: string | undefined;
  /** Phases before it, in their order. */
  readonly before: readonly Omit<PhaseRequest, "before">[];
}

/** Where one attempt works, and how its work comes home. */
export interface Workspace {
  /** Absolute path of the folder that stands for the project. */
  readonly cwd: string;
  readonly branch: string;
  /** The commit its work is measured against. */
  readonly base: string;
  /** Whether it is a worktree of its own rather than the main checkout. */
  readonly linked: boolean;
  /** Absolute path of the folder that holds what has landed in its phase, as the project's. */
  readonly landed: string;
  /** What became of what earlier attempts had left there; absent where it was not looked for. */
  readonly left?: LeftWork | { readonly kind: "none" };
  /** The work that was asked for by its commit: it stands there, and only has to land. */
  readonly proved?: ProvedWork;
  /** What stands there now, as what would be landed. */
  seal(): Promise<Result<Snapshot, VcsFailure>>;
  /** Files that stand there, look like work, and are ignored, so that nothing lands them; what was told is left out. */
  ignored?(): Promise<readonly string[]>;
  noteIgnored?(paths: readonly string[]): Promise<void>;
  /** The text of a file in a commit or a snapshot; undefined where it is not there, or cannot be read. */
  read(tree: string, path: string): Promise<string | undefined>;
  /** What differs between two commits or snapshots, as a unified diff; undefined where that cannot be read. */
  diff(from: string, to: string): Promise<string | undefined>;
  /** Removes what checks left behind since it was sealed. */
  tidy(tree: string): Promise<Result<void, VcsFailure>>;
  /** Keeps what was proved for whoever finds it after a crash; returns its commit. */
  keepProved(tree: string, by: Authorship): Promise<Result<string, VcsFailure>>;
  /** Brings the sealed work home. */
  land(tree: string, by: Authorship, how: HowToLand): Promise<Result<Landed, VcsFailure>>;
  /** Takes out work that is not to land; it is kept for as long as the run lives, and told. What a conflict gave back stays. */
  setAside(): Promise<Result<void, VcsFailure>>;
  /** Nobody works there any more. Says what in the repository is not as it was. */
  leave(): Promise<Result<void, VcsFailure>>;
  /** Of a candidate's: its folder and branch go, and what stood there is kept for as long as the run lives; returns the ref. */
  discard?(tells?: boolean): Promise<Result<string | undefined, VcsFailure>>;
}

/** What happens to work on its way home. */
export interface HowToLand {
  /** A kill ends the wait for its turn, and so does a cancel where it is not wanted any more. */
  readonly stop: StopSignals;
  /** Asked when its turn has come: work that is not wanted does not land. */
  readonly isWanted: () => boolean;
  /** Whether `verify` runs what proves the work. */
  readonly isProof: boolean;
  /**
   * Asked about the joined files, in the folder they stand in, with the tasks whose lines stand beside its own; undefined where
   * nothing is asked.
   */
  readonly verify?: (cwd: string, others: readonly string[]) => Promise<Reason | undefined>;
  /** Work that does not land is moved aside, and the task's folder stands on what landed. */
  readonly afresh: boolean;
}

/** A task that has completed, and the phase it belongs to. */
export interface CompletedTask {
  readonly task: string;
  readonly phase: Omit<PhaseRequest, "before">;
}

export interface PhaseEndRequest {
  readonly phase: PhaseRequest;
  /** Its tasks. */
  readonly tasks: readonly string[];
  /** All tasks of the run that have completed: their boxes are committed where their work is. */
  readonly completed: readonly CompletedTask[];
  /** Checks the phase's work in a folder; says what stands against it. */
  readonly verify: (cwd: string) => Promise<Reason | undefined>;
  /** Instead of the configured policy. */
  readonly merge?: "auto";
}

/** How the end of a phase was worked off. */
export type PhaseEnd =
  /** It had no branch, or was merged before. */
  | { readonly kind: "nothing" }
  | { readonly kind: "merged"; readonly into: string; readonly commit: string }
  | { readonly kind: "left"; readonly branch: string; readonly how: string }
  | { readonly kind: "refused"; readonly reason: Reason };

/** Branches and worktrees of a run. */
export interface Workspaces {
  open(request: WorkspaceRequest): Promise<Result<Workspace, VcsFailure>>;
  /** Nobody works on the task now: where a conflict of its own kept others from landing, they may. */
  giveUp(task: string): void;
  /** Takes away the places of further agents on a task; what stands there is kept and told. */
  clear(request: Pick<WorkspaceRequest, "task" | "phase">): Promise<void>;
  endPhase(request: PhaseEndRequest): Promise<PhaseEnd>;
  /** Ends what makes worktrees fit to work in: nothing more is begun there. */
  stop(how: "soft" | "hard"): void;
  /** Fails when something that could start a program was changed. */
  inspect(): Promise<Result<void, VcsFailure>>;
  /** Resolves when nothing is being cleared away any more. */
  idle(): Promise<void>;
}
