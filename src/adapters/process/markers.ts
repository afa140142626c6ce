import { createHash } from "node:crypto";

/** `NAME=value` as it stands in the environment of every process to look for. */
export type Marker = `${string}=${string}`;

export const TASK_VARIABLE = "ESPALIER_TASK";
export const ATTEMPT_VARIABLE = "ESPALIER_ATTEMPT";
const INSTANCE_VARIABLE = "ESPALIER_INSTANCE";

/** Names the socket at which an attempt is served its own documents, and nothing else. */
export const WORKER_SOCKET = "ESPALIER_SOCKET";

/** What every process of one attempt carries. */
export function attemptMarker(token: string): Marker {
  return `${ATTEMPT_VARIABLE}=${token}`;
}

/** What a run of a project is called: it begins with where its state lies, by which those of other clones are told from it. */
export function instanceAt(stateDir: string, random: string): string {
  return `${createHash("sha256").update(stateDir).digest("hex").slice(0, 16)}${random}`;
}

/** How the marker of every run of a project begins that has its state there. */
export function placeMarker(stateDir: string): Marker {
  return instanceMarker(instanceAt(stateDir, ""));
}

/** What every process started by one run of the orchestrator carries. */
export function instanceMarker(instance: string): Marker {
  return `${INSTANCE_VARIABLE}=${instance}`;
}

/** What a warden carries: an orchestrator may run under another, whose search must leave it time for its own. */
export const WARDEN_MARKER: Marker = "ESPALIER_WARDEN=1";

/** What a program that is run for what it says carries: who called it. */
export const CALLER_VARIABLE = "ESPALIER_CALLER";

/** A marker as an environment. */
export function environmentOf(marker: Marker): Record<string, string> {
  const equals = marker.indexOf("=");
  return { [marker.slice(0, equals)]: marker.slice(equals + 1) };
}

export interface Marks {
  readonly task: string;
  readonly token: string;
  /** Undefined when nobody watches over this run's processes. */
  readonly instance: string | undefined;
}

/** `env` with the marks of an attempt, which win over what `env` says. */
export function markedEnv(env: Readonly<Record<string, string>>, marks: Marks): Record<string, string> {
  const marked: Record<string, string> = Object.create(null);
  Object.assign(marked, env);
  marked[TASK_VARIABLE] = marks.task;
  marked[ATTEMPT_VARIABLE] = marks.token;
  if (marks.instance !== undefined) marked[INSTANCE_VARIABLE] = marks.instance;
  return marked;
}
