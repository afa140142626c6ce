import { createGitVcs, type Repository } from "../../adapters/vcs/git/index.ts";
import type { LandedAttempt } from "../../ports/index.ts";

/** Attempts whose work the repository holds: on the target, and on the branches that are not merged yet. */
export async function landedAttempts(
  repository: Repository,
  target: string,
): Promise<readonly LandedAttempt[]> {
  const vcs = createGitVcs(repository);
  const standing = await vcs.branches(target);
  // A task's own branch holds work that has not come home.
  const phases = standing.ok
    ? standing.value
        .filter(({ branch, held }) => !held && !branch.startsWith("task/"))
        .map(({ branch }) => branch)
    : [];
  const found: LandedAttempt[] = [];
  for (const branch of [target, ...phases]) {
    const attempts = await vcs.attemptsIn(branch);
    if (attempts.ok) found.push(...attempts.value);
  }
  return found;
}
