import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";

/** A complete object id of git's, by SHA-1 or SHA-256. */
export const OBJECT_ID: RegExp = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * Version control as the engine needs it: folders to work in, and branches that work comes home to. Every call may be
 * repeated after a crash at any point of an earlier one: what was half done is finished or undone first.
 * Every implementation passes `vcsConformance` from `espalier/testing`.
 */
export interface Vcs {
  readonly portVersion: 1;
  /** Fails with `config-changed` when anything that could start a program is not as it was at the start. */
  inspect(): Promise<Result<void, VcsFailure>>;
  /** Makes the folder of a branch, finds it again, or mends what a crash left of it. */
  open(request: FolderRequest): Promise<Result<WorkFolder, VcsFailure>>;
  /** What stands in a folder, ignored files apart. Neither the folder nor its index changes. */
  snapshot(folder: WorkFolder): Promise<Result<Snapshot, VcsFailure>>;
  /** Ignored files of a folder that look like work: those that a worktree was not told of, in the main checkout those since a moment. */
  ignored?(folder: WorkFolder, since?: number): Promise<Result<readonly string[], VcsFailure>>;
  /** Files of the main checkout, none of them ignored, that its commit does not hold so and that changed since (epoch milliseconds). */
  changedSince?(since: number): Promise<Result<readonly string[], VcsFailure>>;
  /** Keeps with a worktree that these were told. */
  noteIgnored?(folder: WorkFolder, paths: readonly string[]): Promise<Result<void, VcsFailure>>;
  /** The text of a file in a commit or a snapshot; undefined where it holds none at that path. */
  read?(tree: string, path: string): Promise<Result<string | undefined, VcsFailure>>;
  /** What differs between two commits or snapshots, as a unified diff; a very long one is cut, and says so. */
  diff?(from: string, to: string): Promise<Result<string, VcsFailure>>;
  /** Puts a folder back to a snapshot: for what checks leave behind. Ignored files stay. */
  restore(folder: WorkFolder, tree: string): Promise<Result<void, VcsFailure>>;
  /** Brings one attempt's work into a branch, at most once. */
  land(request: LandRequest): Promise<Result<Landed, VcsFailure>>;
  /** The commit of an attempt's work as it would land, before it does: no branch moves. */
  noteProved(folder: WorkFolder, tree: string, by: Authorship): Promise<Result<string, VcsFailure>>;
  /**
   * The work of such a commit, where its folder still stands on what it was made on: the folder then holds that and nothing
   * else, the main checkout also what a person has changed in other files. With `source` it is to be proved anew: where it
   * lacks the newest of `holds`, it is joined with the tip of `from`, where the two join. Undefined where it cannot be landed
   * from there any more.
   */
  findProved(
    folder: WorkFolder,
    commit: string,
    source?: Pick<FolderRequest, "from" | "holds" | "inserts">,
  ): Promise<Result<ProvedWork | undefined, VcsFailure>>;
  /** Fails with `unfinished` where that is so in a folder; where none is at the path, nothing is. */
  requireEnded(path: string): Promise<Result<void, VcsFailure>>;
  /**
   * Forgets a merge, or the like, that an attempt has begun in its folder and not ended; the files stay. With `by` only where that
   * claimed the folder last; where none is at the path, nothing is.
   */
  forgetUnfinished(folder: Pick<WorkFolder, "path">, by?: string): Promise<Result<void, VcsFailure>>;
  /**
   * Has a folder that no attempt has left anything in stand on its branch's tip: what others committed there counts as landed, and
   * what is in no commit is saved on a branch.
   */
  standOnTip(folder: WorkFolder): Promise<Result<PutOnTip, VcsFailure>>;
  /** Whether a branch of ours holds everything that another one does. */
  holds(branch: string, other: string): Promise<Result<boolean, VcsFailure>>;
  /** Brings a branch of ours and its folder up to what has become of its source; nobody works there, or off it. */
  bringUp(
    folder: WorkFolder,
    from: string,
    inserts?: MergeRequest["inserts"],
  ): Promise<Result<BroughtUp, VcsFailure>>;
  /**
   * Moves work that has not landed out of a shared folder, onto a branch of its own. Out of the main checkout only what has
   * changed since its claimant's work began; `branch` is then the name it is kept under, and the whole ref is returned.
   */
  setAside(folder: WorkFolder, branch: string): Promise<Result<Rescued, VcsFailure>>;
  /** Joins a finished branch into another with a merge commit, verified by its id. */
  merge(request: MergeRequest): Promise<Result<Merged, VcsFailure>>;
  /** The landing that work in the main checkout began on which nobody has ended, as after a kill, where a branch does not hold it now. */
  begunOn?(branch: string): Promise<Result<string | undefined, VcsFailure>>;
  /**
   * Has a branch that somebody rewrote since it stood at a commit hold again what landed on it: undefined where it holds that commit. What
   * it had lost besides is kept, and never joined.
   */
  rejoin?(branch: string, before: string): Promise<Result<Rejoined | undefined, VcsFailure>>;
  /** Has a branch that is checked out in the main checkout, and that somebody deleted, stand at a commit again; whether it had to. */
  putBack?(branch: string, at: string): Promise<Result<boolean, VcsFailure>>;
  /** Removes a branch's folder. Whatever is nowhere else is rescued first and named; locked folders stay. */
  retire(request: RetireRequest): Promise<Result<Rescued, VcsFailure>>;
  /** The branches it made here that still stand. */
  branches(into: string): Promise<Result<readonly OwnBranch[], VcsFailure>>;
  /** Commits one file of a branch, rewritten; true when that changed it. The file in the checkout stays as it is. */
  record(request: RecordRequest): Promise<Result<boolean, VcsFailure>>;
  /**
   * What came to a branch by none of these calls since it was last asked for, or since it was first: undefined where nothing did.
   */
  strayed(branch: string): Promise<Result<Strayed | undefined, VcsFailure>>;
  /**
   * Refs and stashed work that were there when this was first asked, belong to no work of ours, and have gone since by none of these calls:
   * each is told once.
   */
  gone(): Promise<Result<readonly GoneRef[], VcsFailure>>;
  /** Lets go of what a process that was killed held while it took it in from elsewhere. */
  forgetPassing(): Promise<Result<void, VcsFailure>>;
  /** Lets go of what was kept of attempts' leftovers: another run begins. */
  forgetLeft(): Promise<Result<void, VcsFailure>>;
  /** Attempts whose work a branch holds, read from its commits. */
  attemptsIn(branch: string): Promise<Result<readonly LandedAttempt[], VcsFailure>>;
}

/** A branch that somebody moved. */
export interface Strayed {
  /** The commit it stood at. */
  readonly from: string;
  /** Where it stands now; undefined where it is gone. */
  readonly to: string | undefined;
}

/** What became of a branch that was rewritten. */
export interface Rejoined {
  /** The tasks whose landed work it had lost. */
  readonly tasks: readonly string[];
  /** The branch on which is kept what it held before; absent where it holds that again. */
  readonly kept?: string;
}

/** A ref that is gone. */
export interface GoneRef {
  readonly kind: "branch" | "tag" | "note" | "stash";
  /** Below what all of its kind lie in; of stashed work, what its entry said. */
  readonly name: string;
  /** The object it named last. */
  readonly object: string;
}

/** A folder to be made: a branch, and where it begins when there is none yet. */
export interface FolderRequest {
  readonly branch: string;
  /** Absolute. */
  readonly path: string;
  /** Branch or commit a new branch begins at; work that was given back in its folder is joined with what landed there since. */
  readonly from: string;
  /** Where work that begins anew lacks the newest of this branch, it begins on the tip of `from`. */
  readonly holds?: string;
  /** As `MergeRequest` has it, where earlier work is joined with that. */
  readonly inserts?: MergeRequest["inserts"];
  /** The task that is going to work there by itself; remembered with the folder. */
  readonly claimant?: string;
  /**
   * Called whenever the folder is opened, before anybody works there: brings over what it needs from elsewhere. `notes` is a file
   * of the folder's for what was brought before. Returns the paths in the folder that it changed, or why that failed.
   */
  readonly bring?: (path: string, notes: string) => Result<readonly string[], Reason>;
  /** Called once for a folder, to make it fit to work in; says why that failed. */
  readonly prepare?: (path: string) => Promise<Reason | undefined>;
  /** Names what `prepare` does, in one line: a folder that was made fit by something else is prepared again. */
  readonly preparedBy?: string;
  /**
   * What earlier work has left in the folder is kept under this name, and the folder stands on its base again; not where work
   * was given back to it. Of the main checkout only what has changed since the claimant's work began.
   */
  readonly anew?: string;
}

/** What became of earlier work in a folder that was opened anew. */
export type LeftWork =
  /** It was taken out; `ref` holds it for as long as the run lives. */
  | {
      readonly kind: "kept";
      readonly ref: string /** Folder of repositories that stood there. */;
      readonly files?: string;
    }
  /** It had been given back, joined with what landed meanwhile, and stands there. */
  | { readonly kind: "given" };

/** A checked-out branch. */
export interface WorkFolder {
  readonly path: string;
  readonly branch: string;
  /** The commit its work is measured against. */
  readonly base: string;
  /** The task that last claimed it. */
  readonly claimant?: string;
  /** Where the branch's history is kept that somebody had put in place of what it began with. */
  readonly rescued?: string;
  /** Where a worktree is now that stood in its place, and whose repository is gone. */
  readonly aside?: string;
  /** Where is kept what somebody had put in the place of its `.git` file. */
  readonly entry?: string;
  /** The branch that holds what was in no commit when its files were half moved. */
  readonly loose?: string;
  /** What became of earlier work in it; absent where there was none, or it was not to be opened anew. */
  readonly left?: LeftWork;
}

export interface Snapshot {
  /** Names the content; equal for equal content. */
  readonly tree: string;
  /** Repository paths that differ from the folder's base. */
  readonly changed: readonly string[];
  /** Changed paths that still hold both sides of a conflict, of a join of ours or of the attempt's own. */
  readonly unresolved: readonly string[];
  /** Whether the folder holds more than this: changes of what is no attempt's to change. */
  readonly leftOut?: boolean;
  /** Where is kept what the attempt had put in the place of the folder's `.git` file. */
  readonly entry?: string;
}

/** What a folder stands on that was put on its branch's tip. */
export interface PutOnTip {
  readonly base: string;
  /** The branch that holds what was in no commit; absent where nothing was. */
  readonly branch?: string;
}

/** How a branch stands to what its source has become. */
export type BroughtUp =
  /** It holds all of it. */
  | { readonly kind: "current" }
  /** It holds it now, and its folder stands on `base`, with what was open in it. */
  | {
      readonly kind: "brought";
      readonly base: string;
      /** Files in which the lines of both stand one after the other; absent where there are none. */
      readonly lists?: readonly string[];
    }
  /** It does not join what stands there on `base`, landed or open. */
  | { readonly kind: "conflict"; readonly paths: readonly string[]; readonly base: string };

/** Work that was proved and has not landed. */
export interface ProvedWork {
  readonly snapshot: Snapshot;
  /** What the folder stands on now, where that is something else than before. */
  readonly base?: string;
  /** Files in which its lines stand beside those of what it was joined with; absent where there are none. */
  readonly lists?: readonly string[];
  readonly verified: boolean;
}

/** Who did a piece of work; becomes trailers of its commit. */
export interface Authorship {
  readonly task: string;
  readonly title: string;
  /** The attempt's token. */
  readonly attempt: string;
  readonly verified: boolean;
}

export interface LandRequest {
  readonly folder: WorkFolder;
  readonly tree: string;
  readonly by: Authorship;
  /** The folder of the branch it comes home to; the same as `folder` for a task that worked there alone. */
  readonly into: WorkFolder;
  readonly how: "rebase" | "merge";
  /**
   * Asked when others' work lies in between, with the joined files in `path`; says what stands against them. `others` are the tasks
   * on the other side of what would have been in conflict.
   */
  readonly verify?: (path: string, others: readonly string[]) => Promise<Reason | undefined>;
  /** Whether `verify` was ended: what it said stands against nothing, and the work lands when it is asked again. */
  readonly isEnded?: () => boolean;
  /**
   * Where both sides only inserted lines at the same places of a file, they are joined in the order they landed: in every file
   * when `verify` proves what came of it (`proved`), else in those this holds for and in lists by their history. Nowhere
   * without it.
   */
  readonly inserts?: "proved" | ((path: string) => boolean);
  /** Hears the branch on which was saved what somebody had left open in the folder that the work lands in. */
  readonly kept?: (branch: string) => void;
  /**
   * What makes a file from others, as a lock file is made: run in a checkout with the changes of both sides and the branch's own
   * file. Undefined for a file that is somebody's text. Where nothing but such files is in conflict, they are made anew.
   */
  readonly generate?: (path: string) => ((top: string) => Promise<"made" | "failed" | "stopped">) | undefined;
  /**
   * For work that nobody can mend where it stands: when it cannot land, the task's folder stands on the branch's state
   * without it, and the work is kept on a branch that is named.
   */
  readonly afresh?: boolean;
}

export type Landed =
  /** `joined` are files in which insertions of both sides stand one after the other; `generated` paths were made anew. */
  | {
      readonly kind: "landed";
      readonly commit: string;
      readonly joined?: readonly Conflict[];
      readonly generated?: readonly string[];
    }
  /**
   * Both changed the same. The task's folder now stands on the branch's state, both sides in its files. `refused` says what
   * stood against the insertions of both as they were joined.
   */
  | {
      readonly kind: "conflict";
      readonly files: readonly Conflict[];
      readonly refused?: Reason;
      readonly rescued?: string;
    }
  /** It was ended before its turn came, or while a file was being made anew: everything stands as before. */
  | { readonly kind: "stopped" }
  /** Joined without conflict, but `verify` refused. The task's folder now stands on the joined state. */
  | { readonly kind: "unproven"; readonly reason: Reason; readonly rescued?: string };

/** One file that two tasks changed in ways that cannot both stand. */
export interface Conflict {
  readonly path: string;
  /** What kind, in the tool's words. */
  readonly what: string;
  /** Both sides, ours and theirs, capped. */
  readonly sides: string;
  /** The tasks whose work is on the other side, newest first, as far as commits tell. */
  readonly others: readonly string[];
  /** Names what both sides hold; equal where the same conflict is met again. */
  readonly content: string;
}

export interface MergeRequest {
  readonly branch: string;
  readonly into: string;
  readonly message: string;
  /**
   * Whether lines that both sides inserted at one place of a file may stand beside each other without a proof: in the files that it says
   * yes to and in those that only grew by their history. Without it, nowhere.
   */
  readonly inserts?: (path: string) => boolean;
}

export type Merged =
  /** `already` when there was nothing left to do. */
  | {
      readonly kind: "merged";
      readonly commit: string;
      readonly already: boolean;
      /** Files in which insertions of both sides stand beside each other. */
      readonly joined?: readonly string[];
    }
  | { readonly kind: "conflict"; readonly files: readonly Conflict[] };

export interface RecordRequest {
  /** Of the repository. */
  readonly path: string;
  readonly into: string;
  readonly message: string;
  /** What becomes of the file as the branch has it. */
  readonly rewrite: (bytes: Uint8Array) => Uint8Array;
}

export interface RetireRequest {
  readonly branch: string;
  readonly path: string;
  /** Branches that hold its landed work. */
  readonly heldBy: readonly string[];
  /** Whether the branch goes too, once another one holds its work. */
  readonly deleteBranch: boolean;
}

/** A branch that was made here. */
export interface OwnBranch {
  readonly branch: string;
  /** Whether the branch that was asked about holds all of it. */
  readonly held: boolean;
  /** It does by other commits, as where it was squashed or rebased: these are not in its history. */
  readonly byOthers?: true;
}

/** Work that was saved instead of being removed. */
export interface Rescued {
  /** Branch of uncommitted and untracked files. */
  readonly branch?: string;
  /** Folder of ignored files that nothing could make again. */
  readonly files?: string;
  /** Where is kept what somebody had put in the place of the folder's `.git` file. */
  readonly entry?: string;
  /** The branch itself, where it stays because its work is in no other. */
  readonly unmerged?: string;
  /** Why the folder still stands, if it does. */
  readonly kept?: string;
}

export interface LandedAttempt {
  readonly task: string;
  readonly attempt: string;
  readonly commit: string;
  readonly verified: boolean;
}

export type VcsFailure =
  /** Something that could start a program was changed; `keys` name it. No call is made any more. */
  | { readonly kind: "config-changed"; readonly keys: readonly string[]; readonly reason: Reason }
  /** A branch or folder of the name is there and is not ours. */
  | { readonly kind: "foreign"; readonly reason: Reason }
  /** The agent left its branch, rewrote its history, or hid a repository in it. */
  | { readonly kind: "strayed"; readonly reason: Reason }
  /** A merge, or the like, was begun in the folder and is not ended. */
  | { readonly kind: "unfinished"; readonly reason: Reason }
  /** The new folder could not be made fit to work in. */
  | { readonly kind: "unprepared"; readonly reason: Reason }
  /** A filter that must do its work did not: the same files will meet the same. */
  | { readonly kind: "filter-failed"; readonly reason: Reason }
  | { readonly kind: "full"; readonly reason: Reason }
  /** Anything else it said; trying again may help. */
  | { readonly kind: "failed"; readonly reason: Reason };
