import type { ContextWork } from "../context/shared/index.ts";
import type { AttemptRow, Reason, RunEvent, RunOutcome, StoreFailure, UsageRow } from "../ports/index.ts";
import type { RunInput, StepResult } from "../run/index.ts";
import type { OutOfQuota } from "./pool.ts";

/** How a run left the engine. */
export type EngineEnd =
  | { readonly kind: "ended"; readonly outcome: RunOutcome; readonly reason: Reason | undefined }
  /** The state could not be written any more; everything acknowledged before is safe. */
  | { readonly kind: "store-failed"; readonly failure: StoreFailure };

/** What an engine needs to know of the time before it. */
export interface History {
  readonly lastSeq: number;
  /** What the last failed attempt of a task left for the next one. */
  readonly feedback: ReadonlyMap<string, string>;
  /** Attempts of a dead process, closed as crashed; made durable with the first change. */
  readonly crashed: readonly AttemptRow[];
  /** Attempts that go on on other machines, and are taken up as they are. */
  readonly underWay?: readonly AttemptRow[];
  /** Attempts whose work was proved and did not come home. */
  readonly kept?: readonly AttemptRow[];
  /** What ended attempts of the run have reported. */
  readonly usage?: readonly UsageRow[];
  /** Agents that were out of quota, and until when. */
  readonly outOfQuota?: readonly OutOfQuota[];
  /** Ids that left the plan while nothing ran. */
  readonly removedTasks: readonly string[];
  /** Told with the start: the checkpoint that a new run was started from, completions that were found to have landed. */
  readonly news?: readonly RunEvent[];
}

/** An input before the engine puts its time on it. */
export type Draft = RunInput extends infer Input
  ? Input extends RunInput
    ? Omit<Input, "now">
    : never
  : never;

/** What is on its way to the run, or to the shared context alone, with the attempt it ends and whoever waits for it. */
export interface Letter {
  readonly input?: RunInput | undefined;
  readonly row?: AttemptRow | undefined;
  readonly context?: ContextWork | undefined;
  /** What happened beside the run, to be kept with it. */
  readonly told?: RunEvent;
  /** Nobody waits for it: it is made durable with whatever the loop writes next. */
  readonly patient?: boolean | undefined;
  /** Undefined when the engine left before it could act. */
  readonly reply?: ((out: StepResult | undefined) => void) | undefined;
}

/** What the run answers when it was not asked. */
export const UNASKED: StepResult = {
  commands: [],
  events: [],
  touched: new Set(),
  removed: [],
  runTouched: false,
  refused: undefined,
};

/** The state folder is not the one the run began with. */
export const LOST: StoreFailure = { kind: "gone" };
