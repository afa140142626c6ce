import { heldFile } from "./files.ts";
import type { StepResult } from "./protocol.ts";
import { dispatch } from "./schedule.ts";
import { affordsNext, spendingReason } from "./spending.ts";
import { isSatisfied, prerequisites, type RunState, runsAlone } from "./state.ts";
import type { TaskState } from "./task-state.ts";

/** What stands against a lead taking this task now; undefined when nothing does. */
function obstacle(run: RunState, state: TaskState): string | undefined {
  const { id } = state.task;
  if (run.stopping) return "the run is stopping";
  if (state.status !== "ready") {
    const missing = prerequisites(state.task).filter(
      dep => !isSatisfied(run.byId.get(dep)?.status ?? "completed"),
    );
    const why = missing.length > 0 ? `; it waits for ${missing.slice(0, 5).join(", ")}` : "";
    return `${id} is ${state.status}, not ready${why}`;
  }
  const held = heldFile(run, state);
  if (held !== undefined) return `${id} shares ${held} with a running task`;
  const [other] = run.running;
  if (other !== undefined && run.alone > 0) return `${other.task.id} must run alone; wait until it has ended`;
  if (other !== undefined && runsAlone(state))
    return `${id} must run alone; ${other.task.id} is still running`;
  if (affordsNext(run, id)) return undefined;
  return (
    spendingReason(run) ??
    `${id} finds no room in the budget beside ${other?.task.id}; wait until it has ended`
  );
}

/** A lead takes one ready task; the slots are its own business, shared files and lone tasks are not. */
export function claim(run: RunState, out: StepResult, id: string): void {
  const state = run.byId.get(id);
  out.refused = state === undefined ? `no task ${id} in this plan` : obstacle(run, state);
  if (state === undefined || out.refused !== undefined) return;
  dispatch(run, out, state);
  out.events.push({ type: "dispatched", tasks: [id], retry: state.retries > 0 });
}
