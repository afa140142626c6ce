import type { Phase, PhaseInfo, Plan, Task } from "../plan/index.ts";
import type { Reason, TaskRow, TaskStatus } from "../ports/index.ts";
import type { TaskAction } from "./protocol.ts";
import { isBroken, isEnded, prerequisites } from "./state.ts";

/** A task as the views need it; a `TaskState` is one. */
export interface TaskFacts {
  readonly task: Task;
  readonly status: TaskStatus;
  readonly retries: number;
  readonly attempts: number;
  readonly verified: boolean | undefined;
  readonly reason: Reason | undefined;
  readonly notBefore: number;
  /** How often the same failure stood in a row. */
  readonly sameError?: number;
}

/** Tasks of one phase in plan order. */
export interface PhaseFacts {
  readonly label: string;
  readonly title: string;
  readonly tasks: readonly TaskFacts[];
}

/** How many tasks stand where. */
export interface Tally {
  readonly counts: Readonly<Record<TaskStatus, number>>;
  readonly unverified: number;
  readonly total: number;
}

/** The stored rows of a plan's tasks as facts; a task without a row is pending. */
export function taskFacts(plan: Plan, rows: Iterable<TaskRow>): TaskFacts[] {
  const byId = new Map<string, TaskRow>();
  for (const row of rows) byId.set(row.id, row);
  return plan.tasks.map(task => {
    const row = byId.get(task.id);
    return {
      task,
      status: row?.status ?? "pending",
      retries: row?.retries ?? 0,
      attempts: row?.attempts ?? 0,
      verified: row?.verified,
      reason: row?.reason,
      notBefore: row?.notBefore ?? 0,
      sameError: row?.sameError ?? 0,
    };
  });
}

/** Counts tasks by state; those that only group others are no work of their own and are left out. */
export function tally(tasks: Iterable<Pick<TaskFacts, "task" | "status" | "verified">>): Tally {
  const counts: Record<TaskStatus, number> = {
    pending: 0,
    ready: 0,
    in_progress: 0,
    completed: 0,
    failed: 0,
    blocked: 0,
    paused: 0,
    waiting: 0,
    cancelled: 0,
    skipped: 0,
  };
  let unverified = 0;
  let total = 0;
  for (const { task, status, verified } of tasks) {
    if (task.children !== undefined) continue;
    counts[status]++;
    total++;
    if (status === "completed" && verified !== true) unverified++;
  }
  return { counts, unverified, total };
}

/** Tasks by phase, in the plan's order of phases; phases without tasks are left out. */
export function byPhase(phases: readonly PhaseInfo[], tasks: readonly TaskFacts[]): PhaseFacts[] {
  const groups = new Map<Phase, { label: string; title: string; tasks: TaskFacts[] }>();
  for (const { phase, title } of phases) groups.set(phase, { label: String(phase), title, tasks: [] });
  for (const facts of tasks) {
    const { phase } = facts.task;
    const group = groups.get(phase);
    if (group === undefined) groups.set(phase, { label: String(phase), title: "", tasks: [facts] });
    else group.tasks.push(facts);
  }
  return [...groups.values()].filter(group => group.tasks.length > 0);
}

/** The phase that waits for a person because the one before it ended with too few completions; undefined when none. */
export function heldPhase(
  phases: readonly PhaseFacts[],
  gate: number,
  forced: ReadonlySet<string>,
): string | undefined {
  for (const [at, phase] of phases.entries()) {
    const next = phases[at + 1];
    if (next === undefined || !phase.tasks.every(facts => isEnded(facts.status))) return undefined;
    const { counts, total } = tally(phase.tasks);
    const passes = counts.completed >= gate * (total - counts.skipped) - 1e-9;
    if (!passes && !forced.has(next.label)) return next.label;
  }
  return undefined;
}

/** A task that broke, and those that cannot go on because of it. */
export interface Blockage {
  readonly by: string;
  readonly tasks: readonly TaskFacts[];
}

/** Blocked tasks by the task at the root of their trouble, followed through other blocked ones. Linear. */
export function blockages(tasks: readonly TaskFacts[]): Blockage[] {
  const byId = new Map(tasks.map(facts => [facts.task.id, facts]));
  const roots = new Map<string, string>();
  const rootOf = (start: TaskFacts): string => {
    const path: string[] = [];
    let at: TaskFacts | undefined = start;
    let root = "";
    while (at !== undefined) {
      const known = roots.get(at.task.id);
      root = known ?? at.task.id;
      if (known !== undefined || at.status !== "blocked") break;
      path.push(at.task.id);
      // Entered before it is known, so that a cycle in a damaged state ends here.
      roots.set(at.task.id, at.task.id);
      at = prerequisites(at.task)
        .map(id => byId.get(id))
        .find(facts => facts !== undefined && isBroken(facts.status));
    }
    for (const id of path) roots.set(id, root);
    return root;
  };
  const groups = new Map<string, TaskFacts[]>();
  for (const facts of tasks) {
    if (facts.status !== "blocked") continue;
    const root = rootOf(facts);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [facts]);
    else group.push(facts);
  }
  return [...groups].map(([by, blocked]) => ({ by, tasks: blocked }));
}

/** What decides about what a person may do to a task. */
type ActFacts = Pick<TaskFacts, "task" | "status" | "attempts" | "verified" | "reason">;

/**
 * What a person may do to a task, as the run accepts it, the likeliest first. `awaitsReview` tells whether work of it was proved
 * and waits for its review.
 */
export function actionsFor(facts: ActFacts, awaitsReview = false): readonly TaskAction[] {
  const { task, status, attempts, verified, reason } = facts;
  // What its tasks have completed is done anew by them.
  const byTasks = status === "completed" ? ["done", "retry"] : ["done"];
  if (task.children !== undefined) return actionsIn(status).filter(action => !byTasks.includes(action));
  const isUnproved = status === "completed" && (verified !== true || reason !== undefined);
  const isReturnable = task.run === undefined && attempts > 0;
  const hasWork = isReturnable && (status === "completed" || status === "failed" || status === "paused");
  return [
    ...(isUnproved || (status === "paused" && awaitsReview) ? (["approve"] as const) : []),
    ...(hasWork && status === "completed" ? (["send-back"] as const) : []),
    ...actionsIn(status),
    ...(hasWork && status !== "completed" ? (["send-back"] as const) : []),
  ];
}

function actionsIn(status: TaskStatus): readonly TaskAction[] {
  switch (status) {
    case "completed":
      return ["retry"];
    case "skipped":
      return ["retry", "done"];
    case "failed":
    case "cancelled":
      return ["retry", "skip", "done"];
    case "paused":
    case "waiting":
      return ["resume", "retry", "skip", "done", "cancel"];
    case "in_progress":
      return ["pause", "cancel"];
    case "blocked":
      return ["skip", "done", "cancel"];
    case "ready":
    case "pending":
      return ["pause", "skip", "done", "cancel"];
    default:
      return status satisfies never;
  }
}
