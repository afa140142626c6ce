import { createTracker, finestLevel, type Level, passThresholds, track } from "../../budget/index.ts";
import type { Task } from "../../plan/index.ts";
import { tasksOf } from "./tasks-of.ts";
import {
  type Output,
  type OutputMemory,
  outputsOf,
  type RunOutputs,
  roleOfTask,
  windowTotal,
} from "./window-use.ts";

/** How the window of a run without a workflow stands when a package is made. */
export interface WindowNow {
  readonly used: number;
  readonly total: number;
  /** The finest level at which outputs are carried on. */
  readonly finest: Level;
  /** What the author of an output was told that it may hand on; undefined where nobody was told. */
  readonly shareOf: (task: string) => number | undefined;
}

/**
 * Follows what the tasks of a run hand on, and tells of its window what `windowUse` tells of the whole run. A run makes a package for
 * each of its tasks: only those are looked at whose rows changed since the last one, and those under way.
 */
export class WindowSoFar {
  #tasks: readonly Task[] | undefined;
  #tracker = createTracker(0);
  /** When the last output that is counted ended. */
  #endedAt = 0;
  readonly #memory: OutputMemory = new Map();
  /** Tasks to be looked at. */
  readonly #open = new Set<string>();
  /** Outputs that are counted, by task, oldest first. */
  readonly #counted = new Map<string, readonly Output[]>();
  /** Tasks that have handed something on and are not completed. */
  readonly #takenBack = new Set<string>();

  /** The row of a task changed. */
  changed(task: string): void {
    this.#open.add(task);
  }

  /** How the window stands for a package of `reader`, which is under way from now on. */
  look(run: RunOutputs, reader: string): WindowNow {
    this.#open.add(reader);
    if (this.#tasks !== run.tasks || !this.#goOn(run, reader)) this.#begin(run, reader);
    const { total, thresholds, standing } = this.#tracker;
    let { used } = this.#tracker;
    // What was taken back counts in what was passed, and no longer in what stands.
    for (const id of this.#takenBack) used -= this.#counted.get(id)?.at(-1)?.tokens ?? 0;
    const left = passThresholds(standing, total === 0 ? 1 : used / total, thresholds);
    return {
      used,
      total,
      finest: finestLevel(left),
      shareOf: task => (this.#takenBack.has(task) ? undefined : this.#counted.get(task)?.at(-1)?.share),
    };
  }

  /** Counts what has come; false where it ended before something that is counted already. */
  #goOn(run: RunOutputs, reader: string): boolean {
    const { byId } = tasksOf(run.tasks);
    const fresh: { task: Task; output: Output }[] = [];
    for (const id of this.#open) {
      const task = byId.get(id);
      const { status, attempts = 0 } = run.standing(id) ?? {};
      const isCounted = task !== undefined && task.children === undefined;
      const outputs = isCounted ? outputsOf(run, task, false, this.#memory) : [];
      // What an attempt handed on is remembered once it is durable.
      const isKnown = !isCounted || attempts === 0 || this.#memory.has(id);
      if (isKnown && status !== "in_progress" && id !== reader) this.#open.delete(id);
      if (!isCounted || outputs.length === 0) continue;
      for (const output of outputs.slice(this.#counted.get(id)?.length)) fresh.push({ task, output });
      this.#counted.set(id, outputs);
      if (status === "completed") this.#takenBack.delete(id);
      else this.#takenBack.add(id);
    }
    fresh.sort((a, b) => a.output.endedAt - b.output.endedAt);
    if ((fresh[0]?.output.endedAt ?? this.#endedAt) < this.#endedAt) return false;
    for (const { task, output } of fresh) {
      const agent = roleOfTask(run.budget, task).label;
      track(this.#tracker, { agent, attempt: task.id, usage: { outputTokens: output.tokens } });
      this.#endedAt = output.endedAt;
    }
    return true;
  }

  #begin(run: RunOutputs, reader: string): void {
    this.#tasks = run.tasks;
    this.#tracker = createTracker(windowTotal(run.budget), run.budget.prices);
    this.#endedAt = 0;
    this.#counted.clear();
    this.#takenBack.clear();
    for (const { id } of run.tasks) this.#open.add(id);
    this.#goOn(run, reader);
  }
}
