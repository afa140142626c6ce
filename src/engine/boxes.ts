import { readPlan, tickBoxes } from "../plan/index.ts";
import type { TaskFile, World } from "./world.ts";

/** Milliseconds in which ticks are gathered into one write of the task file. */
const GATHER = 200;

/** Ticks boxes in the task file, a few at a time; `onProblem` hears why a tick could not be written. */
export interface BoxTicker {
  tick(task: string): void;
  /** Writes what is gathered now. */
  flush(): void;
}

/** Ticks the boxes of tasks in one write; returns why that failed, if it did. */
export function tickTasks(file: TaskFile, tasks: ReadonlySet<string>): string | undefined {
  const bytes = file.read();
  if (!bytes.ok) return bytes.failure;
  // The file is read afresh: a person may have edited it since the plan was made.
  const { plan } = readPlan(bytes.value, { path: file.displayPath, allowMissing: true });
  const ticked = tickBoxes(bytes.value, plan, tasks);
  if (Buffer.compare(ticked, bytes.value) === 0) return undefined;
  const written = file.write(ticked);
  return written.ok ? undefined : written.failure;
}

/** A ticker for one task file. A tick that fails is tried again with the next one and at the end. */
export function createBoxTicker(world: World, onProblem: (message: string) => void): BoxTicker {
  const wanted = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let lastProblem = "";

  const flush = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (wanted.size === 0) return;
    const problem = tickTasks(world.taskFile, wanted);
    if (problem === undefined) wanted.clear();
    else if (problem !== lastProblem) onProblem(problem);
    lastProblem = problem ?? "";
  };

  return {
    tick(task) {
      wanted.add(task);
      cancelTimer ??= world.clock.after(GATHER, flush);
    },
    flush,
  };
}
