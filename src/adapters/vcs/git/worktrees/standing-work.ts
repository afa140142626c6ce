import { existsSync } from "node:fs";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { treeOf } from "../files/snapshot.ts";
import { baseRef, headRef, isOfTask, readRef } from "../history/refs.ts";
import { knownFolders } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { claimantOf } from "./open-folder.ts";

/**
 * What a task has left in the folder of a branch, and the commit that it is measured against; undefined where that is nothing. In the
 * folder of a phase one task works after the other.
 */
export async function standingWork(
  repository: Repository,
  branch: string,
  task: string,
): Promise<Result<{ readonly base: string; readonly tree: string } | undefined, VcsFailure>> {
  const folder = knownFolders(repository.facts.common).find(one => one.branch === branch);
  if (folder === undefined || !existsSync(folder.path)) return ok(undefined);
  if (!isOfTask(branch) && claimantOf(folder.admin) !== task) return ok(undefined);
  for (const ref of [baseRef(branch), headRef(branch)]) {
    const base = await readRef(repository, ref);
    if (!base.ok) return base;
    if (base.value === undefined) continue;
    const tree = await treeOf(repository, { path: folder.path });
    if (!tree.ok) return tree;
    const before = await repository.git.text(["rev-parse", `${base.value}^{tree}`]);
    if (!before.ok) return before;
    return ok(before.value === tree.value ? undefined : { base: base.value, tree: tree.value });
  }
  return ok(undefined);
}
