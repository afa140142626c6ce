import type { Phase, Plan, Task } from "../plan/index.ts";
import { TASK_STATUSES, type TaskRow, type TaskStatus } from "../ports/index.ts";
import { linkOrder } from "./order.ts";
import { meetingNames } from "./paths.ts";
import type { RunPolicy } from "./policy.ts";
import { DueQueue, ReadyQueue } from "./queues.ts";
import { heldNames, nameGroups } from "./resources.ts";
import { isContainer, type PhaseState, prerequisites, type RunState } from "./state.ts";
import type { FileGroup, TaskState } from "./task-state.ts";

function taskState(
  task: Task,
  index: number,
  phaseIndex: number,
  files: readonly string[],
  group: FileGroup | undefined,
  row: TaskRow | undefined,
): TaskState {
  return {
    index,
    task,
    phaseIndex,
    files,
    learned: [],
    group,
    status: "pending",
    retries: row?.retries ?? 0,
    attempts: row?.attempts ?? 0,
    sameError: row?.sameError ?? 0,
    reason: row?.reason,
    verified: row?.verified,
    textHash: row?.textHash ?? "",
    notBefore: row?.notBefore ?? 0,
    unmet: 0,
    unordered: 0,
    broken: 0,
    stalls: row?.stalls ?? 0,
    clash: row?.clash ?? "",
    held: undefined,
    edited: false,
    weaker: [],
    unsaved: false,
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
  // A plan names its phases; one that does not still runs, in the order of its tasks.
  for (const phase of used) {
    if (indexOf.has(phase)) continue;
    indexOf.set(phase, phases.length);
    phases.push({ phase, title: "" });
  }
  return { phases, indexOf };
}

function phaseState(phase: Phase, title: string, members: readonly number[]): PhaseState {
  const none = { ended: 0, completed: 0, skipped: 0, active: 0, closed: false };
  const settlement = "open" as const;
  return { phase, label: String(phase), title, members, ...none, settlement, refusal: undefined };
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
  const groupOf = nameGroups();
  const names = meetingNames(plan.tasks.map(task => task.files));
  const tasks = plan.tasks.map((task, index) => {
    const phaseIndex = indexOf.get(task.phase)!;
    const isMember = !isContainer(task) && (only === undefined || only.has(task.id));
    if (isMember) members[phaseIndex]!.push(index);
    const files = [...names[index]!, ...heldNames(task, policy.resources)];
    return taskState(task, index, phaseIndex, files, groupOf(files), rows.get(task.id));
  });
  const byId = new Map<string, TaskState>();
  for (const state of tasks) byId.set(state.task.id, state);
  const dependents: number[][] = tasks.map(() => []);
  const successors: (number[] | undefined)[] = [];
  for (const state of tasks) {
    for (const id of prerequisites(state.task)) {
      const dependency = byId.get(id);
      if (dependency === undefined) continue;
      dependents[dependency.index]!.push(state.index);
      state.unmet++;
    }
  }
  linkOrder(only === undefined ? tasks : tasks.filter(state => only.has(state.task.id)), successors);
  const counts = Object.fromEntries(TASK_STATUSES.map(status => [status, 0])) as Record<TaskStatus, number>;
  counts.pending = tasks.length;
  return {
    plan,
    policy,
    tasks,
    byId,
    dependents,
    successors,
    phases: phases.map(({ phase, title }, at) => phaseState(phase, title, members[at]!)),
    scopeEnded: 0,
    scopeTotal: only === undefined ? tasks.length : tasks.filter(state => only.has(state.task.id)).length,
    open: -1,
    forced: new Set(),
    only,
    ready: new ReadyQueue(),
    due: new DueQueue(),
    running: new Set(),
    orphans: new Map(),
    alone: 0,
    heldFiles: new Map(),
    parked: new Map(),
    collisions: new Map(),
    counts,
    gone: new Map(),
    stopping: false,
    halt: undefined,
    held: false,
    spending: undefined,
    ended: undefined,
  };
}
