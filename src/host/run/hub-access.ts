import { hubAddress, hubToken } from "../../adapters/fleet/hub-client.ts";
import { firstCommit, type Repository } from "../../adapters/vcs/git/index.ts";
import { because, EspalierError, EXIT } from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import type { Project, TaskPath } from "../project/project.ts";
import { projectRepository } from "../session/repository.ts";

/** A hub as a project reaches it. */
export interface HubAccess {
  readonly url: string;
  readonly token: string;
  readonly repository: Repository;
  /** The first commit of the repository: its name there. */
  readonly first: string;
}

/** What the repository of a project is called at hubs; undefined where it has none that could be worked in there. */
export async function nameAtHubs(
  project: Project,
  file: TaskPath,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  try {
    const repository = await projectRepository(project, file, env);
    const first = repository === undefined ? undefined : await firstCommit(repository);
    return first?.ok === true ? first.value : undefined;
  } catch (error) {
    // What is wrong with it is told by those who have to work in it.
    if (error instanceof EspalierError) return undefined;
    throw error;
  }
}

/** What it takes to have a hub work on a project. Throws EspalierError. */
export async function hubAccess(
  on: string,
  repository: Repository | undefined,
  env: NodeJS.ProcessEnv,
): Promise<HubAccess> {
  const { url } = hubAddress(on);
  const exitCode = EXIT.environment;
  if (repository === undefined)
    throw errorFor("HUB_NEEDS_GIT", because("hub-needs-git", {}), {
      advice: because("clone-or-init", {}),
      exitCode,
    });
  const first = await firstCommit(repository);
  if (!first.ok)
    throw errorFor("HUB_NEEDS_GIT", first.failure.reason, {
      exitCode,
    });
  return { url, token: hubToken(env, "ask-for-token"), repository, first: first.value };
}
