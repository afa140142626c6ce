import { orphanedCallsEnd } from "../../adapters/process/index.ts";
import { createGitVcs, type Repository } from "../../adapters/vcs/git/index.ts";
import { EspalierError, EXIT, type LandedAttempt, type Result, type VcsFailure } from "../../ports/index.ts";

/** What could not be read must not pass for "nothing landed": its tasks would be worked on and landed once more. */
function read<T>(found: Result<T, VcsFailure>): T {
  if (found.ok) return found.value;
  throw new EspalierError("GIT_REFUSED", `what has landed cannot be read: ${found.failure.message}`, {
    hint: "nothing was started; mend the repository, or let espalier doctor look",
    exitCode: EXIT.environment,
  });
}

/**
 * Attempts whose work the repository holds: on the target, and on the branches that are not merged yet. Throws
 * EspalierError where that cannot be read.
 */
export async function landedAttempts(
  repository: Repository,
  target: string,
): Promise<readonly LandedAttempt[]> {
  // What a killed process had asked of git may be landing still.
  await orphanedCallsEnd();
  const vcs = createGitVcs(repository);
  const standing = read(await vcs.branches(target));
  // A task's own branch holds work that has not come home.
  const phases = standing
    .filter(({ branch, held }) => !held && !branch.startsWith("task/"))
    .map(({ branch }) => branch);
  const found: LandedAttempt[] = [];
  for (const branch of [target, ...phases]) found.push(...read(await vcs.attemptsIn(branch)));
  return found;
}
