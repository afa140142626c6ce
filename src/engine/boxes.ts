import { formatOf, tickBoxes } from "../plan/index.ts";
import type { TaskFile, World } from "./world.ts";

/** Milliseconds in which ticks are gathered into one write of the task file. */
const GATHER = 200;
/** Reading and writing the file takes at most this share of the time. */
const WORK_SHARE = 0.1;

/** Ticks boxes in the task file, a few at a time; `onProblem` hears why a tick could not be written. */
export interface BoxTicker {
  tick(task: string): void;
  /** Writes what is gathered now. */
  flush(): void;
  /** From now on nothing is written. */
  stop(): void;
}

/** A task file with the boxes of these tasks ticked. What it says is read from its own bytes, not from any plan. */
export function tickedIn(bytes: Uint8Array, path: string, tasks: Iterable<string>): Uint8Array {
  return tickBoxes(bytes, { format: formatOf(bytes, path) }, tasks);
}

/** Ticks the boxes of tasks in one write; returns why that failed, if it did. */
export function tickTasks(file: TaskFile, tasks: ReadonlySet<string>): string | undefined {
  const bytes = file.read();
  if (!bytes.ok) return bytes.failure;
  // The file is read afresh: a person may have edited it since the plan was made.
  const ticked = tickedIn(bytes.value, file.displayPath, tasks);
  if (Buffer.compare(ticked, bytes.value) === 0) return undefined;
  const written = file.write(ticked);
  return written.ok ? undefined : written.failure;
}

/** A ticker for one task file. A tick that fails is tried again with the next one and at the end. */
export function createBoxTicker(
  world: Pick<World, "taskFile" | "clock">,
  onProblem: (message: string) => void,
): BoxTicker {
  const { clock, taskFile } = world;
  const wanted = new Set<string>();
  let cancelTimer: (() => void) | undefined;
  let gather = GATHER;
  let told = false;

  const flush = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (wanted.size === 0) return;
    const before = clock.monotonic();
    const problem = tickTasks(taskFile, wanted);
    gather = Math.max(GATHER, (clock.monotonic() - before) / WORK_SHARE);
    if (problem === undefined) wanted.clear();
    else if (!told) onProblem(problem);
    told = problem !== undefined;
  };

  return {
    tick(task) {
      wanted.add(task);
      cancelTimer ??= clock.after(gather, flush);
    },
    flush,
    stop() {
      wanted.clear();
      flush();
    },
  };
}
