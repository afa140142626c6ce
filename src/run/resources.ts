import { levels, type Plan, type Task } from "../plan/index.ts";
import type { ResourceRules } from "./policy.ts";
import { ReadyQueue } from "./queues.ts";
import type { RunState } from "./state.ts";
import type { FileGroup, TaskState } from "./task-state.ts";

/** The names with caps that an agent at work takes a unit of: its own, and its account's. */
function capsOf(
  agent: string,
  { caps, accountOf = name => name }: Omit<ResourceRules, "agentsOf">,
): readonly string[] {
  return [...new Set([agent, accountOf(agent)])].filter(name => caps.has(name));
}

/**
 * The names with caps that one agent at work on a task takes a unit of: its own, and those of who reviews its work. It waits while
 * that goes on, so what both have in common is taken once.
 */
export function capsOfWork(
  task: Task,
  agent: string,
  rules: Omit<ResourceRules, "agentsOf">,
): readonly string[] {
  const reviewer = rules.reviewerOf?.(task);
  const both = reviewer === undefined ? [agent] : [agent, reviewer];
  return [...new Set(both.flatMap(name => capsOf(name, rules)))];
}

/** How many tasks may use a resource at once. */
export function capFor(name: string, rules: Pick<ResourceRules, "caps" | "offers"> | undefined): number {
  return rules?.caps.get(name) ?? Math.max(1, rules?.offers?.(name) ?? 1);
}

/** What a task uses, as often as it does: each agent that works on it takes what the task names, and what caps that agent. */
export function resourcesOf(task: Task, rules: ResourceRules | undefined): readonly string[] {
  const { uses = [] } = task;
  if (rules === undefined) return [...new Set(uses)];
  return rules.agentsOf(task).flatMap(agent => [...new Set([...uses, ...capsOfWork(task, agent, rules)])]);
}

/** No path holds the byte in front: a resource is held beside paths and is never taken for one. */
const MARK = "\0";

/** The resource that a held name stands for; undefined for a path. */
export function resourceNamed(held: string): string | undefined {
  return held.startsWith(MARK) ? held.slice(1) : undefined;
}

/** Held once for each agent that works on a task beside its first: it takes a slot, and no cap of its own holds it back. */
const FURTHER = `${MARK}${MARK}further agent`;

/** The names under which tasks hold what they use. */
export function heldNames(task: Task, rules: ResourceRules | undefined): readonly string[] {
  const further = rules?.agentsOf(task).slice(1) ?? [];
  return [...resourcesOf(task, rules).map(name => `${MARK}${name}`), ...further.map(() => FURTHER)];
}

/** How many agents work on a task at once. */
export function slotsOf({ files }: Pick<TaskState, "files">): number {
  return files.reduce((slots, name) => (name === FURTHER ? slots + 1 : slots), 1);
}

/** Slots that attempts under way take beside one each. */
export function furtherSlots({ heldFiles }: Pick<RunState, "heldFiles">): number {
  return heldFiles.get(FURTHER) ?? 0;
}

/** How many tasks may hold a name at once: a path one. */
export function capOf(run: Pick<RunState, "policy">, held: string): number {
  if (held === FURTHER) return Number.POSITIVE_INFINITY;
  const name = resourceNamed(held);
  return name === undefined ? 1 : capFor(name, run.policy.resources);
}

/** Finds the group of a list of names, whatever their order. */
export function nameGroups(): (names: readonly string[]) => FileGroup | undefined {
  const groups = new Map<string, FileGroup>();
  return names => {
    if (names.length === 0) return undefined;
    const key = JSON.stringify(names.toSorted());
    const group = groups.get(key) ?? { waiting: new ReadyQueue(), parkedOn: undefined };
    groups.set(key, group);
    return group;
  };
}

/** Has the tasks of a run that has not begun use what these rules say. */
export function useResources(run: RunState, rules: ResourceRules): void {
  run.policy = { ...run.policy, resources: rules };
  const groupOf = nameGroups();
  for (const state of run.tasks) rename(state, heldNames(state.task, rules), groupOf);
}

function rename(
  state: TaskState,
  uses: readonly string[],
  groupOf: (names: readonly string[]) => FileGroup | undefined,
): void {
  state.files = [...state.files.filter(name => resourceNamed(name) === undefined), ...uses];
  state.group = groupOf(state.files);
}

/** The most tasks that may start at the same earliest moment when no resource is used by more than may use it. */
export function allowedFront(plan: Plan, rules: ResourceRules): readonly string[] {
  const byId = new Map(plan.tasks.map(task => [task.id, task]));
  let widest: readonly string[] = [];
  for (const level of levels(plan, { phases: true })) {
    const used = new Map<string, number>();
    const going = level.filter(id => {
      const task = byId.get(id);
      const uses = task === undefined ? [] : resourcesOf(task, rules);
      const needs = (name: string) => uses.filter(one => one === name).length;
      if (uses.some(name => (used.get(name) ?? 0) + needs(name) > capFor(name, rules))) return false;
      for (const name of uses) used.set(name, (used.get(name) ?? 0) + 1);
      return true;
    });
    if (going.length > widest.length) widest = going;
  }
  return widest;
}
