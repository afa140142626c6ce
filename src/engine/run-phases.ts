import type { RunInput, RunState, StepResult, TaskState } from "../run/index.ts";
import type { CompletedTask, PhaseRequest } from "./workspaces/index.ts";

/** A phase of a run as branches are made of it, with those before it. */
export function phaseRequest(run: RunState, index: number): PhaseRequest {
  const { feature } = run.plan;
  const [phase, ...before] = run.phases
    .slice(0, index + 1)
    .map(({ label, title }) => ({ label, title, feature }))
    .reverse();
  return { ...(phase ?? { label: "", title: "", feature }), before: before.reverse() };
}

/** The tasks of a run that have completed, each with its phase. */
export function completedTasks(run: RunState): readonly CompletedTask[] {
  const { feature } = run.plan;
  return run.tasks.flatMap(({ task, status, phaseIndex }) => {
    const { label = "", title = "" } = run.phases[phaseIndex] ?? {};
    return status === "completed" ? [{ task: task.id, phase: { label, title, feature } }] : [];
  });
}

/** Of the tasks that steps changed or whose attempts ended, those that nobody works on now. */
export function idleTasks(
  run: RunState,
  inputs: readonly (RunInput | undefined)[],
  steps: readonly StepResult[],
): readonly string[] {
  const ended = inputs.flatMap(input => (input?.type === "attempt-ended" ? [input.task] : []));
  const changed = steps.flatMap(({ touched, removed }) => [
    ...Array.from(touched, ({ task }) => task.id),
    ...removed,
  ]);
  return [...new Set([...ended, ...changed])].filter(task => run.byId.get(task)?.status !== "in_progress");
}

/** Whether a running task has its phase to itself: nothing else runs, and nothing can start before it has ended. */
export function isAlone(run: RunState, state: TaskState): boolean {
  const { counts, running, orphans } = run;
  return (
    running.has(state) && running.size === 1 && orphans.size === 0 && counts.ready + counts.waiting === 0
  );
}
