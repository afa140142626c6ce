import { agentName, type EngineOptions } from "../../engine/index.ts";
import type { Machine } from "../../ports/index.ts";
import { inScope, isEnded, type RunState } from "../../run/index.ts";
import { AUTO } from "./require-agents.ts";

/** What an unfinished task asks of the machine that takes it. */
export interface Asked {
  readonly task: string;
  /** Any of them will do; none: whatever agent there is. */
  readonly agents: readonly string[];
  /** All of them. */
  readonly labels: readonly string[];
  /** One of each. */
  readonly uses: readonly string[];
  /** That it be let work in this repository; absent: any is, or none that is known restricts it. */
  readonly repository?: string;
}

/** What is looked at of machines to tell what tasks ask of them. */
export type Offering = Pick<Machine, "resources" | "repositories">;

/**
 * What the unfinished tasks of a run ask of machines; containers ask for nothing, and what the run counts itself is asked for only
 * where one of these machines offers it; of what is the repository only where one of them is let work in some alone.
 */
export function askedOfMachines(
  run: RunState,
  options: EngineOptions,
  machines: readonly Offering[] = [],
  repository?: string,
): readonly Asked[] {
  const isOffered = (name: string) => machines.some(({ resources = {} }) => Object.hasOwn(resources, name));
  const isRestricted = machines.some(({ repositories }) => repositories !== undefined);
  const of = repository === undefined || !isRestricted ? {} : { repository };
  return run.tasks.flatMap(state => {
    const { task, status } = state;
    const isOpen = !isEnded(status) || status === "blocked";
    if (!isOpen || task.children !== undefined || !inScope(run, state)) return [];
    const agents = run.policy.resources?.agentsOf(task) ?? [agentName(state, options)];
    const { machine: labels = [] } = task;
    const uses = (task.uses ?? []).filter(
      name => run.policy.resources?.caps.has(name) !== true || isOffered(name),
    );
    return [{ task: task.id, agents: agents.includes(AUTO) ? [] : agents, labels, uses, ...of }];
  });
}

/** Agents that no person has to have an account for. */
const OWN: ReadonlySet<string> = new Set(["shell", "command"]);

/** A repository as the rules of a machine name it. */
export const asRule = (repository: string): string => `repositories: ${repository}`;

/** What a machine has not of what a task asks for, agents first. */
export function lacking(
  { agents, labels = [], resources = {}, repositories }: Omit<Machine, "name">,
  asked: Asked,
): readonly string[] {
  const { repository } = asked;
  const has = (name: string) => agents.some(agent => agent.name === name);
  const isServed =
    asked.agents.length === 0 ? agents.some(({ name }) => !OWN.has(name)) : asked.agents.some(has);
  const missing = asked.agents.length === 0 ? [AUTO] : asked.agents;
  return [
    ...(isServed ? [] : missing),
    ...asked.labels.filter(label => !labels.includes(label)),
    ...asked.uses.filter(name => !Object.hasOwn(resources, name)),
    ...(repository === undefined || repositories?.includes(repository) !== false ? [] : [asRule(repository)]),
  ];
}

/** What a machine has not, each with the tasks that ask for it. */
export function lacksOf(
  machine: Omit<Machine, "name">,
  asked: readonly Asked[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const one of asked)
    for (const what of lacking(machine, one)) {
      const tasks = found.get(what);
      if (tasks === undefined) found.set(what, [one.task]);
      else tasks.push(one.task);
    }
  return found;
}

/** Tasks that none of these machines can take, each with what it asks for. */
export function unserved(
  machines: readonly Omit<Machine, "name">[],
  asked: readonly Asked[],
): readonly Asked[] {
  return asked.filter(one => !machines.some(machine => lacking(machine, one).length === 0));
}
