import type { Task } from "../../plan/index.ts";

/** What packages ask of the tasks of a plan. */
export interface TasksOf {
  readonly byId: ReadonlyMap<string, Task>;
  /** How many tasks wait for a task by name, by its id; absent for none. */
  readonly dependents: ReadonlyMap<string, number>;
}

const gathered = new WeakMap<readonly Task[], TasksOf>();

/** Gathered once for each plan, not for each package; an edit makes another list of tasks. */
export function tasksOf(tasks: readonly Task[]): TasksOf {
  const known = gathered.get(tasks);
  if (known !== undefined) return known;
  const dependents = new Map<string, number>();
  for (const { dependsOn } of tasks)
    for (const id of dependsOn) dependents.set(id, (dependents.get(id) ?? 0) + 1);
  const made = { byId: new Map(tasks.map(task => [task.id, task])), dependents };
  gathered.set(tasks, made);
  return made;
}
