import type { RunEvent } from "../ports/index.ts";
import { type RunState, type TaskState, waitUntil } from "../run/index.ts";
import { agentName } from "./attempt/index.ts";
import type { AgentPool } from "./pool.ts";
import type { EngineOptions } from "./world.ts";

const TAKES_UP: ReadonlySet<string> = new Set(["resume", "retry", "send-back"]);

/** The task that a person has go on by this event, though it may wait for quota. */
export function takenUp(event: RunEvent): readonly string[] {
  const goesOn = event.type === "person" && TAKES_UP.has(event.action);
  return goesOn && event.task !== undefined ? [event.task] : [];
}

/** The agents that a task would have: all that are to work on it at once, the first of them first. */
export function agentsWanted(
  run: RunState,
  state: Pick<TaskState, "task">,
  options: EngineOptions,
): readonly string[] {
  return run.policy.resources?.agentsOf(state.task) ?? [agentName(state, options)];
}

/** All agents that a task may ask: those that work on it, and its reviewer. */
export function agentsAsked(run: RunState, task: string, options: EngineOptions): readonly string[] {
  const state = run.byId.get(task);
  const wanted = state === undefined ? [] : agentsWanted(run, state, options);
  const reviewer = state?.task.review ?? options.review?.agent;
  return reviewer === undefined ? wanted : [...wanted, reviewer];
}

/**
 * From now on no task is begun while nobody who could work on it has quota, or is let in by its service, but for one whose work is made. Tasks that an earlier
 * process left waiting for quota wait for the agents of this one: not at all where one of them has some. Returns what is told of
 * those that still wait.
 */
export function takeUpWaiting(
  run: RunState,
  pool: AgentPool,
  options: EngineOptions,
  now: number,
  isMade: (task: string) => boolean,
): readonly RunEvent[] {
  const outOfQuota = (task: TaskState["task"], at: number) =>
    isMade(task.id) ? undefined : pool.first(agentsWanted(run, { task }, options), at);
  const shutOut = (task: TaskState["task"], since?: number) =>
    isMade(task.id) ? undefined : pool.shutOut(agentsWanted(run, { task }, options), since);
  run.policy = { ...run.policy, outOfQuota, shutOut };
  const told: RunEvent[] = [];
  for (const state of run.tasks) {
    if (state.status !== "waiting") continue;
    const agents = agentsWanted(run, state, options);
    // A limit that a `run:` block met is its command's: no agent takes over from it.
    const isShell = agents.includes("shell");
    const first = isShell ? { agent: "shell", until: state.notBefore } : pool.first(agents, now);
    waitUntil(run, state, first?.until ?? now);
    if (first !== undefined && first.until > now)
      told.push({ type: "waiting", task: state.task.id, ...first });
  }
  return told;
}
