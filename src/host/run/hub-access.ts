import { hubAddress } from "../../adapters/fleet/hub-client.ts";
import { firstCommit, type Repository } from "../../adapters/vcs/git/index.ts";
import { EspalierError, EXIT } from "../../ports/index.ts";

/** A hub as a project reaches it. */
export interface HubAccess {
  readonly url: string;
  readonly token: string;
  readonly repository: Repository;
  /** The first commit of the repository: its name there. */
  readonly first: string;
}

function missing(code: string, message: string, hint: string): EspalierError {
  return new EspalierError(code, message, { hint, exitCode: EXIT.environment });
}

/** What it takes to have a hub work on a project. Throws EspalierError. */
export async function hubAccess(
  on: string,
  repository: Repository | undefined,
  env: NodeJS.ProcessEnv,
): Promise<HubAccess> {
  const { url } = hubAddress(on);
  if (repository === undefined)
    throw missing(
      "HUB_NEEDS_GIT",
      "work travels to other machines by git, and this run has no repository",
      "run git init and commit, or leave --on away",
    );
  const first = await firstCommit(repository);
  if (!first.ok) throw missing("HUB_NEEDS_GIT", first.failure.message, "");
  const token = env["ESPALIER_HUB_TOKEN"] ?? "";
  if (token === "")
    throw missing(
      "HUB",
      "ESPALIER_HUB_TOKEN is not set",
      "whoever keeps the hub makes a token: espalier hub token add NAME --run",
    );
  return { url, token, repository, first: first.value };
}
