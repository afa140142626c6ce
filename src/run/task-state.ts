import type { Task } from "../plan/index.ts";
import type { Reason, TaskStatus } from "../ports/index.ts";
import type { ReadyQueue } from "./queues.ts";

/** Tasks that name exactly the same paths and resources: while they wait, the first of them stands for all. */
export interface FileGroup {
  readonly waiting: ReadyQueue<TaskState>;
  /** The held path whose release they await; undefined while their first is among the ready ones, or none waits. */
  parkedOn: string | undefined;
}

/** One task's changing half. Owned by its run; only `transition` writes `status`. */
export interface TaskState {
  readonly index: number;
  readonly task: Task;
  readonly phaseIndex: number;
  /** The names under which its paths meet those of others, and those of the resources that it uses. */
  files: readonly string[];
  /** Those among them that it did not declare but was seen to touch. */
  learned: readonly string[];
  /** Undefined for a task that names no path and no resource. */
  group: FileGroup | undefined;
  status: TaskStatus;
  retries: number;
  attempts: number;
  sameError: number;
  reason: Reason | undefined;
  verified: boolean | undefined;
  textHash: string;
  /** Epoch milliseconds before which it is not dispatched; 0 for none. */
  notBefore: number;
  /** Dependencies that are neither completed nor skipped. */
  unmet: number;
  /** Predecessors by order only that have not ended, or that have one themselves. */
  unordered: number;
  /** Dependencies that failed, were cancelled or are blocked themselves. */
  broken: number;
  /** Starts in a row that came to nothing through no fault of the task; they cost no attempt. */
  stalls: number;
  /** What both sides held in the conflict that it met last; empty where its work has landed since, or met none. */
  clash: string;
  /** Paths its running attempt holds, as they stood at dispatch; undefined while none runs. */
  held: readonly string[] | undefined;
  /** When a person had it go on: its agent is asked whatever it had said by then, and whatever it says of its quota. */
  asksAnew?: number | undefined;
  /** Its text was edited while the attempt that now runs was under way. */
  edited: boolean;
  /** Fields by which such an edit holds it to less. */
  weaker: readonly string[];
  /** Its durable row is not what was restored; the first step has it written. */
  unsaved: boolean;
}
