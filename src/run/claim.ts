import { because, type Reason } from "../ports/index.ts";
import { heldFile } from "./files.ts";
import type { StepResult } from "./protocol.ts";
import { resourceNamed } from "./resources.ts";
import { dispatch } from "./schedule.ts";
import { affordsNext, spendingReason } from "./spending.ts";
import { isSatisfied, prerequisites, type RunState, runsAlone } from "./state.ts";
import type { TaskState } from "./task-state.ts";

/** What stands against a lead taking this task now; undefined when nothing does. */
function obstacle(run: RunState, state: TaskState): Reason | undefined {
  const { id: task } = state.task;
  const { status } = state;
  if (run.stopping) return because("run-stopping", {});
  if (status !== "ready") {
    const missing = prerequisites(state.task).filter(
      dep => !isSatisfied(run.byId.get(dep)?.status ?? "completed"),
    );
    return because("task-not-ready", { task, status, on: missing.slice(0, 5) });
  }
  const held = heldFile(run, state);
  const resource = held === undefined ? undefined : resourceNamed(held);
  if (resource !== undefined) return because("resource-taken", { task, resource });
  if (held !== undefined) return because("task-shares", { task, path: held });
  const [other] = run.running;
  if (other !== undefined && run.alone > 0) return because("task-alone", { task: other.task.id });
  if (other !== undefined && runsAlone(state)) return because("task-alone", { task, running: other.task.id });
  if (affordsNext(run, task)) return undefined;
  return spendingReason(run) ?? because("task-unaffordable", { task, beside: other?.task.id ?? "" });
}

/** A lead takes one ready task; the slots are its own business, shared files and lone tasks are not. */
export function claim(run: RunState, out: StepResult, id: string): void {
  const state = run.byId.get(id);
  if (state === undefined) {
    out.refused = because("task-unknown", { task: id });
    return;
  }
  out.refused = obstacle(run, state);
  if (out.refused !== undefined) return;
  dispatch(run, out, state);
  out.events.push({ type: "dispatched", tasks: [id], retry: state.retries > 0 });
}
