import type { Task } from "../types.ts";

/**
 * Open tasks that wait for some which are put off, near or far: for those themselves, for a container that holds one, or because a container
 * around them waits or is put off. Linear in tasks and edges.
 */
export function behind(tasks: readonly Task[], putOff: Iterable<string>): ReadonlySet<string> {
  const waiting = new Set<string>();
  const queue = new Set(putOff);
  if (queue.size === 0) return waiting;
  const byId = new Map(tasks.map(task => [task.id, task]));
  const around = new Map(tasks.flatMap(({ id, children = [] }) => children.map(child => [child, id])));
  const dependents = new Map<string, string[]>();
  for (const { id, dependsOn } of tasks)
    for (const on of dependsOn) {
      const known = dependents.get(on);
      if (known === undefined) dependents.set(on, [id]);
      else known.push(id);
    }
  const hold = (ids: readonly string[]): void => {
    const held = [...ids];
    for (let next = held.pop(); next !== undefined; next = held.pop()) {
      const task = byId.get(next);
      if (task === undefined || task.done || task.skip === true || waiting.has(next)) continue;
      waiting.add(next);
      queue.add(next);
      for (const child of task.children ?? []) held.push(child);
    }
  };
  for (const id of [...queue]) hold(byId.get(id)?.children ?? []);
  // A set is gone through as it grows.
  for (const id of queue) {
    const container = around.get(id);
    if (container !== undefined) queue.add(container);
    hold(dependents.get(id) ?? []);
  }
  return waiting;
}
