import { ok, type Rescued, type Result, type VcsFailure, type WorkFolder } from "../../../../ports/index.ts";
import { undoBegun } from "../files/begun.ts";
import { moveMade } from "../files/inner.ts";
import { putTo } from "../files/move.ts";
import { differences, treeOf } from "../files/snapshot.ts";
import { commitTree } from "../history/commit.ts";
import { keepAside } from "../history/keep.ts";
import { baseRef, changeRefs, headRef, readRef } from "../history/refs.ts";
import type { Repository } from "../repository/repository.ts";

/** Moves unlanded work out of a shared folder onto a task's own branch, or a rescue branch where that one is taken. */
export async function setAside(
  repository: Repository,
  folder: WorkFolder,
  branch: string,
): Promise<Result<Rescued, VcsFailure>> {
  if (folder.path === repository.facts.top) return undoBegun(repository, folder.path);
  return repository.refs.alone(async (): Promise<Result<Rescued, VcsFailure>> => {
    const tree = await treeOf(repository, folder);
    if (!tree.ok) return tree;
    const found = await differences(repository, folder.base, tree.value);
    if (!found.ok) return found;
    if (found.value.length === 0) return ok({});
    const there = await readRef(repository, headRef(branch));
    if (!there.ok) return there;
    let kept: Result<string, VcsFailure> = ok(branch);
    if (there.value !== undefined) {
      const name = branch.replaceAll("/", "-");
      kept = await keepAside(repository, name, tree.value, folder.base, `unfinished work of ${branch}`);
    } else {
      const work = await commitTree(repository, tree.value, [folder.base], "Unfinished work, set aside\n");
      if (!work.ok) return work;
      const base = await readRef(repository, baseRef(branch));
      if (!base.ok) return base;
      const made = await changeRefs(
        repository,
        [
          { ref: headRef(branch), to: work.value },
          { ref: baseRef(branch), from: base.value, to: folder.base },
        ],
        `set aside ${branch}`,
      );
      if (!made.ok) return made;
    }
    if (!kept.ok) return kept;
    // What an attempt has committed there is as unproved as the rest: the next to land would take it along.
    const head = headRef(folder.branch);
    const tip = await readRef(repository, head);
    const back =
      tip.ok && tip.value !== undefined && tip.value !== folder.base
        ? await changeRefs(
            repository,
            [{ ref: head, from: tip.value, to: folder.base }],
            `set aside ${branch}`,
          )
        : tip;
    if (!back.ok) return back;
    const files = moveMade(repository, folder.path, tree.value, found.value);
    if (!files.ok) return files;
    const put = await putTo(repository, folder, folder.base);
    if (!put.ok) return put;
    return ok({ branch: kept.value, ...(files.value === undefined ? {} : { files: files.value }) });
  });
}
