import type { Task } from "../types.ts";

/** Tells every task in a container what the containers around it wait for. Lists are shared, not copied. */
export function withInherited(tasks: readonly Task[]): readonly Task[] {
  const containers = tasks.filter(task => task.children !== undefined);
  if (containers.length === 0) return tasks;
  const byId = new Map(tasks.map(task => [task.id, task]));
  const parentOf = new Map<string, Task>();
  for (const container of containers)
    for (const child of container.children ?? []) parentOf.set(child, container);
  const passedOn = new Map<string, readonly string[]>();

  function passes(container: Task): readonly string[] {
    const chain: Task[] = [];
    for (
      let at: Task | undefined = container;
      at !== undefined && !passedOn.has(at.id);
      at = parentOf.get(at.id)
    ) {
      chain.push(at);
      if (chain.length > tasks.length) break;
    }
    for (const task of chain.reverse()) {
      const parent = parentOf.get(task.id);
      const above = parent === undefined ? [] : (passedOn.get(parent.id) ?? []);
      passedOn.set(
        task.id,
        above.length === 0
          ? task.dependsOn
          : task.dependsOn.length === 0
            ? above
            : [...above, ...task.dependsOn],
      );
    }
    return passedOn.get(container.id) ?? [];
  }

  return tasks.map(task => {
    const parent = parentOf.get(task.id);
    const inherited = parent === undefined || !byId.has(parent.id) ? [] : passes(parent);
    return inherited.length === 0 ? task : { ...task, inherited };
  });
}
