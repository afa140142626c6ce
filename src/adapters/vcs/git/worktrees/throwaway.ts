import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { putTo } from "../files/move.ts";
import { foreign } from "../history/ensure-branch.ts";
import { freePlace } from "../places/free-place.ts";
import type { Repository } from "../repository/repository.ts";
import { addWorktree, clearAway, clearHalfMade, noteIntent, showWork } from "./open-folder.ts";

/** What stands in a worktree: a commit, or something that was made on top of it. */
export interface Standing {
  readonly commit: string;
  readonly tree?: string;
}

/** Makes a worktree of a commit, without a branch. */
async function make(repository: Repository, path: string, commit: string): Promise<Result<void, VcsFailure>> {
  const sound = await repository.guard();
  if (!sound.ok) return sound;
  await clearHalfMade(repository, path);
  const place = freePlace(path);
  if (!place.ok) return foreign(place.failure);
  const noted = noteIntent(repository, path);
  if (!noted.ok) return noted;
  const added = await addWorktree(repository, path, ["--detach", commit]);
  if (!added.ok) return added;
  const shown = await showWork(repository, { path }, commit);
  return shown.ok ? ok(undefined) : shown;
}

/** Does something in a worktree of a commit, the last one unless said; the worktree and everything in it is gone afterwards. */
export async function inThrowaway<T>(
  repository: Repository,
  path: string,
  use: () => Promise<T>,
  { commit, tree }: Standing = { commit: "HEAD" },
): Promise<Result<T, VcsFailure>> {
  const made = await make(repository, path, commit);
  if (!made.ok) return made;
  try {
    const put =
      tree === undefined ? made : await repository.refs.alone(() => putTo(repository, { path }, tree));
    return put.ok ? ok(await use()) : put;
  } finally {
    await clearAway(repository, path);
  }
}
