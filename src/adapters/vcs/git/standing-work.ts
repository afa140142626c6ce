import { existsSync } from "node:fs";
import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import { knownFolders } from "./folders.ts";
import { baseRef, headRef, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { treeOf } from "./snapshot.ts";

/** What stands in the folder of a branch, and the commit that it is measured against; undefined where there is no folder. */
export async function standingWork(
  repository: Repository,
  branch: string,
): Promise<Result<{ readonly base: string; readonly tree: string } | undefined, VcsFailure>> {
  const folder = knownFolders(repository.facts.common).find(one => one.branch === branch);
  if (folder === undefined || !existsSync(folder.path)) return ok(undefined);
  for (const ref of [baseRef(branch), headRef(branch)]) {
    const base = await readRef(repository, ref);
    if (!base.ok) return base;
    if (base.value === undefined) continue;
    const tree = await treeOf(repository, { path: folder.path });
    return tree.ok ? ok({ base: base.value, tree: tree.value }) : tree;
  }
  return ok(undefined);
}
