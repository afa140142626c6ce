import { ReadyQueue } from "./queues.ts";
import type { RunState, TaskState } from "./state.ts";

/** A path of the task that an attempt under way holds. */
export function heldFile(run: RunState, state: TaskState): string | undefined {
  return run.heldFiles.size === 0 ? undefined : state.task.files.find(file => run.heldFiles.has(file));
}

/** Lets the first task in plan order that waits for a free path try again. */
function wakeWaiter(run: RunState, file: string): void {
  const waiters = run.parked.get(file);
  const first = waiters?.next();
  if (first !== undefined) run.ready.add(first);
  if (waiters?.size === 0) run.parked.delete(file);
}

/** Frees paths and lets the first waiter of each try again. */
export function releaseFiles(run: RunState, files: readonly string[]): void {
  for (const file of files) {
    run.heldFiles.delete(file);
    wakeWaiter(run, file);
  }
}

/** Wakes the next waiter of every free path of a task that had been woken and cannot use them now. */
export function passOn(run: RunState, state: TaskState): void {
  if (run.parked.size === 0) return;
  for (const file of state.task.files) if (!run.heldFiles.has(file)) wakeWaiter(run, file);
}

/** Puts a task aside until a path is free. Paths it had been woken for, and cannot use now, wake the next waiter. */
export function park(run: RunState, state: TaskState, file: string): void {
  const waiters = run.parked.get(file) ?? new ReadyQueue();
  run.parked.set(file, waiters);
  waiters.add(state);
  passOn(run, state);
}
