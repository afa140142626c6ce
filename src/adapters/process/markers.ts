/** `NAME=value` as it stands in the environment of every process to look for. */
export type Marker = `${string}=${string}`;

/** Names the task a process works on. */
export const TASK_VARIABLE = "ESPALIER_TASK";
const ATTEMPT_VARIABLE = "ESPALIER_ATTEMPT";
const INSTANCE_VARIABLE = "ESPALIER_INSTANCE";

/** What every process of one attempt carries. */
export function attemptMarker(token: string): Marker {
  return `${ATTEMPT_VARIABLE}=${token}`;
}

/** What every process started by one run of the orchestrator carries. */
export function instanceMarker(instance: string): Marker {
  return `${INSTANCE_VARIABLE}=${instance}`;
}

/** `env` with markers first, so that a scan of `/proc` finds them early. */
export function markedEnv(
  env: Readonly<Record<string, string>>,
  marks: { readonly task?: string; readonly token?: string; readonly instance?: string },
): Record<string, string> {
  const marked: Record<string, string> = Object.create(null);
  if (marks.token !== undefined) marked[ATTEMPT_VARIABLE] = marks.token;
  if (marks.instance !== undefined) marked[INSTANCE_VARIABLE] = marks.instance;
  if (marks.task !== undefined) marked[TASK_VARIABLE] = marks.task;
  for (const [name, value] of Object.entries(env)) marked[name] ??= value;
  return marked;
}
