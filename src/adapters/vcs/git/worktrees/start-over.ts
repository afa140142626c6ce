import {
  type FolderRequest,
  type LeftWork,
  ok,
  type PutOnTip,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { moveMade } from "../files/inner.ts";
import { putFiles, putTo, showOwnIndex } from "../files/move.ts";
import { differences, enter, isLeftOut, putBackInIndex, treeAsLeft } from "../files/snapshot.ts";
import { keepAside } from "../history/keep.ts";
import { keepLeft, keptLeft } from "../history/left.ts";
import { soundBranch } from "../history/own-branch.ts";
import { baseRef, changeRefs, headRef, needRef, readRef } from "../history/refs.ts";
import { ABSENT, type Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { newest } from "./bring-up.ts";
import { givenRef, rebaseFolder } from "./give-back.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;
type Folder = Pick<WorkFolder, "path" | "branch" | "base">;

/** Whether the folder stands on work that was given back to it: the next attempt is to go on with that. */
async function standsOnGiven(repository: Repository, { branch, base }: Folder): Answer<boolean> {
  const given = await readRef(repository, givenRef(branch));
  if (!given.ok) return given;
  if (given.value === undefined) return ok(false);
  const onto = await repository.git.text(["rev-parse", `${given.value}^1`]);
  return onto.ok ? ok(onto.value === base) : onto;
}

/** Whether a file came into a folder so that it is fit to work in, and is no part of the work. */
export function isBrought(repository: Repository, { oldMode, path }: Difference): boolean {
  return oldMode === ABSENT && isLeftOut(repository, path);
}

/** What the folder is put to: its base, with the files that were brought there for it to be fit to work in. */
async function cleanTree(
  repository: Repository,
  folder: Folder,
  found: readonly Difference[],
): Answer<string> {
  const undone = found.filter(one => !isBrought(repository, one));
  if (undone.length === found.length) return ok(folder.base);
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  return putBackInIndex(repository, gitDir, options, undone);
}

/** Puts a folder's files to a tree; what was brought there for it to be fit to work in stays. */
export async function restore(
  repository: Repository,
  folder: Pick<WorkFolder, "path" | "branch">,
  tree: string,
): Answer<void> {
  const present = await treeAsLeft(repository, folder);
  if (!present.ok) return present;
  const found = await differences(repository, tree, present.value);
  if (!found.ok) return found;
  const brought = found.value.filter(one => isBrought(repository, one));
  if (brought.length === 0) return putTo(repository, folder, tree, present.value);
  const isClean = brought.length === found.value.length;
  const to = isClean ? present : await cleanTree(repository, { ...folder, base: tree }, found.value);
  const put = to.ok ? await putFiles(repository, folder, to.value, present.value) : to;
  const entered = enter(repository, folder);
  if (!put.ok) return put;
  if (!entered.ok) return entered;
  // Whoever commits in the folder by hand must not commit them.
  const shown = await putBackInIndex(repository, put.value, entered.value.options, brought);
  if (shown.ok) showOwnIndex(put.value);
  return shown.ok ? ok(undefined) : shown;
}

/** Has a folder that no attempt has left anything in stand on its branch's tip; what is in no commit is saved. */
export function standOnTip(repository: Repository, folder: WorkFolder): Answer<PutOnTip> {
  return repository.landings(async (): Answer<PutOnTip> => {
    const sound = await soundBranch(repository, folder.branch);
    if (!sound.ok) return sound;
    const { tip } = sound.value;
    const present = await treeAsLeft(repository, folder);
    if (!present.ok) return present;
    const found = await differences(repository, tip, present.value);
    if (!found.ok) return found;
    const isLoose = found.value.some(one => !isBrought(repository, one));
    const name = folder.branch.replaceAll("/", "-");
    const kept = isLoose
      ? await keepAside(repository, name, present.value, tip, "found where no attempt had left anything")
      : undefined;
    if (kept?.ok === false) return kept;
    const put = isLoose ? await restore(repository, folder, tip) : ok(undefined);
    if (!put.ok) return put;
    const note = { ref: baseRef(folder.branch), from: folder.base, to: tip };
    const moved =
      tip === folder.base ? ok(undefined) : await changeRefs(repository, [note], `note ${folder.branch}`);
    if (!moved.ok) return moved;
    return ok({ base: tip, ...(kept === undefined ? {} : { branch: kept.value }) });
  });
}

/**
 * Puts a worktree back to where its work begins; what stood there is kept under a name. Where work was given back to the
 * folder, that stays: it is what the next attempt works on.
 */
export async function startOver(
  repository: Repository,
  folder: Folder,
  name: string,
  source: Pick<FolderRequest, "from" | "holds">,
): Answer<{ readonly base: string; readonly left?: LeftWork }> {
  const { base } = folder;
  const isGiven = await standsOnGiven(repository, folder);
  if (!isGiven.ok) return isGiven;
  if (isGiven.value) return ok({ base, left: { kind: "given" } });
  const head = await needRef(repository, headRef(folder.branch));
  if (!head.ok) return head;
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const found = await differences(repository, base, tree.value);
  if (!found.ok) return found;
  const isSpoilt = found.value.some(one => !isBrought(repository, one));
  const onto = await newest(repository, base, source);
  if (!onto.ok) return onto;
  const isClean = !isSpoilt && head.value === base;
  if (isClean && onto.value === base) return ok({ base });
  const kept = isClean
    ? undefined
    : await repository.refs.ofBranches([folder.branch], () =>
        keepLeft(repository, name, tree.value, base, head.value),
      );
  if (kept?.ok === false) return kept;
  const files = moveMade(repository, folder.path, tree.value, found.value);
  if (!files.ok) return files;
  const afresh = { ...folder, base: onto.value };
  const left = onto.value === base ? found : await differences(repository, onto.value, tree.value);
  if (!left.ok) return left;
  const to = await cleanTree(repository, afresh, left.value);
  if (!to.ok) return to;
  const put = await rebaseFolder(
    repository,
    folder,
    to.value,
    onto.value,
    head.value,
    [],
    kept?.value.commit,
  );
  if (!put.ok) return put;
  return ok({
    base: onto.value,
    ...(kept === undefined ? {} : { left: keptLeft(kept.value.ref, files.value) }),
  });
}
