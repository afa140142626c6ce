import type { Project } from "../host/project/project.ts";
import { type RunReading, readEvents } from "../host/project/reader.ts";
import { toldIn } from "../host/run/aftermath.ts";
import type { Whereabouts } from "../host/run/phase-work.ts";
import { whereaboutsHere } from "../host/run/whereabouts.ts";
import { shownRun } from "../run/index.ts";

/** Where the work of a run is that nobody works on; undefined where no repository tells. Loads what asks git. */
export async function leftWork(
  env: NodeJS.ProcessEnv,
  project: Project,
  { stored, plan }: RunReading,
): Promise<Whereabouts | undefined> {
  const told = readEvents(project, stored.run.id, toldIn);
  return whereaboutsHere(env, project, shownRun(plan, stored), told?.aside ?? []);
}
