import { readBelieved, writeBelieved } from "../../adapters/home/index.ts";
import { endOrphanedCalls } from "../../adapters/process/index.ts";
import type { Seal } from "../../adapters/store/index.ts";
import { createGitVcs, isOfTask, type Repository } from "../../adapters/vcs/git/index.ts";
import {
  type AttemptRow,
  because,
  type EspalierError,
  EXIT,
  type LandedAttempt,
  type Result,
  type VcsFailure,
} from "../../ports/index.ts";
import { errorFor } from "../../text/index.ts";
import type { Project } from "../project/project.ts";

/** What could not be read must not pass for "nothing landed": its tasks would be worked on and landed once more. */
function read<T>(found: Result<T, VcsFailure>): T {
  if (found.ok) return found.value;
  throw errorFor("GIT_REFUSED", because("landed-unreadable", { why: found.failure.reason }), {
    advice: because("mend-repository", { by: "doctor" }),
    exitCode: EXIT.environment,
  });
}

/** Those of some branches that stand. */
async function standingOf({ git }: Repository, branches: Iterable<string>): Promise<string[]> {
  const standing: string[] = [];
  for (const branch of branches) {
    const args = ["rev-parse", "--verify", "-q", `refs/heads/${branch}`];
    if (read(await git.run(args, { answers: [1] })).code === 0) standing.push(branch);
  }
  return standing;
}

/**
 * Attempts whose work the repository holds: on the target, on the branches that are not merged yet, and on those that dead
 * attempts were landing on, whatever is checked out now; with a seal only those that carry it. Throws EspalierError where that cannot be read.
 */
export async function landedAttempts(
  repository: Repository,
  target: string,
  dead: readonly AttemptRow[],
  seal: Seal | undefined,
): Promise<readonly LandedAttempt[]> {
  // What a killed process had asked of git may be landing still.
  await endOrphanedCalls();
  const vcs = createGitVcs({ ...repository, seal: seal?.of });
  const loose = read(await vcs.branches(target)).filter(({ held, byOthers }) => !held || byOthers === true);
  const others = new Set([...loose, ...dead].map(({ branch = target }) => branch));
  others.delete(target);
  // A task's own branch holds work that has not come home.
  const homes = [...others].filter(branch => !isOfTask(branch));
  const found: LandedAttempt[] = [];
  for (const branch of [target, ...(await standingOf(repository, homes))])
    found.push(...read(await vcs.attemptsIn(branch)));
  return found;
}

/**
 * The same as far as it is believed: what carries the seal, and the attempts of a state from elsewhere that it was taken over with. Until
 * what was found then is written down, a no to what the run asks for, or a death, may come in between. `believes` is a person's word for
 * whatever stands there.
 */
export async function believedAttempts(
  look: (seal: Seal | undefined) => Promise<readonly LandedAttempt[]>,
  dead: readonly AttemptRow[],
  {
    seal,
    home,
    believes,
  }: { readonly seal: Seal | undefined; readonly home: string; readonly believes: boolean },
): Promise<readonly LandedAttempt[]> {
  const tokens = new Set(dead.map(({ token }) => token));
  if (believes) {
    const all = await look(undefined);
    writeBelieved(
      home,
      all.flatMap(({ attempt }) => (tokens.has(attempt) ? [attempt] : [])),
    );
    return all;
  }
  const sealed = await look(seal);
  const known = new Set(sealed.map(({ attempt }) => attempt));
  const believed = readBelieved(home);
  const isMissing = (token: string) => tokens.has(token) && believed.has(token) && !known.has(token);
  if (![...tokens].some(isMissing)) return sealed;
  const all = await look(undefined);
  return [...sealed, ...all.filter(({ attempt }) => isMissing(attempt))];
}

/** For an attempt that was landing in a repository that is not to be found now. */
export function cannotAsk({ root }: Project, { task }: AttemptRow): EspalierError {
  return errorFor("GIT_REFUSED", because("landing-unknown", { task, root }), {
    advice: because("mend-repository", { by: "git" }),
    exitCode: EXIT.environment,
  });
}
