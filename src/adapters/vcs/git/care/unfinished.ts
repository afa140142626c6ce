import { join } from "node:path";
import {
  because,
  fail,
  ok,
  type Result,
  type UnderWay,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { removeOwned } from "../../../file/index.ts";
import { gitDirOf } from "../places/folders.ts";
import { namedGitDir } from "../places/pointers.ts";
import { inProgress } from "../repository/facts.ts";
import type { Repository } from "../repository/repository.ts";
import { claimantOf } from "../worktrees/open-folder.ts";

/** How each operation is ended, and how it is undone. */
const WAY_OUT: Readonly<Record<UnderWay, readonly [end: string, undo: string]>> = {
  merge: ["commit", "merge --abort"],
  rebase: ["rebase --continue", "rebase --abort"],
  "cherry-pick": ["cherry-pick --continue", "cherry-pick --abort"],
  revert: ["revert --continue", "revert --abort"],
  bisect: ["bisect reset", "bisect reset"],
};

/** What git keeps of an operation until it has ended. */
const KEPT = [
  "MERGE_HEAD",
  "MERGE_MODE",
  "MERGE_MSG",
  "AUTO_MERGE",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "REBASE_HEAD",
  "sequencer",
  "rebase-merge",
  "rebase-apply",
] as const;

/** Fails where an operation was begun in a folder and is not ended; where no folder is, there is none. */
export function requireEnded(path: string): Result<void, VcsFailure> {
  const gitDir = namedGitDir(join(path, ".git"));
  const begun = gitDir === undefined ? undefined : inProgress(gitDir);
  if (begun === undefined) return ok(undefined);
  const [end, undo] = WAY_OUT[begun];
  return fail({
    kind: "unfinished",
    reason: because("operation-unfinished", { operation: begun, path, end, undo }),
  });
}

/**
 * Forgets what an attempt has begun in its folder and not ended: whoever commits there next would end it. The files stay. With `by`
 * only where that claimed the folder last.
 */
export function forgetUnfinished(
  repository: Repository,
  { path }: Pick<WorkFolder, "path">,
  by?: string,
): void {
  const gitDir = gitDirOf(repository, path);
  if (gitDir === undefined || inProgress(gitDir) === undefined) return;
  if (by !== undefined && claimantOf(gitDir) !== by) return;
  for (const name of KEPT) removeOwned(join(gitDir, name));
}
