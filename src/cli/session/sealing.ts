import { isKept, openSealing, projectHome } from "../../adapters/home/index.ts";
import type { Sealing } from "../../adapters/store/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";
import type { Io } from "../io.ts";
import type { Project } from "../project.ts";

/** What a project's state is sealed with, or why it is not. */
export interface ProjectSealing {
  readonly sealing?: Sealing & { close(): void };
  readonly note?: string;
}

/**
 * Opens what a project's state is sealed with. Throws EspalierError (exit 5) where that is there and cannot be opened:
 * without it, forged rows would look like any others.
 */
export function projectSealing(
  { stateDir }: Pick<Project, "stateDir">,
  env: Io["env"],
  trust: boolean,
): ProjectSealing {
  const folder = projectHome(env, stateDir);
  const opened = openSealing(folder);
  if (opened.ok) return { sealing: opened.value };
  if (!trust && isKept(folder))
    throw new EspalierError(
      "STATE_UNSEALED",
      `what the state is sealed with cannot be opened: ${opened.failure}. Nothing was started`,
      {
        hint: `make ${folder} yours alone and writable (chmod 700); --trust-state believes the state as it stands`,
        exitCode: EXIT.waitingForPerson,
      },
    );
  return { note: `the state is not sealed: ${opened.failure}` };
}
