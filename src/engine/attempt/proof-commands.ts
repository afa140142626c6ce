import type { Task } from "../../plan/index.ts";
import type { EngineOptions } from "../world.ts";

/** The command that has to fail before a task's work and to pass after it; undefined where there is none. */
export function testCommand(task: Task, options: Pick<EngineOptions, "test" | "tdd">): string | undefined {
  if (task.phase === 0 || task.tdd === false || (options.tdd === "off" && task.tdd !== true))
    return undefined;
  return task.test ?? options.test;
}

/** A command that proves a task, and what it is called where it is set. */
export interface Check {
  readonly name: "test" | "verify";
  readonly command: string;
}

/** The commands that prove a task: its tests, then its verify command (else the project's), each once. */
export function proofCommands(
  task: Task,
  options: Partial<Pick<EngineOptions, "test" | "tdd" | "verify">>,
): readonly Check[] {
  const verify = task.verify ?? options.verify;
  const test = testCommand(task, options);
  return [
    ...(test === undefined || test === verify ? [] : [{ name: "test", command: test } as const]),
    ...(verify === undefined ? [] : [{ name: "verify", command: verify } as const]),
  ];
}
