import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { foreign } from "./ensure-branch.ts";
import { folderAt } from "./folders.ts";
import { clearAway, clearHalfMade, noteIntent, placeProblem } from "./open-folder.ts";
import { change, type Repository } from "./repository.ts";

/** Makes a worktree of the last commit, without a branch. */
async function make(repository: Repository, path: string): Promise<Result<void, VcsFailure>> {
  const sound = await repository.guard();
  if (!sound.ok) return sound;
  clearHalfMade(repository, path);
  const problem = placeProblem(path);
  if (problem !== undefined) return foreign(problem);
  const noted = noteIntent(repository, path);
  if (!noted.ok) return noted;
  const added = await change(repository, ["worktree", "add", "--quiet", "--detach", "--", path, "HEAD"]);
  if (!added.ok) return added;
  const folder = folderAt(repository.facts.common, path);
  if (folder !== undefined) repository.trust(folder.name);
  return ok(undefined);
}

/** Does something in a worktree of the last commit; the worktree and everything in it is gone afterwards. */
export async function inThrowaway<T>(
  repository: Repository,
  path: string,
  use: () => Promise<T>,
): Promise<Result<T, VcsFailure>> {
  const made = await repository.queue(() => make(repository, path));
  if (!made.ok) return made;
  try {
    return ok(await use());
  } finally {
    clearAway(repository, path);
  }
}
