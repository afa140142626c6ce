import type { TaskState } from "./task-state.ts";

/** Where the file order of one phase stands while it is read. */
interface Reading {
  /** The last sequential task. */
  barrier: TaskState | undefined;
  /** Parallel tasks since then. */
  group: TaskState[];
}

/**
 * Order-only edges of formats whose file order is execution order: a sequential task waits for the end of all before
 * it in its phase, and all after it wait for it. Groups between two sequential tasks run side by side. An edge stands
 * for everything before its source as well (see `passOrder`), so their number is linear.
 */
export function linkOrder(tasks: readonly TaskState[], successors: (number[] | undefined)[]): void {
  const link = (before: TaskState, after: TaskState) => {
    const list = successors[before.index] ?? [];
    successors[before.index] = list;
    list.push(after.index);
    after.unordered++;
  };
  const phases = new Map<number, Reading>();
  for (const state of tasks) {
    if (state.task.order === undefined) continue;
    const reading = phases.get(state.phaseIndex) ?? { barrier: undefined, group: [] };
    phases.set(state.phaseIndex, reading);
    const { barrier, group } = reading;
    if (state.task.order === "parallel") {
      if (barrier !== undefined) link(barrier, state);
      group.push(state);
      continue;
    }
    for (const before of group) link(before, state);
    if (group.length === 0 && barrier !== undefined) link(barrier, state);
    reading.barrier = state;
    reading.group = [];
  }
}
