import type { Kept } from "../../adapters/checkpoints/index.ts";
import type { FileChange } from "../../adapters/vcs/git/index.ts";
import type { Prices } from "../../budget/index.ts";
import type { ControlReply, ControlRequest } from "../../engine/control/protocol.ts";
import type { Asked } from "../../engine/index.ts";
import type { Plan, Task } from "../../plan/index.ts";
import type { Result, StampedEvent, Store, StoredRun, StoreFailure } from "../../ports/index.ts";
import type { Locale } from "../../text/index.ts";
import type { Taken } from "../run/aftermath.ts";
import type { Whereabouts } from "../run/phase-work.ts";
import type { ShownWork, WorkPart, WorkWish } from "../run/shown-work.ts";
import type { MachinesSeen } from "./machines.ts";

/** A run as it stands in the store, with its plan. */
export interface Reading {
  readonly stored: StoredRun;
  readonly plan: Plan;
}

/** Whether anybody works on the run, whether a person holds it, and what agents wait to be allowed. */
export interface LinkFacts {
  readonly live: boolean;
  readonly held: boolean;
  readonly asked: readonly Asked[];
}

/** What one run has taken of the window, as `espalier budget` counts it. */
export interface BudgetFacts {
  readonly total: number;
  readonly used: number;
  /** The finest level at which later outputs are carried on. */
  readonly finest: 0 | 1 | 2 | 3;
  /** By role, the largest first. */
  readonly agents: readonly { readonly agent: string; readonly tokens: number; readonly calls: number }[];
  readonly next:
    | {
        readonly task: string;
        readonly role: { readonly label: string; readonly vsLevel: string };
        readonly tokens: number;
      }
    | undefined;
  readonly spent: Taken & {
    readonly maxTokens: number | undefined;
    readonly maxCost: number | undefined;
  };
}

/** What reaches the page as it happens: an event, or the bare news that state or link may have changed. */
export type News = StampedEvent | "changed";

/** The end of an attempt's raw output. */
export interface LogTail {
  readonly text: string;
  /** Bytes of the whole file. */
  readonly bytes: number;
  /** As people are told to open it. */
  readonly path: string;
}

/** One project as the dashboard meets it: what can be read, heard and asked. It never writes by itself. */
export interface Monitor {
  readonly version: string;
  readonly project: string;
  readonly locale: Locale;
  /** The project says which, and not whoever serves. */
  readonly isLocaleSet: boolean;
  readonly maxAttempts: number;
  readonly phaseGate: number;
  /** The last run; undefined before the first. The failure is a sentence for people. */
  read(): Result<Reading | undefined, string>;
  /** Asks the store one question; undefined while there is none. */
  ask<T>(question: (store: Store) => Result<T, StoreFailure>): Result<T | undefined, string>;
  link(): LinkFacts;
  /** Somebody looks at the run and can answer agents; the returned function says that they have left. */
  attend(): () => void;
  /** Calls back with what happens until the returned function is called. Lines of agents come this way only. */
  follow(listener: (news: News) => void): () => void;
  /** Hands a person's decision to the process that runs; undefined when that is needed and none listens. */
  act(request: ControlRequest): Promise<ControlReply | undefined>;
  /** Goes on with the last run in a process of its own; answers when that listens, or with why it does not. */
  goOn(): Promise<ControlReply>;
  /** At most `maxBytes` of the end of an attempt's output, or of what one of several agents on it said; undefined when there is none. */
  log(task: string, attempt: number, maxBytes: number, of?: number): LogTail | undefined;
  /** Numbers of the further agents that worked on an attempt at once and left output of their own. */
  others(task: string, attempt: number): readonly number[];
  /** What the commit of an attempt changed. The failure is a sentence for people. */
  changes(commit: string): Promise<Result<readonly FileChange[], string>>;
  /** Where the work of the last run is, as git tells; undefined where there are no branches. */
  whereabouts(): Promise<Whereabouts | undefined>;
  /** The machines of the hub that the last run has, asked of it; undefined where it is worked on here. The failure is a sentence. */
  machines(): Promise<Result<MachinesSeen, string> | undefined>;
  /**
   * What a task, an attempt or a phase has made, masked. Undefined before the first run. The failure is a sentence for people.
   */
  work(wish: WorkWish, part: WorkPart): Promise<Result<ShownWork | undefined, string>>;
  /** The commands that prove a task, or the paths that it has to leave. */
  proofOf(task: Task): readonly string[];
  /** The checkpoints beside the state, read anew. */
  checkpoints(): Kept;
  readonly prices: Prices;
  /** The budget of the last run; undefined before the first. */
  budget(): BudgetFacts | undefined;
  /** Lets go of files and connections. Idempotent. */
  close(): void;
}
