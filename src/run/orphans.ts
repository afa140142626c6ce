import { because } from "../ports/index.ts";
import { releaseFiles } from "./files.ts";
import type { RunInput, StepResult } from "./protocol.ts";
import { type RunState, runsAlone } from "./state.ts";
import type { TaskState } from "./task-state.ts";

/**
 * Lets a running attempt go: its result will not count, but its slot and its paths stay taken until its agent has
 * ended. The caller moves the task on. A lead ends its own agents, so nothing is kept for it.
 */
export function orphan(run: RunState, state: TaskState, left: boolean): void {
  if (run.policy.advance === "asked") return;
  const alone = runsAlone(state);
  run.orphans.set(state.task.id, { attempt: state.attempts, held: state.held!, alone, left });
  if (alone) run.alone++;
  state.held = [];
}

/** An attempt of an orphan has ended; where it is the orphan itself, a task of the same id may go now. What had landed is told. */
export function endOrphan(
  run: RunState,
  out: StepResult,
  { task, attempt, outcome }: Extract<RunInput, { type: "attempt-ended" }>,
): void {
  const ended = run.orphans.get(task)!;
  if (ended.attempt !== attempt) return;
  run.orphans.delete(task);
  if (ended.alone) run.alone--;
  releaseFiles(run, ended.held);
  const state = run.byId.get(task);
  if (state?.status === "ready") run.ready.add(state);
  const commit = outcome.kind === "done" ? outcome.commit : undefined;
  if (commit !== undefined) {
    const message = because("landed-orphaned", { commit: commit.slice(0, 10) });
    out.events.push({ type: "warning", code: "LANDED_ANYWAY", message, task });
  } else if (ended.left) {
    const message = because("result-orphaned", {});
    out.events.push({ type: "warning", code: "ORPHANED", message, task });
  }
}
