import type { Phase, Task } from "../types.ts";

/**
 * Tasks of a format whose file order is execution order, with that order as dependencies: one in sequence waits for those right
 * before it and holds back those behind it, neighbours that may run side by side wait for the same.
 */
export function declaredOrder(tasks: readonly Task[]): readonly Task[] {
  const steps = new Map<Phase, { before: readonly string[]; beside: string[] }>();
  return tasks.map(task => {
    if (task.order === undefined) return task;
    const step = steps.get(task.phase) ?? { before: [], beside: [] };
    if (task.order === "sequential" && step.beside.length > 0) step.before = step.beside;
    const dependsOn = [...new Set([...task.dependsOn, ...step.before])];
    if (task.order === "parallel") step.beside.push(task.id);
    else {
      step.before = [task.id];
      step.beside = [];
    }
    steps.set(task.phase, step);
    return { ...task, dependsOn };
  });
}
