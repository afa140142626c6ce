import { type LeftWork, ok, type Result, type VcsFailure, type WorkFolder } from "../../../ports/index.ts";
import { ABSENT, type Difference } from "./difference.ts";
import { givenRef, rebaseFolder } from "./give-back.ts";
import { keepLeft } from "./left.ts";
import { headRef, needRef, readRef } from "./refs.ts";
import type { Repository } from "./repository.ts";
import { differences, enter, isLeftOut, putBackInIndex, treeAsLeft } from "./snapshot.ts";

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

/** What the folder is put to: its base, with the files that were brought there for it to be fit to work in. */
async function cleanTree(
  repository: Repository,
  folder: Folder,
  found: readonly Difference[],
): Answer<string> {
  const isBrought = ({ oldMode, path }: Difference) => oldMode === ABSENT && isLeftOut(repository, path);
  const undone = found.filter(one => !isBrought(one));
  if (undone.length === found.length) return ok(folder.base);
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  return putBackInIndex(repository, gitDir, options, undone);
}

/**
 * Puts a worktree back to where its work begins; what stood there is kept under a name. Where work was given back to the
 * folder, that stays: it is what the next attempt works on.
 */
export async function startOver(
  repository: Repository,
  folder: Folder,
  name: string,
): Answer<LeftWork | undefined> {
  const isGiven = await standsOnGiven(repository, folder);
  if (!isGiven.ok) return isGiven;
  if (isGiven.value) return ok({ kind: "given" });
  const head = await needRef(repository, headRef(folder.branch));
  if (!head.ok) return head;
  const tree = await treeAsLeft(repository, folder);
  if (!tree.ok) return tree;
  const found = await differences(repository, folder.base, tree.value);
  if (!found.ok) return found;
  const isSpoilt = found.value.some(
    ({ oldMode, path }) => oldMode !== ABSENT || !isLeftOut(repository, path),
  );
  if (!isSpoilt && head.value === folder.base) return ok(undefined);
  const kept = await repository.queue(() => keepLeft(repository, name, tree.value, head.value));
  if (!kept.ok) return kept;
  const to = await cleanTree(repository, folder, found.value);
  if (!to.ok) return to;
  const { ref, commit } = kept.value;
  const put = await rebaseFolder(repository, folder, to.value, folder.base, head.value, [], commit);
  return put.ok ? ok({ kind: "kept", ref }) : put;
}
