import type { Phase, Plan, Task } from "../plan/index.ts";
import type { RunOutcome, TaskRow, TaskStatus } from "../ports/index.ts";
import type { RunPolicy } from "./policy.ts";
import { DueQueue, ReadyQueue } from "./queues.ts";

/** One task's changing half. Owned by its run; only `transition` writes `status`. */
export interface TaskState {
  readonly index: number;
  readonly task: Task;
  readonly phaseIndex: number;
  status: TaskStatus;
  retries: number;
  attempts: number;
  sameError: number;
  reason: string;
  verified: boolean | undefined;
  textHash: string;
  /** Epoch milliseconds before which it is not dispatched; 0 for none. */
  notBefore: number;
  /** Dependencies that are neither completed nor skipped. */
  unmet: number;
  /** Predecessors by order only that have not ended. */
  unordered: number;
  /** Dependencies that failed, were cancelled or are blocked themselves. */
  broken: number;
  /** Starts refused by the operating system in a row; they cost no attempt. */
  stalls: number;
}

/** How many tasks of one phase stand where. */
export interface PhaseState {
  readonly phase: Phase;
  readonly label: string;
  readonly title: string;
  /** Positions of its tasks that this run is about. */
  readonly members: readonly number[];
  ended: number;
  completed: number;
  skipped: number;
  /** True once `phase-ended` was told. */
  closed: boolean;
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
  /** Who waits only for a task's end (file order of sequential formats), by position. */
  successors: number[][];
  phases: PhaseState[];
  /** Ended tasks of all phases, and all tasks this run is about. */
  scopeEnded: number;
  scopeTotal: number;
  /** Position in `phases` of the newest open phase; -1 before the start. */
  open: number;
  forced: Set<string>;
  /** When set, only these ids are dispatched and judged (`--only`). */
  only: ReadonlySet<string> | undefined;
  ready: ReadyQueue;
  due: DueQueue;
  running: Set<TaskState>;
  /** Running attempts whose task left the plan: id → attempt. */
  orphans: Map<string, number>;
  /** Repository paths held by running tasks. */
  heldFiles: Set<string>;
  /** Tasks that wait for a path, first come first served. */
  parked: Map<string, Set<TaskState>>;
  counts: Record<TaskStatus, number>;
  stopping: boolean;
  ended: { readonly outcome: RunOutcome; readonly reason: string } | undefined;
}

const STATUSES: readonly TaskStatus[] = [
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
];

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

/** A dependency on a task in this state is met. A skipped task was waived by a person. */
export function isSatisfied(status: TaskStatus): boolean {
  return status === "completed" || status === "skipped";
}

/** A dependency on a task in this state can only be met after a person acts. */
export function isBroken(status: TaskStatus): boolean {
  return status === "failed" || status === "blocked" || status === "cancelled";
}

function taskState(task: Task, index: number, phaseIndex: number, row: TaskRow | undefined): TaskState {
  return {
    index,
    task,
    phaseIndex,
    status: "pending",
    retries: row?.retries ?? 0,
    attempts: row?.attempts ?? 0,
    sameError: row?.sameError ?? 0,
    reason: row?.reason ?? "",
    verified: row?.verified,
    textHash: row?.textHash ?? "",
    notBefore: row?.notBefore ?? 0,
    unmet: 0,
    unordered: 0,
    broken: 0,
    stalls: 0,
  };
}

function phaseOrder(plan: Plan): { phases: { phase: Phase; title: string }[]; indexOf: Map<Phase, number> } {
  const used = new Set(plan.tasks.map(task => task.phase));
  const phases: { phase: Phase; title: string }[] = [];
  const indexOf = new Map<Phase, number>();
  for (const { phase, title } of plan.phases) {
    if (!used.has(phase) || indexOf.has(phase)) continue;
    indexOf.set(phase, phases.length);
    phases.push({ phase, title });
  }
  return { phases, indexOf };
}

function phaseState(phase: Phase, title: string, members: readonly number[]): PhaseState {
  return { phase, label: String(phase), title, members, ended: 0, completed: 0, skipped: 0, closed: false };
}

/** The tasks a task waits for: what it declares, and for a container its children. */
function prerequisites(task: Task): readonly string[] {
  return task.children === undefined ? task.dependsOn : [...task.dependsOn, ...task.children];
}

/**
 * Order-only edges of formats whose file order is execution order: a sequential task waits for the end of all before
 * it in its phase, and all after it wait for it. Groups between two sequential tasks run side by side. Linear.
 */
function linkOrder(tasks: readonly TaskState[], successors: number[][]): void {
  const link = (before: TaskState, after: TaskState) => {
    if (after.task.dependsOn.includes(before.task.id)) return;
    successors[before.index]?.push(after.index);
    after.unordered++;
  };
  let phase = -1;
  let barrier: TaskState | undefined;
  let group: TaskState[] = [];
  for (const state of tasks) {
    if (state.task.order === undefined) continue;
    if (state.phaseIndex !== phase) {
      phase = state.phaseIndex;
      barrier = undefined;
      group = [];
    }
    if (state.task.order === "sequential") {
      for (const before of group) link(before, state);
      if (group.length === 0 && barrier !== undefined) link(barrier, state);
      barrier = state;
      group = [];
    } else {
      if (barrier !== undefined) link(barrier, state);
      group.push(state);
    }
  }
}

/**
 * Builds the indexes of a run over a valid plan; all tasks pending. `rows` bring earlier counts back by id;
 * `only` narrows the run to some tasks: the others are neither dispatched nor judged.
 */
export function buildState(
  plan: Plan,
  policy: RunPolicy,
  rows: ReadonlyMap<string, TaskRow>,
  only?: ReadonlySet<string>,
): RunState {
  const { phases, indexOf } = phaseOrder(plan);
  const members: number[][] = phases.map(() => []);
  const tasks = plan.tasks.map((task, index) => {
    const phaseIndex = indexOf.get(task.phase) ?? 0;
    if (only === undefined || only.has(task.id)) members[phaseIndex]?.push(index);
    return taskState(task, index, phaseIndex, rows.get(task.id));
  });
  const byId = new Map(tasks.map(state => [state.task.id, state]));
  const dependents: number[][] = tasks.map(() => []);
  const successors: number[][] = tasks.map(() => []);
  for (const state of tasks) {
    for (const id of prerequisites(state.task)) {
      const dependency = byId.get(id);
      if (dependency === undefined) continue;
      dependents[dependency.index]?.push(state.index);
      state.unmet++;
    }
  }
  linkOrder(tasks, successors);
  const counts = Object.fromEntries(STATUSES.map(status => [status, 0])) as Record<TaskStatus, number>;
  counts.pending = tasks.length;
  return {
    plan,
    policy,
    tasks,
    byId,
    dependents,
    successors,
    phases: phases.map(({ phase, title }, at) => phaseState(phase, title, members[at] ?? [])),
    scopeEnded: 0,
    scopeTotal: only === undefined ? tasks.length : members.reduce((sum, list) => sum + list.length, 0),
    open: -1,
    forced: new Set(),
    only,
    ready: new ReadyQueue(),
    due: new DueQueue(),
    running: new Set(),
    orphans: new Map(),
    heldFiles: new Set(),
    parked: new Map(),
    counts,
    stopping: false,
    ended: undefined,
  };
}

/** Whether this run is about the task. */
export function inScope(run: RunState, state: TaskState): boolean {
  return run.only === undefined || run.only.has(state.task.id);
}
