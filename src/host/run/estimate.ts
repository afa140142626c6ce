import { agentName, spentBy, totalSpend } from "../../engine/index.ts";
import { estimateRun, type PastTask, type RunEstimate, type RunState } from "../../run/index.ts";
import { countTokens } from "../../tokens/index.ts";
import { engineOptions, mergeInvocations } from "../project/settings.ts";
import { lastOf, type Origin, type RunWish } from "./launch.ts";

/** What the tasks of the project's last run took, of whatever task file: those that completed, each with all its attempts. */
function pastTasks({ project, latest }: Origin): PastTask[] {
  if (latest === undefined) return [];
  const { tasks, usage } = latest.stored;
  // What waited for quota, or died with its process, was no attempt of the task.
  const attempts = new Map(
    tasks.flatMap(({ id, status, retries }) => (status === "completed" ? [[id, retries + 1]] : [])),
  );
  const { prices } = project.config.budget;
  const byTask = Map.groupBy(
    usage.filter(({ task }) => attempts.has(task)),
    ({ task }) => task,
  );
  return [...byTask].flatMap(([task, rows]) => {
    const spent = totalSpend(rows.flatMap(row => spentBy(row, prices) ?? []));
    if (spent.tokens === 0) return [];
    // Where one agent took over from another, the task counts for the one that brought it to its end.
    return [{ agent: rows.at(-1)!.agent, attempts: attempts.get(task) ?? 1, ...spent }];
  });
}

/** What the tasks that a run would start are expected to take; undefined where none of them costs anything. */
export function estimateOf(
  origin: Origin,
  wish: RunWish,
  run: RunState,
  tasks: readonly string[],
): RunEstimate | undefined {
  const { config, root } = origin.project;
  const invocation = mergeInvocations(lastOf(origin)?.invocation ?? {}, wish.invocation);
  const options = engineOptions(config, invocation, "", root);
  const ahead = tasks.flatMap(id => {
    const state = run.byId.get(id);
    if (state === undefined) return [];
    const agents = run.policy.resources?.agentsOf(state.task) ?? [agentName(state, options)];
    const floor = countTokens(state.task.text);
    return agents.flatMap(agent => (agent === "shell" ? [] : [{ agent, floor }]));
  });
  return ahead.length === 0 ? undefined : estimateRun(ahead, pastTasks(origin));
}
