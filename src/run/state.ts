import type { Phase, Plan, Task } from "../plan/index.ts";
import type { Reason, RunOutcome, TaskRow, TaskStatus } from "../ports/index.ts";
import type { RunPolicy } from "./policy.ts";
import type { DueQueue, ReadyQueue } from "./queues.ts";
import type { Spending } from "./spend-state.ts";
import type { TaskState } from "./task-state.ts";

/** An attempt whose result does not count any more while its agent may still work. */
export interface Orphan {
  readonly attempt: number;
  readonly held: readonly string[];
  readonly alone: boolean;
  /** True when its task left the plan; false when a person ended it. */
  readonly left: boolean;
}

/** How many tasks of one phase stand where. */
export interface PhaseState {
  readonly phase: Phase;
  readonly label: string;
  readonly title: string;
  /** Positions of its tasks that this run is about, without those that only group others. */
  readonly members: readonly number[];
  ended: number;
  completed: number;
  skipped: number;
  /** Ready, running or waiting ones: what can still move without a person. */
  active: number;
  /** True once `phase-ended` was told. */
  closed: boolean;
  /** Whether its end was worked off (checks, merge, clean-up), where the policy asks for that. */
  settlement: "open" | "under-way" | "done" | "refused";
  /** What stood against it. */
  refusal: Reason | undefined;
}

/**
 * The state of one run: pure data and indexes over it. `step` updates it in place and is its only writer.
 * Positions in the arrays are positions of the plan's tasks.
 */
export interface RunState {
  plan: Plan;
  policy: RunPolicy;
  tasks: TaskState[];
  byId: Map<string, TaskState>;
  /** Who waits for a task's completion, by position. */
  dependents: number[][];
  /** Who waits only for a task's end (file order of sequential formats), by position; mostly nobody. */
  successors: (number[] | undefined)[];
  phases: PhaseState[];
  /** Ended tasks of all phases, and all tasks this run is about. */
  scopeEnded: number;
  scopeTotal: number;
  /** Position in `phases` of the newest open phase; -1 before the start. */
  open: number;
  forced: Set<string>;
  /** When set, only these ids are dispatched and judged (`--only`). */
  only: ReadonlySet<string> | undefined;
  ready: ReadyQueue<TaskState>;
  due: DueQueue<TaskState>;
  running: Set<TaskState>;
  /** By task id; they hold their slot and their paths until they end. */
  orphans: Map<string, Orphan>;
  /** Running tasks and orphans that allow no other beside them. */
  alone: number;
  /** Paths and resources held by running tasks and orphans, and by how many of them. */
  heldFiles: Map<string, number>;
  /** By held path: the first of each group that awaits it, in plan order; entries may be stale. */
  parked: Map<string, ReadyQueue<TaskState>>;
  /** Conflicts of the run by path. */
  collisions: Map<string, number>;
  counts: Record<TaskStatus, number>;
  /** Tasks that left the plan while this run lives: an edit that is taken back loses nothing. */
  gone: Map<string, { readonly task: Task; readonly row: TaskRow }>;
  stopping: boolean;
  /** Why it was stopped for a person to look; undefined for an ordinary stop. */
  halt: Reason | undefined;
  /** A person holds new dispatches back. Lasts as long as the process. */
  held: boolean;
  /** Undefined for a run without a limit. */
  spending: Spending | undefined;
  ended: { readonly outcome: RunOutcome; readonly reason: Reason | undefined } | undefined;
}

/** A task that will not change any more without a person. Paused tasks have not ended. */
export function isEnded(status: TaskStatus): boolean {
  return (
    status === "completed" ||
    status === "failed" ||
    status === "skipped" ||
    status === "cancelled" ||
    status === "blocked"
  );
}

/** A task that can still move without a person. */
export function isActive(status: TaskStatus): boolean {
  return status === "ready" || status === "in_progress" || status === "waiting";
}

/** A dependency on a task in this state is met. A skipped task was waived by a person. */
export function isSatisfied(status: TaskStatus): boolean {
  return status === "completed" || status === "skipped";
}

/** A dependency on a task in this state can only be met after a person acts. */
export function isBroken(status: TaskStatus): boolean {
  return status === "failed" || status === "blocked" || status === "cancelled";
}

/** A task that only groups others: never dispatched, it completes with its children. */
export function isContainer(task: Task): boolean {
  return task.children !== undefined;
}

/**
 * The tasks a task waits for: what it and the containers around it declare, who prepares what it reads, and for a container
 * its children.
 */
export function prerequisites(task: Task): readonly string[] {
  const { dependsOn, preparedBy, inherited, children } = task;
  if (preparedBy === undefined && inherited === undefined && children === undefined) return dependsOn;
  return [...new Set([...dependsOn, ...(preparedBy ?? []), ...(inherited ?? []), ...(children ?? [])])];
}

/** Phase 0 prepares the main checkout and critical tasks touch what others rely on: both run by themselves. */
export function runsAlone(state: TaskState): boolean {
  return state.task.phase === 0 || state.task.risk === "critical";
}

/** Whether this run is about the task. */
export function inScope(run: RunState, state: TaskState): boolean {
  return run.only === undefined || run.only.has(state.task.id);
}
