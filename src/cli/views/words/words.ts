import type { AttemptRow, Reason, RunEvent, RunOutcome, RunRow, TaskStatus } from "../../../ports/index.ts";
import type { TaskAction } from "../../../run/index.ts";
import type { Locale } from "../../../text/index.ts";

type Names<Key extends string> = Readonly<Record<Key, string>>;

/** What the views say, in one language. Arguments are already safe to show. */
export interface Words {
  readonly locale: Locale;
  readonly status: Names<TaskStatus>;
  readonly run: Names<RunRow["state"]>;
  readonly action: Names<TaskAction>;
  /** How an attempt ended. */
  readonly attempt: Names<AttemptRow["outcome"]>;
  /** The report's verdict; `time` is how long the run took. */
  readonly ended: Readonly<Record<RunOutcome, (time: string) => string>>;
  /** The same for a run in which nothing failed, and not everything was done. */
  readonly endedUndone: (time: string) => string;
  readonly headings: Names<
    | "failed"
    | "cancelled"
    | "blocked"
    | "paused"
    | "waiting"
    | "troubles"
    | "next"
    | "logs"
    | "person"
    | "attempts"
    | "actions"
    | "text"
    | "question"
    | "critical"
    | "widest"
    | "work"
    | "allowed"
  >;
  readonly labels: Names<
    | "dependsOn"
    | "parallelWith"
    | "neededBy"
    | "children"
    | "specialist"
    | "agent"
    | "worktree"
    | "files"
    | "verify"
    | "test"
    | "context"
    | "fills"
    | "tries"
    | "uses"
    | "expects"
    | "risk"
    | "retries"
    | "reason"
    | "place"
    | "askedBy"
    | "log"
    | "notBefore"
    | "evidence"
    | "feedback"
  >;
  /** What a command does, in half a line. */
  readonly why: Names<
    | "answer"
    | "look"
    | "retry"
    | "skip"
    | "permit"
    | "permitOnce"
    | "resumeTask"
    | "keepDone"
    | "again"
    | "goOn"
    | "raise"
    | "goOnAndAfter"
    | "bringBack"
    | "phaseAfter"
    | "tryChecks"
    | "pause"
    | "done"
    | "cancel"
    | "sendBack"
    | "approve"
    | "merge"
  >;
  /** What `espalier watch` says beside the run's own picture. */
  readonly watch: Names<
    | "keys"
    | "keysShort"
    | "liveKeys"
    | "liveKeysShort"
    | "liveDetailKeys"
    | "detailKeys"
    | "typingKeys"
    | "answerKeys"
    | "answerElsewhere"
    | "allowed"
    | "refused"
    | "notRunning"
    | "held"
    | "budget"
    | "context"
    | "machines"
    | "noContext"
    | "noRun"
    | "current"
    | "updating"
    | "behind"
    | "stale"
    | "lost"
  > & { readonly spent: (tokens: string, cost: string) => string };
  /** Where the work of a run is. */
  readonly work: {
    readonly merged: (target: string) => string;
    readonly waits: string;
    readonly unfinished: string;
    readonly aside: string;
    /** A phase on its branch. */
    readonly on: (phase: string, branch: string) => string;
  };
  readonly forcePhase: (phase: string) => string;
  readonly heldByGate: (phase: string) => string;
  /** A person holds the run back, and how it goes on. */
  readonly heldNow: string;

  readonly phase: (label: string) => string;
  readonly line: (file: string, line: number) => string;
  readonly unverified: string;
  readonly inARow: (times: number) => string;
  readonly retryOf: (retries: number, max: number) => string;
  readonly by: (task: string) => string;
  readonly until: (time: string) => string;
  /** A task waits for an agent that has quota again then. */
  readonly noQuotaUntil: (time: string, agent?: string) => string;
  /** The next thing that happens while nothing runs. */
  readonly again: (task: string, time: string) => string;

  readonly tasks: (count: number) => string;
  readonly phases: (count: number) => string;
  readonly edges: (count: number) => string;
  readonly attempts: (count: number) => string;
  readonly errors: (count: number) => string;
  readonly warnings: (count: number) => string;
  readonly notes: (count: number) => string;
  readonly more: (count: number) => string;
  readonly moreLines: (count: number) => string;
  /** Tokens and money of an attempt; each amount is worded already. */
  readonly used: Readonly<
    Record<"read" | "cached" | "written" | "thought" | "estimated" | "packaged" | "review", string>
  >;
  readonly hiddenPhases: (count: number) => string;
  /** What a run took; `unpriced` attempts are not in its cost. */
  readonly taken: (attempts: number, tokens: string, cost: string | undefined, unpriced: number) => string;
  readonly unverifiedCount: (count: number) => string;
  readonly unreviewedCount: (count: number) => string;
  readonly atOnce: (count: number) => string;
  readonly doneOf: (done: number, total: number) => string;

  readonly stopping: string;
  readonly hint: string;
  readonly hintShort: string;
  readonly hintStopping: string;
  readonly hintStoppingShort: string;
  readonly stale: string;
  /** Agents were at work on other machines when it went. */
  readonly staleElsewhere: string;
  /** Who works on an attempt, on a machine other than this one. */
  readonly agentOn: (agent: string, machine: string) => string;
  /** An attempt that no machine has begun, and what the machine must have. */
  /** Said of a run that another machine has taken; its host, empty where it is not known. */
  readonly goesOnElsewhere: (host: string) => string;
  readonly waitsForMachine: (labels: readonly string[]) => string;
  readonly noAttempts: string;
  readonly noFindings: string;
  readonly nothingProved: string;
  readonly unblocked: string;

  readonly reason: (reason: Reason | undefined) => string;
  readonly noAttemptsLeft: (reason: string) => string;
  readonly outOfQuota: (agent: string, until: string) => string;
  readonly phaseStarted: (tasks: number) => string;
  readonly phaseEnded: (completed: number, counted: number) => string;
  readonly phaseForced: (by: string) => string;
  readonly phaseMerged: (into: string) => string;
  readonly phaseLeft: (branch: string, how: string) => string;
  readonly phaseRefused: (reason: string) => string;
  readonly conflict: (files: string, others: string) => string;
  readonly reviewed: (by: string, isApproved: boolean, round: number) => string;
  readonly joined: (files: string, others: string) => string;
  readonly held: (by: string) => string;
  readonly released: (by: string) => string;
  readonly asks: (kind: string, title: string) => string;
  readonly gated: (completed: number, counted: number) => string;
  /** An agent was not let do something. */
  readonly rejected: (title: string) => string;
  readonly foreign: (text: string) => string;
  readonly agentFound: (event: Extract<RunEvent, { type: "agent-found" }>) => string;
  readonly researched: (asked: string) => string;
  readonly planChanged: (added: number, removed: number, changed: number) => string;
  readonly saturation: (percent: number) => string;
  readonly checkpoint: (id: string, why: string) => string;
}
