import type { Plan } from "../../src/plan/index.ts";
import type { TaskRow } from "../../src/ports/index.ts";
import { type RunState, type StepResult, taskRow } from "../../src/run/index.ts";

/** What survives a crash: exactly what the steps said must be written. */
export class Durable {
  readonly rows = new Map<string, TaskRow>();
  plan: Plan;
  phase = "";
  forced: readonly string[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
  }

  get completed(): string[] {
    return [...this.rows.values()].filter(row => row.status === "completed").map(row => row.id);
  }

  get running(): string[] {
    return [...this.rows.values()].filter(row => row.status === "in_progress").map(row => row.id);
  }

  /** One transaction for a few steps, as the engine's journal writes it; returns what it left out. */
  commit(run: RunState, outs: readonly StepResult[]): string | undefined {
    for (const out of outs) for (const id of out.removed) this.rows.delete(id);
    for (const out of outs) {
      for (const state of out.touched) {
        if (run.byId.get(state.task.id) === state) this.rows.set(state.task.id, taskRow(state));
      }
    }
    const phase = run.phases[run.open]?.label ?? "";
    if (outs.some(out => out.runTouched)) {
      this.phase = phase;
      this.forced = [...run.forced];
      this.plan = run.plan;
    }
    for (const state of run.tasks) {
      const [written, real] = [this.rows.get(state.task.id), taskRow(state)].map(row => JSON.stringify(row));
      if (written !== real) return `the durable row of ${state.task.id} is ${written}, its state is ${real}`;
    }
    if (this.rows.size !== run.tasks.length) return "a row is left of a task that is gone";
    const same = this.phase === phase && this.forced.length === run.forced.size && this.plan === run.plan;
    return same ? undefined : "the durable run is not what the run is";
  }
}
