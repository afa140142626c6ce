import {
  type LandRequest,
  ok,
  type Reason,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { beginMove, endMove, putTo, settleMove } from "../files/move.ts";
import { differences, enter, treeAsLeft } from "../files/snapshot.ts";
import { keepAside } from "../history/keep.ts";
import { ABSENT } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { isBrought } from "../worktrees/start-over.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** Saves what stands in a folder besides its commit: whoever left it there, it is nowhere else. Returns its tree. */
async function keepLoose(
  repository: Repository,
  folder: WorkFolder,
  commit: string,
  kept: LandRequest["kept"],
): Answer<string> {
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const found = await differences(repository, commit, tree.value);
  if (!found.ok) return found;
  if (found.value.every(one => one.newMode === ABSENT || isBrought(repository, one))) return tree;
  const name = folder.branch.replaceAll("/", "-");
  const aside = await keepAside(repository, name, tree.value, commit, "found where other work was to land");
  if (!aside.ok) return aside;
  kept?.(aside.value);
  return tree;
}

/** Has the branch's folder stand on joined work, for a look at it: nothing that stood there besides its commit is lost. */
async function putJoinedWork(
  repository: Repository,
  into: WorkFolder,
  from: string,
  to: string,
  told: LandRequest["kept"],
): Answer<string> {
  const entered = enter(repository, into);
  if (!entered.ok) return entered;
  const { gitDir } = entered.value;
  const settled = await settleMove(repository, into, gitDir, from);
  if (!settled.ok) return settled;
  if (settled.value !== undefined) told?.(settled.value);
  const kept = await keepLoose(repository, into, from, told);
  if (!kept.ok) return kept;
  const begun = await beginMove(repository, gitDir, to);
  if (!begun.ok) return begun;
  const moved = await putTo(repository, into, to, kept.value);
  return moved.ok ? ok(gitDir) : moved;
}

/** Does something with joined work in the branch's folder, which stands on its own commit again afterwards. */
export async function withJoinedWork<T>(
  repository: Repository,
  into: WorkFolder,
  from: string,
  to: string,
  use: () => Answer<T>,
  kept?: LandRequest["kept"],
): Answer<T> {
  const put = await putJoinedWork(repository, into, from, to, kept);
  if (!put.ok) return put;
  const used = await use();
  const back = await putTo(repository, into, from);
  if (!back.ok) return back;
  endMove(put.value);
  return used;
}

/** Tries joined work in the branch's folder; it stands on the joined state afterwards unless that was refused. */
export async function tryJoined(
  repository: Repository,
  into: WorkFolder,
  from: string,
  to: string,
  verify: ((path: string) => Promise<Reason | undefined>) | undefined,
  kept?: LandRequest["kept"],
): Answer<Reason | undefined> {
  const put = await putJoinedWork(repository, into, from, to, kept);
  if (!put.ok) return put;
  if (verify === undefined) return ok(undefined);
  const refused = await verify(into.path);
  // Checks leave files behind; what stood here before them was the joined state and nothing else.
  const back = await putTo(repository, into, refused === undefined ? to : from);
  if (!back.ok) return back;
  if (refused !== undefined) endMove(put.value);
  return ok(refused);
}
