import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ok, type Result, type VcsFailure, type WorkFolder } from "../../../../ports/index.ts";
import { readBounded } from "../../../file/index.ts";
import { differences, enter, putBackInIndex, treeOf } from "../files/snapshot.ts";
import type { Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { isBrought } from "./start-over.ts";

type Folder = Pick<WorkFolder, "path">;

const LINK = "120000";
/** Bytes of a copy beyond which it counts as another file than the main checkout's. */
const MOST_COMPARED = 16 * 1024 ** 2;

/** Whether two paths name one place, whatever links lead to the folders they lie in. */
function isOnePlace(one: string, other: string): boolean {
  return basename(one) === basename(other) && realpathSync(dirname(one)) === realpathSync(dirname(other));
}

/** Whether a file was brought to a worktree and is what the main checkout has in its place: nothing is lost with it. */
function isElsewhere(repository: Repository, { path }: Folder, one: Difference): boolean {
  if (!isBrought(repository, one)) return false;
  const [here, there] = [join(path, one.path), join(repository.facts.top, one.path)];
  try {
    if (one.newMode === LINK) return isOnePlace(readlinkSync(here), there);
  } catch {
    return false;
  }
  const [ours, theirs] = [here, there].map(file => readBounded(file, { maxBytes: MOST_COMPARED }));
  return ours?.ok === true && theirs?.ok === true && Buffer.from(ours.value).equals(theirs.value);
}

/** What stands in a folder and neither in a commit or tree, nor, as it was brought from there, in the main checkout; with the tree of that. */
export async function standingAlone(
  repository: Repository,
  folder: Folder,
  base: string,
): Promise<Result<{ readonly tree: string; readonly found: readonly Difference[] }, VcsFailure>> {
  const tree = await treeOf(repository, folder);
  if (!tree.ok) return tree;
  const all = await differences(repository, base, tree.value);
  if (!all.ok) return all;
  const elsewhere = all.value.filter(one => isElsewhere(repository, folder, one));
  if (elsewhere.length === 0) return ok({ tree: tree.value, found: all.value });
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const { gitDir, options } = entered.value;
  const put = await putBackInIndex(repository, gitDir, options, elsewhere);
  return put.ok ? ok({ tree: put.value, found: all.value.filter(one => !elsewhere.includes(one)) }) : put;
}
