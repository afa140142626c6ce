import type { Library, Reader } from "../../context/library/index.ts";
import type { ContextWork, SharedContext } from "../../context/shared/index.ts";
import type { Task } from "../../plan/index.ts";
import type { AgentFacts, AttemptRow, LeftWork, Reason, RunEvent, Snapshot } from "../../ports/index.ts";
import type { AttemptOutcome, AttemptSpend } from "../../run/index.ts";
import type { GoesOn } from "../earlier.ts";
import type { OutOfQuota } from "../pool.ts";
import type { Candidate, PhaseRequest, Workspace } from "../workspaces/index.ts";
import type { TestReport } from "./test-report.ts";

export type { StopSignals } from "../workspaces/index.ts";

/** A running attempt, as the loop holds it. */
export interface RunningAttempt {
  readonly row: AttemptRow;
  cancel(how: "soft" | "hard"): void;
  /** Its result counts no more: a review of it is ended. */
  giveUp(): void;
  /** Settles when every process of the attempt is gone; never rejects. */
  readonly finished: Promise<AttemptResult>;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly row: AttemptRow;
  readonly foreign: readonly string[];
  /** What it adds to the shared context, made durable with its end. */
  readonly context?: ContextWork;
  /** What it wants researched before it is tried again. */
  readonly questions?: readonly string[];
  /** The agent's own name of its session, where that ended its turn by itself: the next attempt may go on with it. */
  readonly session?: string;
}

/** Work that a person has looked at and wants changed. */
export interface SentBack {
  readonly note: string;
  /** Nobody has worked on the task since: what was made is as it was. */
  readonly isNext: boolean;
}

export interface AttemptRequest extends GoesOn {
  readonly task: Task;
  /** The shared context; a teammate whose session is the row's token leaves when the attempt ends. */
  readonly shared: SharedContext;
  /** The context tree with everything that is read through it. */
  readonly library: Library;
  readonly row: AttemptRow;
  readonly agent: AgentFacts;
  /** Agents that are to work on it at once beside `agent`. */
  readonly others: readonly Other[];
  /** Which of them this is about; undefined for `agent`. */
  readonly candidate?: Candidate;
  readonly textHash: string;
  /** What a person asks for who has sent back what was made before. */
  readonly sentBack?: SentBack;
  /** What the attempt before failed of; empty for the first. */
  readonly feedback: string;
  /** Which of `maxAttempts` this is; crashes of ours do not count. */
  readonly tries: number;
  readonly maxAttempts: number;
  /** What the run's budget says to an attempt that is to read so many tokens; undefined when it may go. */
  readonly refuses: (tokens: number) => (AttemptSpend & { readonly reason: Reason }) | undefined;
  /** The phase it belongs to. */
  readonly phase: PhaseRequest;
  /** Makes a part of the row durable while the attempt runs, for whoever finds it after a crash. */
  readonly keep: (part: Partial<AttemptRow>, context?: ContextWork) => void;
  /** Makes a part of the row durable before anything else is done; false when the engine has left. */
  readonly secure: (part: Partial<AttemptRow>) => Promise<boolean>;
  /** Whose tokens its package is counted in. */
  readonly reader: Reader;
  /** Counts in the run's budget what others took for it: a model for its package, or the reviewer that is named. */
  readonly charge: (spent: AttemptSpend, reviewer?: string) => void;
  /** What the run's budget says to a reviewer that is to read so many tokens; undefined when it may be asked. */
  readonly refusesReview: (reviewer: string, tokens: number) => Reason | undefined;
  /** What the project's check says where nobody has worked; shared by the attempts of a run. */
  readonly baseline?: Baseline;
  /** Its agent is at work on another machine already: its folder stands as it was sent, and it has read what it was given. */
  readonly isTakenUp: boolean;
  /** A person has it go on since it was worked on last. */
  readonly isRenewed: boolean;
  /** Its last attempt died with the process that ran it. */
  readonly isAfterCrash: boolean;
  /** Nothing else runs or can start before it has ended. */
  readonly alone: boolean;
  /** Takes what a person has said to it since it was asked last. */
  readonly words: () => readonly string[];
  /** An earlier attempt whose work was proved and did not come home: its process died, or nobody could review it. */
  readonly proved?: AttemptRow;
  /** A task of the plan; undefined for one that it does not have. */
  readonly aim: (task: string) => Task | undefined;
  /** Hears what came of having an agent work or review since then (wall time, epoch milliseconds), before the attempt has ended. */
  readonly hear: (agent: string, outcome: AttemptOutcome, since: number) => void;
  /** Who reviews in the name of an agent now, itself or a stand-in; else which of them has quota again first, and when. */
  readonly reviewer: (agent: string) => string | OutOfQuota;
  /** Whether its result still counts: its task is in the plan, and no person has acted on it since. */
  readonly isWanted: () => boolean;
  /** Stops the whole run until a person has looked. */
  readonly halt: (reason: Reason) => void;
  /** Wall time that does not jump, epoch milliseconds. */
  readonly now: () => number;
  readonly emit: (event: RunEvent) => void;
  /** An earlier attempt of the task that is still dying; never two agents at once on one task. */
  readonly after: Promise<unknown> | undefined;
}

/** One more agent on a task, and whose tokens its package is counted in. */
export interface Other {
  readonly agent: AgentFacts;
  readonly reader: Reader;
}

/**
 * What stands against the project's own check where nobody has worked yet: asked when it first fails, and again once a person has
 * had a task go on.
 */
export interface Baseline {
  known: Promise<BrokenCheck | undefined> | undefined;
}

/** A check that fails without any work. */
export interface BrokenCheck {
  /** That it was broken before, as it is told. */
  readonly told: Reason;
  /** How it failed, as an attempt fails by it. */
  readonly failure: Reason;
}

/** What the tests of a task said before any work. */
export interface Red {
  /** The command and what it said, as it is kept. */
  readonly evidence: string;
  /** What their runner reported, where it is a known one. */
  readonly report: TestReport | undefined;
}

/** Where one attempt works. */
export interface Place {
  /** Absolute path of its folder. */
  readonly cwd: string;
  /** Its branch and the way home; undefined where everybody works in the main checkout. */
  readonly workspace?: Workspace;
  /** How it stands to what earlier attempts have left. */
  readonly left?: LeftWork | { readonly kind: "as-left" | "none" };
  /** What its tests said before any work; undefined where they were not asked. */
  readonly red?: Red;
  /** Its work as it was put to the proof. */
  sealed?: Snapshot;
  /** That work is kept, to be proved by another attempt where this one cannot. */
  isClaimKept?: boolean;
  /** Gives the folder back; may be called again. */
  leave(): Promise<void>;
}
