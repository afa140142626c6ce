import type { ContextRows, Result } from "../../ports/index.ts";
import type {
  Codec,
  Lead,
  LeadInput,
  LeadStep,
  Outgoing,
  PointId,
  SyncPolicy,
  TeammateWord,
} from "../../sync/index.ts";
import type { ContextFailure } from "./labels.ts";
import type { ContextWork, Ledger } from "./work.ts";

/** An input of a lead before the shared context puts its time on it. */
export type LeadDraft = LeadInput extends infer Input
  ? Input extends LeadInput
    ? Omit<Input, "now">
    : never
  : never;

/** A message on its way to a session that listens. */
export interface ContextMessage extends Outgoing {
  readonly label: string;
  /** Whether its task-context (task text, dependency results, previous attempts) goes along. */
  readonly withTask: boolean;
}

/** A version with its text. */
export interface VersionText {
  readonly version: number;
  readonly hash: string;
  readonly text: string;
}

/** How a freeze waits. */
export interface FreezeOptions {
  /** Told once, with the names of those who are waited for. */
  readonly waits?: (teammates: readonly string[]) => void;
  /** Ends the waiting early. */
  readonly hurry?: AbortSignal;
}

export interface SharedContextOptions {
  /** The durable context; read when the shared context is first used. */
  readonly rows: ContextRows;
  /** The one order of changes: that of the engine, or an immediate one where none runs. */
  readonly ledger: Ledger;
  readonly policy: SyncPolicy;
  readonly codec: Codec;
}

/**
 * The place that holds the leads of all labels. There is one in a process that holds the lock: `engine.shared`, which is
 * also `request.shared` of an attempt, and `offlineRun(session).shared` in lead mode. What it decides is durable before a
 * message leaves or a call resolves.
 *
 *     await shared context.act("GC", { type: "publish", text, by: "T1.3 #2", base: 4 });   // a LeadStep; its events tell what came of it
 *     await shared context.act("GC", { type: "join", teammate: "back", session: row.token, proof: "hash", interests: [] });
 *     const stop = shared context.listen(row.token, message => …);                         // updates that are pushed to a session
 *     await shared context.act("GC", { type: "pull", teammate: "back" });                  // step.messages: what it needs now
 *     await shared context.hear(readWords(text), { teammate: "back", session: row.token }); // acknowledgements, requests, a loss
 *     shared context.text("GC");                                                           // the newest version with its text
 *
 * As part of a larger change (an attempt's end, rows of the tree) call `shared.work(label, input)` within a work of your own
 * or give it to `together(…)`. A teammate whose session is an attempt's token leaves when that attempt ends. One that
 * joins with `fetches` gets nothing pushed: it pulls.
 */
export interface SharedContext {
  /** Takes in one input; whoever listens has heard its messages when it resolves. */
  act(label: string, input: LeadDraft): Promise<Result<LeadStep, ContextFailure>>;
  /** The same as a part of another change; `told` hears what came of it as soon as it is decided, not yet durable. */
  work(label: string, input: LeadDraft, told?: (step: LeadStep) => void): Result<ContextWork, ContextFailure>;
  /** Takes in what a teammate said, each word for its label; words for unknown labels are left out. */
  hear(
    words: readonly TeammateWord[],
    speaker: { readonly teammate: string; readonly session: string },
  ): Promise<Result<readonly HeardStep[], ContextFailure>>;
  /** Labels with a version or a teammate, in the order in which they came. */
  labels(): Result<readonly string[], ContextFailure>;
  /** A label's lead, to look at: only `act` and `work` may change it. Undefined for an unknown label. */
  lead(label: string): Result<Lead | undefined, ContextFailure>;
  /** A version's text, by default the newest one's; undefined where there is none or it is not kept. */
  text(label: string, version?: number): Result<VersionText | undefined, ContextFailure>;
  /** Calls back for each message to a session. The returned function stops that. */
  listen(session: string, hear: (message: ContextMessage) => void): () => void;
  /** An injection point is reached: for one teammate, else for everybody at every document that somebody holds. */
  reach(point: PointId, teammate?: string): ContextWork;
  /** Lets the teammates of ended sessions leave. */
  endSessions(sessions: ReadonlySet<string>): ContextWork;
  /** A run begins: teammates that ended before it are forgotten, but for a few. */
  readonly forgetEnded: ContextWork;
  /**
   * A gate begins: documents that somebody holds stand still, and whoever lacks their newest version is given it. Resolves
   * when all who can answer hold it, or after `ackTimeoutMs`, with the names of those who do not; undefined when nothing
   * was frozen because the process is leaving. Whoever owns the ledger lets time pass meanwhile (`tick`). One at a time.
   */
  freeze(gate: string, options?: FreezeOptions): Promise<readonly string[] | undefined>;
  /** The gate is judged: what it held back goes out. */
  readonly unfreeze: ContextWork;
  /** Lets time pass: timeouts and gates. */
  readonly tick: ContextWork;
  /** When `tick` can next change something; undefined when nothing is under way. */
  nextDue(): number | undefined;
}

/** What a teammate's word came to, and at which label. */
export interface HeardStep {
  readonly label: string;
  readonly step: LeadStep;
}
