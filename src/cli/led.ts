import { LEAD, type StoredRun } from "../ports/index.ts";

/** The tasks that a lead has taken and not reported yet: between two of its commands they are its own. */
export function ledTasks({ tasks, openAttempts }: StoredRun): Set<string> {
  const open = new Set(
    openAttempts.flatMap(({ agent, task, number }) => (agent === LEAD ? [`${task}#${number}`] : [])),
  );
  const held = tasks.filter(
    ({ id, status, attempts }) => status === "in_progress" && open.has(`${id}#${attempts}`),
  );
  return new Set(held.map(({ id }) => id));
}
