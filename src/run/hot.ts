import { because } from "../ports/index.ts";
import type { StepResult } from "./protocol.ts";
import type { RunState } from "./state.ts";
import type { TaskState } from "./task-state.ts";

/** Conflicts in one file after which tasks that touch it rather go one after the other. */
const HOT_AFTER = 2;

/** Whether a task is likely to change a file: it declares it, was seen to, or its text names it. */
function isExpected({ files, task }: TaskState, file: string): boolean {
  return files.includes(file) || task.text.includes(file);
}

/** The files that keep colliding, as far as a task is likely to change them. */
export function hotFilesOf({ collisions }: RunState, state: TaskState): string[] {
  return [...collisions].flatMap(([file, times]) =>
    times >= HOT_AFTER && isExpected(state, file) ? [file] : [],
  );
}

/** Counts a conflict; a file that keeps colliding is told once. */
export function countCollision(run: RunState, out: StepResult, files: readonly string[]): void {
  for (const file of new Set(files)) {
    const times = (run.collisions.get(file) ?? 0) + 1;
    run.collisions.set(file, times);
    if (times !== HOT_AFTER) continue;
    out.events.push({
      type: "warning",
      code: "HOT_FILE",
      message: because("hot-file", { path: file, times }),
    });
  }
}

/** Whether something that runs is likely to change a file that keeps colliding, as this task is. */
export function wouldCollide(run: RunState, state: TaskState): boolean {
  const files = hotFilesOf(run, state);
  if (files.length === 0) return false;
  for (const other of run.running) if (files.some(file => isExpected(other, file))) return true;
  return false;
}
