import {
  type FolderRequest,
  ok,
  type ProvedWork,
  type Result,
  type VcsFailure,
  type WorkFolder,
} from "../../../../ports/index.ts";
import { putFiles, putTo } from "../files/move.ts";
import { differences, enter, putBackInIndex, snapshot, treeOf } from "../files/snapshot.ts";
import { headRef, readRef } from "../history/refs.ts";
import { meet } from "../join/join-inserts.ts";
import type { Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { newest } from "../worktrees/bring-up.ts";
import { rebaseFolder } from "../worktrees/give-back.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What the commit of proved work says of it; undefined where it cannot be read any more. */
async function readProved(
  { git }: Repository,
  commit: string,
): Promise<{ readonly onto: string; readonly tree: string; readonly verified: boolean } | undefined> {
  const verified = "%(trailers:key=Espalier-Verified,valueonly,separator=%x20)";
  const told = await git.text(["log", "-1", `--format=%P%n%T%n${verified}`, commit, "--"]);
  if (!told.ok) return undefined;
  const [onto = "", tree = "", says = ""] = told.value.split("\n");
  // Its files may have gone where the commit has not.
  const whole = await git.run(["rev-list", "--objects", "--quiet", commit, `^${onto}`]);
  return whole.ok ? { onto, tree, verified: says === "true" } : undefined;
}

/**
 * Puts work into the main checkout, where everything else stays as a person has it; false where that has changed the same files.
 * The old sides of `work` are what was proved.
 */
async function putBeside(
  repository: Repository,
  folder: WorkFolder,
  work: readonly Difference[],
): Answer<boolean> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const now = await treeOf(repository, folder);
  if (!now.ok) return now;
  const open = await differences(repository, folder.base, now.value);
  if (!open.ok) return open;
  const changed = new Set(open.value.map(({ path }) => path));
  if (work.some(({ path }) => changed.has(path))) return ok(false);
  const { gitDir, options } = entered.value;
  const to = await putBackInIndex(repository, gitDir, options, work);
  const put = to.ok ? await putFiles(repository, folder, to.value, now.value) : to;
  return put.ok ? ok(true) : put;
}

/**
 * Work that is to be proved anew, joined with what its folder has to stand on by now; undefined where it stands on that, where
 * something else has been committed there, or where the two do not join.
 */
async function findJoined(
  repository: Repository,
  folder: WorkFolder,
  commit: string,
  onto: string,
  source: Pick<FolderRequest, "from" | "holds" | "inserts">,
): Answer<Omit<ProvedWork, "verified"> | undefined> {
  const { path, branch } = folder;
  const head = await readRef(repository, headRef(branch));
  if (!head.ok) return head;
  if (head.value === undefined) return ok(undefined);
  if (head.value !== folder.base) {
    // Its own commits are part of the work, as long as nobody has touched that since.
    const now = await snapshot(repository, folder);
    const work = await repository.git.text(["rev-parse", `${commit}^{tree}`]);
    if (!now.ok || !work.ok || now.value.tree !== work.value) return ok(undefined);
  }
  const base = await newest(repository, folder.base, source);
  if (!base.ok) return base;
  if (base.value === onto) return ok(undefined);
  const { inserts } = source;
  const how = { into: folder, ...(inserts === undefined ? {} : { inserts }) };
  const met = await meet(repository, base.value, commit, how);
  if (!met.ok) return met;
  if ("paths" in met.value) return ok(undefined);
  const { to: tree, lists } = met.value;
  const there = { path, branch, base: folder.base };
  const put = await rebaseFolder(repository, there, tree, base.value, head.value, []);
  if (!put.ok) return put;
  const made = await differences(repository, base.value, tree);
  if (!made.ok) return made;
  const changed = made.value.map(({ path }) => path);
  return ok({
    base: base.value,
    snapshot: { tree, changed, unresolved: [], leftOut: false },
    ...(lists.length === 0 ? {} : { lists }),
  });
}

/**
 * Work that was proved and did not come home, where its folder still stands on what it was made on. The folder then holds that
 * work; in the main checkout only where a person has not changed the same files.
 */
export async function findProved(
  repository: Repository,
  folder: WorkFolder,
  commit: string,
  source?: Pick<FolderRequest, "from" | "holds" | "inserts">,
): Answer<ProvedWork | undefined> {
  const proved = await readProved(repository, commit);
  if (proved === undefined) return ok(undefined);
  const { tree, verified, onto } = proved;
  const isMain = folder.path === repository.facts.top;
  const joined =
    isMain || source === undefined
      ? ok(undefined)
      : await findJoined(repository, folder, commit, onto, source);
  if (!joined.ok) return joined;
  if (joined.value !== undefined) return ok({ ...joined.value, verified });
  if (onto !== folder.base) return ok(undefined);
  if (isMain) {
    const now = await snapshot(repository, folder);
    if (now.ok && now.value.tree === tree) return ok({ snapshot: now.value, verified });
  }
  const found = await differences(repository, tree, folder.base);
  if (!found.ok) return found;
  const put = isMain
    ? await repository.refs.alone(() => putBeside(repository, folder, found.value))
    : await putTo(repository, folder, tree);
  if (!put.ok) return put;
  if (put.value === false) return ok(undefined);
  const changed = found.value.map(({ path }) => path);
  return ok({ snapshot: { tree, changed, unresolved: [], leftOut: false }, verified });
}
