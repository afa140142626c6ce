import type { Project } from "../host/project/project.ts";
import type { RunReading } from "../host/project/reader.ts";
import type { Told } from "../host/run/aftermath.ts";
import type { Whereabouts } from "../host/run/phase-work.ts";
import { whereaboutsHere } from "../host/run/whereabouts.ts";
import { shownRun } from "../run/index.ts";

/** Where the work of a run is that nobody works on; undefined where no repository tells. Loads what asks git. */
export async function leftWork(
  env: NodeJS.ProcessEnv,
  project: Project,
  { stored, plan }: RunReading,
  { aside }: Pick<Told, "aside">,
): Promise<Whereabouts | undefined> {
  return whereaboutsHere(env, project, shownRun(plan, stored), aside);
}
