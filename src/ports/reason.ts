import type { AgentRefusalArgs } from "./agent-refusal.ts";
import type { AgentProblem, AgentTurnArgs } from "./agent-turn.ts";
import type { AnswerArgs } from "./answer.ts";
import type { BlockProblem, UnhungBlock } from "./block-problem.ts";
import type { GitReasonArgs } from "./git-reason.ts";
import type { MachineReasonArgs } from "./machine-reason.ts";
import type { Names } from "./names.ts";
import type { NewsArgs } from "./news.ts";
import type { Nothing, RefusalArgs } from "./refusal.ts";

/** What a budget allows and what is taken of it; US dollars. A part without a limit is absent. */
export interface BudgetUse {
  readonly tokens?: number;
  readonly maxTokens?: number;
  readonly cost?: number;
  readonly maxCost?: number;
}

/** What remains of a run that has no budget for it, and the option that would allow it. */
export interface BudgetLeft {
  readonly tasks: number;
  readonly tokens: number;
  readonly cost: number;
  readonly option: string;
}

/** How a command ended: by an exit code, or by what killed it. */
export interface CommandEnd {
  readonly exit?: number;
  readonly killed?: string;
  /** What it complained of; foreign, and empty where it said nothing. */
  readonly said: string;
}

/** How tests came to ask less while a task was worked on. */
export interface WeakerTests {
  /** Test files that are gone. */
  readonly gone: Names;
  /** Test files with fewer tests or assertions than before, or more that are skipped. */
  readonly weaker: Names;
  /** Tests that ran before and after the work, where fewer did. */
  readonly fewer?: { readonly before: number; readonly after: number };
}

/** Why tasks of a run broke or never became ready. */
export interface Broken {
  readonly failed?: Names;
  readonly cancelled?: Names;
  readonly blocked?: Names;
  readonly stuck?: Names;
  /** The first of the stuck ones, what it waits for, and whether that is left out of this run. */
  readonly waits?: { readonly task: string; readonly on: string; readonly outside: boolean };
}

/** Why all tasks work in one folder: no repository, none with a commit, not in the repository around it, or as configured. */
export type OneFolder = "no-repository" | "no-commits" | "outside" | "off";

/** The kinds of what version control could not do, as `VcsFailure` describes them. */
export type VcsProblem =
  | "config-changed"
  | "foreign"
  | "unprepared"
  | "filter-failed"
  | "unfinished"
  | "strayed"
  | "full"
  | "failed";

interface OfTask {
  readonly task: string;
}
interface OfPhase {
  readonly phase: string;
}

/** Every reason this program gives, by its code, with the plain data it is made of. */
export interface ReasonArgs
  extends RefusalArgs,
    NewsArgs,
    AgentRefusalArgs,
    AgentTurnArgs,
    MachineReasonArgs,
    AnswerArgs,
    GitReasonArgs {
  /** Words that are not ours: shown as they are, in no language of ours, and never read. */
  readonly said: {
    readonly by: "agent" | "person" | "command" | "git" | "system" | "document" | "earlier-version";
    readonly text: string;
  };

  // Why a task stands where it stands.
  readonly "paused-by-person": Nothing;
  readonly "cancelled-by-person": Nothing;
  readonly "text-changed": Nothing;
  readonly "left-out": Nothing;
  /** The fields by which an edit of its text holds it to less. */
  readonly "asks-less": { readonly fields: readonly string[] };
  readonly "blocked-by": OfTask;
  readonly "no-signal": Nothing;
  /** It ended on versions of shared documents that are not the newest: `GC v1 of v3`. */
  readonly "stale-context": { readonly held: string };
  readonly "cancelled-outside": Nothing;
  readonly "run-block-unapproved": Nothing;
  readonly "proof-unapproved": Nothing;
  readonly "file-unapproved": { readonly path: string };
  readonly "work-unreadable": { readonly path: string; readonly commit: string };
  /** A row said this, and no program of ours had written it. */
  readonly "state-not-believed": { readonly status: string };

  // How an attempt ended.
  /** An agent did what its policy denies, and did not ask. Its words are foreign. */
  readonly "not-asked": { readonly agent: string; readonly kind: string; readonly said: string };
  /** An agent did what a person was to be asked for, and did not ask. Its words are foreign. */
  readonly "does-not-ask": { readonly agent: string; readonly kind: string; readonly said: string };
  /** An agent did what it had asked for and was refused. Its words are foreign. */
  readonly "not-heeded": { readonly agent: string; readonly kind: string; readonly said: string };
  /** It asked to do this, nobody answered, and it failed. Its words are foreign, and whole where they are short. */
  readonly "nobody-answered": { readonly kind: string; readonly said: string };
  readonly "agent-failed": { readonly kind: AgentProblem; readonly said: string };
  /** Its process ended without a result. */
  readonly "agent-crashed": CommandEnd;
  readonly "asks-decision": { readonly said: string };
  readonly "exit-code": { readonly exit: number };
  readonly "done-but-exit": { readonly exit: number };
  readonly "check-failed": { readonly name: string } & CommandEnd;
  /** Its program is not there, or cannot be executed. */
  readonly "check-cannot-run": { readonly name: string } & CommandEnd;
  readonly "paths-missing": { readonly paths: string };
  readonly "stopped-before": { readonly name: string };
  readonly "conflict-left": { readonly paths: string };
  readonly "diff-expected": Nothing;
  readonly "vcs-failed": { readonly kind: VcsProblem; readonly said: string };
  readonly "conflict-with": { readonly others: readonly string[]; readonly paths: Names };
  readonly "fails-with-landed": { readonly why: Reason };
  /** `why` is this program's own, where it is; `said` is in English. */
  readonly "agent-not-there": {
    readonly agent: string;
    readonly said: string;
    readonly why?: Reason | undefined;
  };
  /** What another task is proved by fails with this one's work beside it. */
  readonly "check-of-other": { readonly task: string; readonly why: Reason };
  readonly "test-passes-first": Nothing;
  /** Its reviewer has findings left that did not go back to its agent. */
  readonly "review-findings": { readonly by: string };
  /** What its reviewer was asked came to nothing. `asked` names what the work was proved for, where it is kept until it is reviewed. */
  readonly unreviewed: {
    readonly by: string;
    readonly why: Reason;
    readonly asked?: string;
    readonly stale?: string;
  };
  /** A person has looked at its work and wants it changed; `why` is what stood there before. */
  readonly "sent-back": { readonly by: string; readonly note: string; readonly why?: Reason };
  /** The work changes what reviews it. */
  readonly "reviewer-edited": { readonly by: string; readonly paths: Names };
  readonly "no-diff": Nothing;
  /** None of several agents that worked on it at once was proved: why, for each. */
  readonly "tries-failed": { readonly tries: readonly { readonly agent: string; readonly why: Reason }[] };
  readonly "internal-error": { readonly said: string };
  readonly "package-unaffordable": { readonly tokens: number };
  readonly "agent-unknown": { readonly agent: string };
  readonly "service-busy": { readonly agent: string; readonly until: number };
  readonly "out-of-quota": { readonly agent: string; readonly until?: number; readonly next?: string };
  readonly "no-document": { readonly node: string; readonly why: Reason };
  readonly "document-empty": Nothing;
  readonly "document-too-long": Nothing;
  readonly "paths-empty": { readonly paths: string };
  readonly "process-died": Nothing;
  readonly "taken-from-lead": Nothing;
  readonly "attempt-not-ours": Nothing;

  // How a phase or a run ended.
  readonly "phase-refused": OfPhase & { readonly why: Reason };
  readonly "branch-joined": { readonly branch: string; readonly into: string; readonly files: Names };
  readonly "branch-conflict": { readonly branch: string; readonly into: string; readonly files: Names };
  readonly "below-gate": OfPhase & {
    readonly completed: number;
    readonly counted: number;
    readonly next: string;
  } & Pick<Broken, "failed" | "cancelled" | "blocked">;
  readonly "tasks-broken": Broken;
  readonly "tasks-paused": { readonly tasks: Names };
  readonly "tasks-outside": { readonly tasks: number };
  readonly "run-stopped": Nothing;
  readonly "budget-reached": { readonly used: BudgetUse; readonly left: BudgetLeft };
  readonly "budget-left": BudgetLeft;
  readonly "from-checkpoint": { readonly completed: number; readonly tasks: number; readonly gone: number };

  // What warnings tell.
  readonly "budget-mark": { readonly percent: number; readonly used: BudgetUse };
  readonly "budget-overrun": {
    /** An attempt such as `T1.1#2`; absent for a reviewer, or a model that shortens outputs. */
    readonly attempt?: string;
    readonly tokens?: number;
    readonly cost?: number;
    readonly used: BudgetUse;
  };
  /** The last line that it ended with instead. */
  readonly "signal-missing": { readonly said?: string };
  readonly "result-orphaned": Nothing;
  readonly "result-unwanted": Nothing;
  /** `asked` names what its task asked for, where it only has to land, `approved` by a person; no `why` where it was ended with all else. */
  readonly "not-landed": Partial<ReasonArgs["not-proved"]> & { readonly approved?: boolean };
  /** The same of work that its agent claimed, where its proof was ended or could not begin. */
  readonly "not-proved": { readonly asked: string; readonly why?: Reason; readonly stale?: string };
  /** What its work landed as. */
  readonly "landed-orphaned": { readonly commit: string };
  readonly "task-gone": Nothing;
  readonly "no-research": { readonly most: number };
  readonly "gate-waits": OfPhase & { readonly names: Names };
  readonly "gate-goes-on": OfPhase & { readonly names: Names };
  readonly "state-unwritten": { readonly said: string };
  readonly "state-restored": { readonly event: number };
  readonly "rows-not-believed": {
    readonly tasks: readonly { readonly task: string; readonly status: string }[];
    /** Tasks that are not named. */
    readonly more: number;
    readonly attempts: Names;
    readonly run: boolean;
    /** Rows that had been replaced stand in their places again. */
    readonly mixed: boolean;
    /** The first event that does not follow from those before it. */
    readonly event?: number;
  };
  readonly "update-not-taken": { readonly said: string; readonly labels: string };
  readonly "checkpoint-conflict": { readonly id: string; readonly section: string; readonly said: string };
  readonly "document-lost": OfTask & { readonly node: string; readonly why: Reason };
  readonly "outputs-in-brief": { readonly percent: number };
  readonly "blocks-off": { readonly blocks: number };
  readonly "blocks-cut": { readonly blocks: number };
  readonly "block-not-taken": { readonly node: string; readonly line: number; readonly why: BlockProblem };
  readonly "blocks-not-taken": { readonly blocks: number };
  readonly "block-unknown-node": { readonly node: string };
  readonly "block-out-of-scope": { readonly node: string; readonly own: string };
  readonly "block-unhung": UnhungBlock;
  readonly "block-unpublished": { readonly label: string; readonly why: string };
  readonly "tree-unreadable": { readonly said: string };
  readonly "model-refused": { readonly said: string };
  readonly "phase-brought-up": { readonly branch: string; readonly target: string };
  readonly "phase-behind": {
    readonly branch: string;
    readonly target: string;
    readonly paths: Names;
    /** Its worktree. */
    readonly path: string;
  };
  /** Copies in a worktree that were changed there stay, though the main checkout has them otherwise by now. */
  readonly "copy-kept": { readonly paths: Names; readonly path: string };
  readonly "copy-dropped": { readonly paths: Names; readonly path: string };
  readonly "phase-not-brought": { readonly branch: string; readonly target: string; readonly why: Reason };
  readonly "phase-occupied": { readonly branch: string; readonly target: string; readonly task: string };
  readonly "branch-rewritten": { readonly branch: string; readonly rescued: string };
  /** The project's own check fails where nobody has worked yet. */
  readonly "broken-before": { readonly name: string } & CommandEnd;
  /** Tests before and after the work were asked for, and there is no command for them. */
  readonly "tests-missing": Nothing;
  readonly "tests-empty": { readonly runner: string };
  readonly "tests-weaker": WeakerTests;
  /** A reviewer changed files: they were put back, or stand in the main checkout, where that would take a person's edits with it. */
  readonly "reviewer-wrote": { readonly by: string; readonly paths: Names; readonly stays: boolean };
  /** What was to be done after a phase came to nothing. */
  readonly "phase-after-failed": OfPhase & { readonly why: Reason };
  /** A stop ended what was being done after a phase. */
  readonly "phase-after-stopped": OfPhase;
  /** Tasks keep meeting conflicts in it. */
  readonly "hot-file": { readonly path: string; readonly times: number };
  /** A file that a tool makes from others was in conflict, and its tool has made it of both sides. */
  readonly "generated-anew": { readonly path: string; readonly command: string };
  readonly "not-generated": { readonly path: string; readonly command: string; readonly why: Reason };
  readonly "work-set-aside": { readonly branch: string; readonly why: "unfinished" | "conflict" };
  /** What an attempt had left behind. */
  readonly "work-left": { readonly ref: string };
  /** Nothing takes it away: there is no repository. */
  readonly "leftovers-stay": Nothing;
  readonly "work-rescued": { readonly branch: string; readonly path?: string };
  readonly "work-not-landed": { readonly branch: string };
  readonly "files-rescued": { readonly path: string };
  /** A worktree whose repository is gone stood where one is made. */
  readonly "worktree-aside": { readonly path: string; readonly aside: string };
  readonly "worktree-kept": { readonly said: string };
  readonly "boxes-not-ours": { readonly tasks: Names };
  readonly "boxes-ticked-again": { readonly tasks: Names };
  readonly "file-unreadable": { readonly said: string };
  readonly "file-broken": { readonly line: number; readonly said: string };
  /** A run has ended, and its program waits for these, so many milliseconds at most. */
  readonly "still-telling": { readonly notifiers: Names; readonly ms: number };
  readonly "not-told": { readonly notifier: string; readonly said: string | Reason };
  readonly "decision-refused": { readonly what: string; readonly why: Reason };

  // What is said of a project before anything runs.
  readonly "repository-note": { readonly about: "shallow" | "submodules" | "lfs" | "sparse" | "case" };
  readonly "leftover-mended": { readonly how: "unheld" | "unworked" | "put-back"; readonly branch?: string };
  readonly "leftover-kept": { readonly why: "held" | "merge" | "gone" | { readonly folder: string } };
  /** Tasks go out one at a time. */
  readonly "one-folder": { readonly why: OneFolder };
  readonly "jail-missing": Nothing;
  readonly "jail-broken": { readonly said: string };
  readonly "repository-bare": Nothing;
  readonly "clone-it": Nothing;
  readonly "head-detached": Nothing;
  readonly "choose-branch": Nothing;
  readonly "no-task-file": { readonly folder: string; readonly looked: readonly string[] };
  readonly "no-task-file-at": { readonly path: string };
  readonly "task-file-moved": { readonly from: string; readonly file: string };
  readonly "task-file-copied": { readonly from: string; readonly files: Names };
  readonly "task-file-renamed": { readonly from: string; readonly file: string };
  readonly "task-file-configured": Nothing;
  readonly "check-path": Nothing;
  readonly "name-task-file": Nothing;
  readonly "see-run": { readonly isStopped?: boolean };

  // Why something that was asked of a run is not done, or what is done.
  readonly "merge-outcome": {
    readonly merged: readonly { readonly phase: string; readonly into?: string; readonly commit?: string }[];
    readonly refused?: { readonly phase: string; readonly why: Reason };
    readonly left: readonly string[];
  };
  readonly "not-a-person": NoPerson;
  readonly "task-unknown": OfTask;
  readonly "task-outside": OfTask;
  readonly "task-running": OfTask;
  readonly "task-blocked": OfTask & { readonly by: string };
  readonly "task-stands": OfTask & {
    readonly status: string;
    readonly not: "paused" | "changed" | "skippable" | "cancellable";
  };
  readonly "task-groups": OfTask & { readonly children: readonly string[] };
  /** What a person wants to send back, or to approve. */
  readonly "note-missing": OfTask;
  readonly "reads-no-note": OfTask;
  readonly "never-worked": OfTask;
  readonly "task-listens": OfTask;
  readonly "task-proved": OfTask;
  readonly "nothing-to-approve": OfTask & { readonly status: string };
  readonly "task-not-ready": OfTask & { readonly status: string; readonly on: readonly string[] };
  readonly "resource-taken": OfTask & { readonly resource: string };
  readonly "task-shares": OfTask & { readonly path: string };
  readonly "task-alone": OfTask & { readonly running?: string };
  readonly "task-unaffordable": OfTask & { readonly beside: string };
  readonly "phase-unknown": OfPhase;
  readonly "phase-none-left": Nothing;
  readonly "phase-ending": OfPhase;
  readonly "phase-gated": OfPhase & { readonly next: string };
  readonly "phase-unended": OfPhase & { readonly task: string; readonly status: string };
  readonly "phase-may-start": OfPhase & { readonly resume: boolean };
  readonly "run-stopping": Nothing;
  readonly "run-held": { readonly asked: boolean };
  readonly "run-not-held": { readonly asked: boolean };
  readonly "nothing-started": { readonly why: Reason };
  readonly "landed-unreadable": { readonly why: Reason };
  readonly "repository-unmended": { readonly why: Reason };
  /** The folder keeps its branch from going forward to where the run has it. */
  readonly "folder-held": { readonly branch: string; readonly folder: string; readonly why: Reason };
  readonly "nothing-changed": { readonly why: Reason };
}

/** Whoever asked for a decision and may not make one. */
export type NoPerson =
  | { readonly kind: "attempt"; readonly task?: string | undefined }
  | { readonly kind: "lead" }
  | { readonly kind: "agent"; readonly sign: string }
  | { readonly kind: "unproven" };

export type ReasonCode = keyof ReasonArgs;

/**
 * Why something is as it is: a code and plain data, told to people in their own language. What is decided by a reason is
 * decided by its code; words of agents and people are data of a reason and decide nothing.
 */
export type Reason = {
  readonly [Code in ReasonCode]: { readonly code: Code; readonly args: ReasonArgs[Code] };
}[ReasonCode];

/** A reason of ours. */
export function because<Code extends ReasonCode>(code: Code, args: ReasonArgs[Code]): Reason {
  return { code, args } as Reason;
}

/** Words of others as they were kept by a version that told them from none of its own. */
export function fromEarlier(text: string): Reason | undefined {
  return text === "" ? undefined : because("said", { by: "earlier-version", text });
}

/** Whether two reasons are the same: code, data, and the words of others in them. */
export function sameReason(one: Reason | undefined, other: Reason | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
