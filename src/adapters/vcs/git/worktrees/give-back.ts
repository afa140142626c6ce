import {
  type LandRequest,
  ok,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { beginMove, endMove, putTo } from "../files/move.ts";
import { enter, treeAsLeft } from "../files/snapshot.ts";
import { commitTree } from "../history/commit.ts";
import { keepAside } from "../history/keep.ts";
import { baseRef, changeRefs, headRef, type RefChange, readRef } from "../history/refs.ts";
import { join } from "../join/join.ts";
import type { Repository } from "../repository/repository.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What a folder holds that was given back: a commit of its files, whose parents are what it stands on, and the work itself. */
export function givenRef(branch: string): string {
  return `refs/espalier/given/${branch}`;
}

/** Has a task's folder stand on another commit, with the files of `to`: what it adds is measured against that from now on. */
export async function rebaseFolder(
  repository: Repository,
  folder: Pick<WorkFolder, "path" | "branch" | "base">,
  to: string,
  onto: string,
  head: string,
  more: readonly RefChange[],
  kept?: string,
): Answer<void> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir } = entered.value;
  // With the old files on the new commit the folder would take back what landed: a crash in between is mended by this note.
  const begun = await beginMove(repository, gitDir, to, kept);
  if (!begun.ok) return begun;
  const moved = await repository.refs.ofBranches([folder.branch], () =>
    changeRefs(
      repository,
      [
        { ref: headRef(folder.branch), from: head, to: onto },
        { ref: baseRef(folder.branch), from: folder.base, to: onto },
        ...more,
      ],
      `put ${folder.branch} on ${onto.slice(0, 10)}`,
    ),
  );
  if (!moved.ok) return moved;
  const put = await putTo(repository, folder, to);
  if (put.ok) endMove(gitDir);
  return put;
}

/** Puts work that did not land back into its folder, joined with what stands in its way; the work itself stays reachable. */
async function putJoined(
  repository: Repository,
  folder: Pick<WorkFolder, "path" | "branch" | "base">,
  joined: string,
  onto: string,
  work: string,
  head: string,
): Answer<void> {
  const ref = givenRef(folder.branch);
  const before = await readRef(repository, ref);
  if (!before.ok) return before;
  const given = await commitTree(repository, joined, [onto, work], "Work that did not land\n");
  if (!given.ok) return given;
  const note = { ref, from: before.value, to: given.value };
  return rebaseFolder(repository, folder, given.value, onto, head, [note]);
}

/** Where the folder of work that could not land stands from now on; for work to be done afresh, where that is kept. */
export async function giveBack(
  repository: Repository,
  { folder, afresh, tree }: LandRequest,
  joined: string,
  onto: string,
  work: string,
): Answer<{ readonly rescued?: string }> {
  if (afresh !== true) {
    const put = await putJoined(repository, folder, joined, onto, work, work);
    return put.ok ? ok({}) : put;
  }
  const name = folder.branch.replaceAll("/", "-");
  const kept = await repository.refs.ofBranches([folder.branch], () =>
    keepAside(repository, name, tree, folder.base, "work that did not join what landed meanwhile"),
  );
  if (!kept.ok) return kept;
  const put = await rebaseFolder(repository, folder, onto, onto, work, []);
  return put.ok ? ok({ rescued: kept.value }) : put;
}

/**
 * Joins work that was given back with what has landed since, where nobody has touched it in its folder, or a crash kept it from
 * coming there. Returns what the folder stands on.
 */
export async function renewGiven(
  repository: Repository,
  folder: Pick<WorkFolder, "path" | "branch" | "base">,
  from: string,
): Answer<string> {
  const { base, branch } = folder;
  const given = await readRef(repository, givenRef(branch));
  const head = await readRef(repository, headRef(branch));
  const tip = await readRef(repository, headRef(from));
  if (!given.ok) return given;
  if (!head.ok) return head;
  if (!tip.ok) return tip;
  const note = given.value;
  // An agent that has committed there has touched it; what landed since has nothing more to be given.
  if (note === undefined || tip.value === undefined || head.value !== base) return ok(base);
  const args = ["rev-parse", `${note}^1`, `${note}^2`, `${note}^{tree}`, `${note}^1^{tree}`];
  const named = await repository.git.text(args);
  if (!named.ok) return named;
  const [stoodOn, work = "", joined, without] = named.value.split("\n");
  if (stoodOn !== base) return ok(base);
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const isLacking = tree.value === without && tree.value !== joined;
  const isOld = tree.value === joined && tip.value !== base;
  if (!isLacking && !isOld) return ok(base);
  const again = await join(repository, tip.value, work);
  if (!again.ok) return again;
  const put = await putJoined(repository, folder, again.value.tree, tip.value, work, base);
  return put.ok ? ok(tip.value) : put;
}
