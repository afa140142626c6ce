import { join } from "node:path";
import { type CheckpointFolder, openCheckpoints } from "../../adapters/checkpoints/index.ts";
import type { Project } from "./project.ts";

/** Name of the folder of checkpoints in the state folder. */
export const CHECKPOINTS = "checkpoints";

/** The checkpoints of a project. */
export function checkpointsOf(project: Project): CheckpointFolder {
  return openCheckpoints(join(project.stateDir, CHECKPOINTS));
}
