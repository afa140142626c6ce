import type { Task } from "../../plan/index.ts";
import type { EngineOptions } from "../world.ts";

/** The command that has to fail before a task's work and to pass after it; undefined where there is none. */
export function testCommand(task: Task, options: Pick<EngineOptions, "test" | "tdd">): string | undefined {
  if (task.phase === 0 || task.tdd === false || (options.tdd === "off" && task.tdd !== true))
    return undefined;
  return task.test ?? options.test;
}
