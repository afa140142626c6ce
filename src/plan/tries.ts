import type { Task } from "./types.ts";

/** The agents that a task names, in its order and each as often as it names it. */
export function agentsNamed({ agent = [] }: Pick<Task, "agent">): readonly string[] {
  return typeof agent === "string" ? [agent] : agent;
}

/** How many agents a task is to be worked on by at once; each that it names is one of them. */
export function triesOf(task: Pick<Task, "agent" | "tries">): number {
  return Math.max(1, task.tries ?? 1, agentsNamed(task).length);
}
