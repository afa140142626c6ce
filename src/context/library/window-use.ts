import type { PackageReceipt } from "../../assembly/index.ts";
import {
  ADDED_STAGE,
  type AgentRole,
  type Budget,
  createTracker,
  finestLevel,
  type Level,
  shareOut,
  slotsOfWork,
  type Tracker,
  track,
  type Work,
} from "../../budget/index.ts";
import { agentsNamed, type Task } from "../../plan/index.ts";
import type { AttemptRow, TaskStatus } from "../../ports/index.ts";
import { resultText } from "./result-text.ts";

/** Where a task stands, and how many attempts it has had. */
export interface Standing {
  readonly status: TaskStatus;
  readonly attempts: number;
}

/** A run as the sharing of its window sees it. */
export interface RunOutputs {
  readonly budget: Budget;
  readonly tasks: readonly Task[];
  readonly standing: (task: string) => Standing | undefined;
  readonly attempts: (task: string) => readonly AttemptRow[];
  /** The share that an attempt's receipt tells. */
  readonly promised: (task: string, attempt: number) => number | undefined;
  readonly count: (text: string) => number;
}

/** What an accepted attempt has handed on. */
export interface Output {
  readonly attempt: number;
  readonly endedAt: number;
  /** Tokens it takes of the window: those of its text, but no more than it may hand on. */
  readonly tokens: number;
  /** What it was told that it may hand on; undefined where it was told nothing. */
  readonly share: number | undefined;
}

/** Accepted attempts by task, read once each while the task stands where it stood. Owned by whoever asks repeatedly. */
export type OutputMemory = Map<
  string,
  { readonly at: Standing; readonly limit: number | undefined; readonly outputs: readonly Output[] }
>;

/** What one task may hand on. */
export type TaskShare = NonNullable<PackageReceipt["share"]>;

/** How a run's window stands. */
export interface WindowUse {
  readonly tracker: Tracker;
  /** By completed task, what it has handed on, in the order in which they ended. */
  readonly outputs: ReadonlyMap<string, Output>;
  /** Tokens taken after each of them. */
  readonly history: readonly number[];
  /** By task, what those may hand on that have not ended; empty without a workflow. */
  readonly shares: ReadonlyMap<string, TaskShare>;
  /** The finest level at which outputs are carried on from now on. */
  readonly finest: Level;
}

/** The role a task is done in: its own, its agent's, or one of its own name. */
export function roleOfTask(
  budget: Budget,
  task: Pick<Task, "id" | "role" | "specialist" | "agent">,
): AgentRole {
  return budget.role(task.role ?? task.specialist ?? agentsNamed(task)[0] ?? task.id);
}

/** The share that a stored receipt tells; undefined where it tells none. */
export function shareIn(receipt: string | undefined): number | undefined {
  return receipt === undefined
    ? undefined
    : (JSON.parse(receipt) as Pick<PackageReceipt, "share">).share?.tokens;
}

/** Tokens that the window has for the outputs of a run. */
export function windowTotal({ window, workflow }: Budget): number {
  return Math.min(window.outputs, workflow?.total ?? window.outputs);
}

/** The accepted attempts of a task, oldest first. */
export function outputsOf(run: RunOutputs, task: Task, isCritical: boolean, memory: OutputMemory) {
  const at = run.standing(task.id);
  if (at === undefined || at.attempts === 0) return [];
  const { listed, limits } = roleOfTask(run.budget, task);
  const limit = isCritical ? undefined : listed ? limits.maxOutput : Number.POSITIVE_INFINITY;
  const known = memory.get(task.id);
  // By an edit its author may be another, with other limits.
  if (known?.limit === limit && known?.at.status === at.status && known.at.attempts === at.attempts)
    return known.outputs;
  const rows = run.attempts(task.id);
  const outputs = rows.flatMap((row): Output[] => {
    if (row.outcome !== "done") return [];
    const tokens = run.count(resultText(row.finalMessage));
    const share = run.promised(task.id, row.number);
    const most = limit === undefined ? tokens : (share ?? limit);
    return [{ attempt: row.number, endedAt: row.endedAt, tokens: Math.min(tokens, most), share }];
  });
  const isOnItsWay = rows.at(-1)?.outcome === "running" && at.status !== "in_progress";
  // A copy: where a task stands may be told by what changes with it, and before it is durable.
  if (isOnItsWay) memory.delete(task.id);
  else memory.set(task.id, { at: { status: at.status, attempts: at.attempts }, limit, outputs });
  return outputs;
}

const LENT: ReadonlySet<TaskStatus> = new Set(["paused", "skipped", "failed", "cancelled", "blocked"]);

function workOf(run: RunOutputs, task: Task, outputs: ReadonlyMap<string, Output>): Work {
  const { id } = task;
  const { status, attempts } = run.standing(id) ?? { status: "pending", attempts: 0 };
  const { id: agent } = roleOfTask(run.budget, task);
  if (LENT.has(status)) return { id, agent, state: "lent" };
  const tokens =
    status === "completed"
      ? (outputs.get(id)?.tokens ?? 0)
      : status === "in_progress"
        ? run.promised(id, attempts)
        : undefined;
  return tokens === undefined ? { id, agent, state: "open" } : { id, agent, state: "settled", tokens };
}

/** What those may hand on that have not ended: what their receipt says once they run, else what is left for them. */
function sharesOf(run: RunOutputs, outputs: ReadonlyMap<string, Output>): Map<string, TaskShare> {
  const { budget, tasks } = run;
  const { workflow } = budget;
  const shares = new Map<string, TaskShare>();
  if (workflow === undefined) return shares;
  const work = tasks.map(task => workOf(run, task, outputs));
  for (const { name: stage, shares: own } of shareOut(budget, workflow, work).stages)
    for (const [id, tokens] of own) shares.set(id, { tokens, stage });
  const slots = slotsOfWork(workflow, work);
  const stageOf = new Map(workflow.stages.flatMap(stage => stage.slots.map(slot => [slot, stage.name])));
  for (const { id, state, tokens = 0 } of work) {
    if (state !== "settled" || run.standing(id)?.status !== "in_progress") continue;
    const slot = slots.get(id);
    shares.set(id, { tokens, stage: (slot && stageOf.get(slot)) ?? ADDED_STAGE });
  }
  return shares;
}

/**
 * How the window of a run stands: what its outputs take of it, at which level later ones are carried on, and what those to
 * come may hand on. Made of what is durable alone, so that a resume finds the same.
 */
export function windowUse(of: RunOutputs, memory: OutputMemory = new Map()): WindowUse {
  const { budget } = of;
  const run = { ...of, tasks: of.tasks.filter(({ children }) => children === undefined) };
  const roles = new Map(run.tasks.map(task => [task.id, roleOfTask(budget, task)]));
  const agents = run.tasks.map(({ id }) => ({ id, agent: roles.get(id)!.id }));
  const slots = budget.workflow === undefined ? undefined : slotsOfWork(budget.workflow, agents);
  const accepted = run.tasks
    .flatMap(task =>
      outputsOf(run, task, slots?.get(task.id)?.critical === true, memory).map(output => ({
        task: task.id,
        output,
      })),
    )
    .sort((a, b) => a.output.endedAt - b.output.endedAt);
  const tracker = createTracker(windowTotal(budget), budget.prices);
  const outputs = new Map<string, Output>();
  const history: number[] = [];
  const take = (task: string, tokens: number) =>
    track(tracker, { agent: roles.get(task)!.label, attempt: task, usage: { outputTokens: tokens } });
  // Also what was taken back since: a threshold that it passed is cleared only well below.
  for (const { task, output } of accepted) {
    take(task, output.tokens);
    outputs.delete(task);
    outputs.set(task, output);
    history.push(tracker.used);
  }
  for (const task of outputs.keys()) {
    if (run.standing(task)?.status === "completed") continue;
    take(task, 0);
    outputs.delete(task);
  }
  return { tracker, outputs, history, shares: sharesOf(run, outputs), finest: finestLevel(tracker) };
}
