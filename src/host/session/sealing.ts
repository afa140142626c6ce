import { isKept, openSealing, projectHome } from "../../adapters/home/index.ts";
import type { Sealing } from "../../adapters/store/index.ts";
import { because, EXIT, type Reason } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import type { Project } from "../project/project.ts";

/** What a project's state is sealed with, or why it is not. */
export interface ProjectSealing {
  readonly sealing?: Sealing & { close(): void };
  readonly note?: Reason;
}

/**
 * Opens what a project's state is sealed with. Throws EspalierError (exit 5) where that is there and cannot be opened:
 * without it, forged rows would look like any others.
 */
export function projectSealing(
  { stateDir }: Pick<Project, "stateDir">,
  env: NodeJS.ProcessEnv,
  trust: boolean,
): ProjectSealing {
  const folder = projectHome(env, stateDir);
  const opened = openSealing(folder);
  if (opened.ok) return { sealing: opened.value };
  if (!trust && isKept(folder))
    throw errorFor(
      "STATE_UNSEALED",
      because("nothing-started", { why: because("key-unreadable", { said: opened.failure }) }),
      { advice: because("make-private", { folder }), exitCode: EXIT.waitingForPerson },
    );
  return { note: because("state-left-unsealed", { said: opened.failure }) };
}
