import type { Project } from "../host/project/project.ts";
import { readEvents } from "../host/project/reader.ts";
import { toldIn } from "../host/run/aftermath.ts";
import type { StoredRun } from "../ports/index.ts";

/** By task: the agent whose quota it waits for; what a run has told is read only where a task waits. */
export function awaitedBy(
  project: Project,
  { run, tasks }: Pick<StoredRun, "run" | "tasks">,
): ReadonlyMap<string, string> | undefined {
  const waits = tasks.some(({ status }) => status === "waiting");
  return waits ? readEvents(project, run.id, toldIn)?.awaited : undefined;
}
