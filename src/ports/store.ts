import type { AgentUsage } from "./agent.ts";
import type { ContextChange, ContextRows } from "./context-rows.ts";
import type { StampedEvent } from "./event.ts";
import type { Reason } from "./reason.ts";
import type { Result } from "./result.ts";
import type { StoreFailure } from "./store-failure.ts";

/**
 * Durable state of one project. The coordinator is the only writer; readers may open the same data while it runs.
 * Every implementation passes `storeConformance` from `espalier/testing`.
 */
export interface Store {
  readonly portVersion: 1;
  /** The latest run with its tasks and open attempts, or undefined when there was none. */
  load(): Result<StoredRun | undefined, StoreFailure>;
  /**
   * Applies one change atomically and durably: when this returns ok, the change survives a power cut.
   * A change under an epoch other than the stored one is refused with `fenced` and has no effect.
   */
  commit(change: Change): Result<void, StoreFailure>;
  /** Events of a run in order, from `afterSeq` on, at most `limit`. */
  events(run: string, afterSeq: number, limit: number): Result<readonly StampedEvent[], StoreFailure>;
  /** Attempts of one task in order, oldest first. */
  attempts(run: string, task: string): Result<readonly AttemptRow[], StoreFailure>;
  /** Every attempt of a run without what it said and left, in the order in which they began. */
  spans(run: string): Result<readonly AttemptSpan[], StoreFailure>;
  /** Versions, teammates, tree and receipts: project-wide, they outlive runs. */
  readonly context: ContextRows;
  /** Releases files; the store is unusable afterwards. Idempotent. */
  close(): void;
}

/** Every state a task can be in. */
export const TASK_STATUSES = [
  "pending",
  "ready",
  "in_progress",
  "completed",
  "failed",
  "blocked",
  "paused",
  "waiting",
  "cancelled",
  "skipped",
] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface RunRow {
  readonly id: string;
  readonly project: string;
  readonly state: "running" | "completed" | "failed" | "waiting" | "interrupted";
  /** The phase that is open, as its label; empty before the first. */
  readonly phase: string;
  /** The task file, relative to the project where it lies inside, and the SHA-256 of the bytes the plan was read from. */
  readonly file: string;
  readonly planHash: string;
  /** The plan as read, as JSON; what a resume compares the file with. */
  readonly plan: string;
  readonly startedAt: number;
  readonly updatedAt: number;
  /** Phases a person forced open, as labels. */
  readonly forced: readonly string[];
  /** Tokens the lead was made to read in this run. */
  readonly leadTokens: number;
  /** Why the run waits or failed; undefined where there is nothing to say. */
  readonly reason: Reason | undefined;
  /** A person holds new dispatches back; absent otherwise. */
  readonly held?: true;
}

export interface TaskRow {
  readonly id: string;
  readonly status: TaskStatus;
  /** Failed attempts so far. */
  readonly retries: number;
  /** Dispatches so far, crashes included; the next attempt has this plus one as its number. */
  readonly attempts: number;
  /** True when a verify command proved the completion; undefined until completed. */
  readonly verified?: boolean;
  /** The last failure, why it is paused, or what blocks it. */
  readonly reason: Reason | undefined;
  /** How often the same failure stood in a row. */
  readonly sameError: number;
  /** SHA-256 of the task's text at completion, to notice later edits. */
  readonly textHash: string;
  /** Epoch milliseconds before which it is not dispatched again; 0 for none. */
  readonly notBefore: number;
  /** Starts in a row that came to nothing through no fault of the task; absent for none. */
  readonly stalls?: number;
  /** Names what both sides held in the conflict that it met last; absent where it met none since its work landed. */
  readonly clash?: string;
}

/** The agent of attempts that a lead works on with agents of its own; none of a project's agents may be called that. */
export const LEAD = "lead";

export interface AttemptRow {
  readonly task: string;
  readonly number: number;
  readonly token: string;
  readonly nonce: string;
  readonly agent: string;
  readonly startedAt: number;
  /** 0 while it runs. */
  readonly endedAt: number;
  readonly outcome: "running" | "done" | "failed" | "no-signal" | "unproven" | "cancelled" | "crashed";
  /** Why it ended so; while it runs, why no machine begins a session of it. */
  readonly reason: Reason | undefined;
  /** Proof of a completion, or what stood against it: verify command, exit code, last lines. */
  readonly evidence: string;
  /** The agent's final message, capped at 64 KiB. */
  readonly finalMessage: string;
  /** What the next attempt is told about this one: failing tail, ≤ 4 KiB. */
  readonly feedback: string;
  /** What a person said to it and its agent has not heard; absent where nothing is. */
  readonly unheard?: string;
  /** Tokens and money as the agent reported them last: at its end or, while it runs, so far. */
  readonly usage?: AttemptUsage;
  /** Tokens its package was estimated at before it began. */
  readonly estimate?: number;
  /** The agent's own name for its session, to resume it. */
  readonly session?: string;
  /** The machine that carried it out; absent where none got to it. */
  readonly machine?: string;
  /** The folder it worked in, its branch, and the commit its accepted work has there. */
  readonly folder?: string;
  readonly branch?: string;
  readonly commit?: string;
}

/** When an attempt was at work, and whose it was: what a history of a run is drawn from. */
export type AttemptSpan = Pick<
  AttemptRow,
  "task" | "number" | "agent" | "startedAt" | "endedAt" | "outcome" | "machine"
>;

/** What an attempt took. */
export interface AttemptUsage extends AgentUsage {
  /** What others took for the attempt, a model that shortened what it reads or its reviewer; in none of the other figures. */
  readonly models?: { readonly tokens: number; readonly costUsd?: number };
  /** The part of `models` that reviewers took, by agent. */
  readonly reviewers?: Readonly<Record<string, { readonly tokens: number; readonly costUsd?: number }>>;
}

/** One atomic step of the run. Absent parts stay as they are. */
export interface Change {
  /** The writer's fencing epoch. */
  readonly epoch: number;
  readonly run?: RunRow;
  /** Rows replaced by id. */
  readonly tasks?: readonly TaskRow[];
  /** Ids no longer in the plan. */
  readonly removedTasks?: readonly string[];
  /** Rows replaced by task and number. */
  readonly attempts?: readonly AttemptRow[];
  /** Appended; `seq` rises by one without gaps. */
  readonly events?: readonly StampedEvent[];
  /** Versions, teammates, tree and receipts that change with it. */
  readonly context?: ContextChange;
  /** Which run tasks, attempts, events and receipts belong to; empty where the change has none of these. */
  readonly runId: string;
}

export interface StoredRun {
  readonly run: RunRow;
  readonly tasks: readonly TaskRow[];
  /** Attempts without an end: what was in progress when the writer died. */
  readonly openAttempts: readonly AttemptRow[];
  readonly lastSeq: number;
  /** What ended attempts of this run reported or were estimated at, in the order they began; what the budget is brought up to date with. */
  readonly usage: readonly UsageRow[];
}

/** The cost of one ended attempt. */
export interface UsageRow {
  readonly task: string;
  readonly number: number;
  readonly agent: string;
  /** Empty where the agent reported nothing. */
  readonly usage: AttemptUsage;
  /** Tokens its package was estimated at. */
  readonly estimate?: number;
}
