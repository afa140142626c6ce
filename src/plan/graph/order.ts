import type { Task } from "../types.ts";

/**
 * In formats whose file order is execution order, a dependency on a task that stands later would deadlock with that
 * order. Such tasks lose their place in the order and wait for what they declare alone. Linear.
 */
export function tasksAgainstOrder(
  tasks: readonly Task[],
  before: readonly (readonly number[])[],
  sorted: readonly number[],
): Set<number> {
  const ranks = ranksOf(tasks);
  const needed = Array.from(tasks, () => -1);
  const against = new Set<number>();
  for (const task of sorted) {
    let latest = -1;
    for (const dependency of before[task]!) {
      if (tasks[dependency]!.phase === tasks[task]!.phase) latest = Math.max(latest, needed[dependency]!);
    }
    const rank = ranks[task]!;
    if (rank >= 0 && latest > rank) against.add(task);
    needed[task] = Math.max(latest, rank);
  }
  return against;
}

/** Steps of the file order: a sequential task is a step of its own, neighbouring parallel ones share one; -1 without order. */
function ranksOf(tasks: readonly Task[]): number[] {
  const ranks: number[] = [];
  let rank = 0;
  let shared = false;
  for (const task of tasks) {
    if (task.order === undefined) ranks.push(-1);
    else if (task.order === "parallel") {
      if (!shared) rank++;
      shared = true;
      ranks.push(rank);
    } else {
      ranks.push(++rank);
      shared = false;
    }
  }
  return ranks;
}
