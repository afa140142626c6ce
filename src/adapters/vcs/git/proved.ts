import { ok, type ProvedWork, type Result, type VcsFailure, type WorkFolder } from "../../../ports/index.ts";
import type { Difference } from "./difference.ts";
import { putFiles, putTo } from "./move.ts";
import type { Repository } from "./repository.ts";
import { differences, enter, putBackInIndex, snapshot, treeOf } from "./snapshot.ts";

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
 * Work that was proved and did not come home, where its folder still stands on what it was made on. The folder then holds that
 * work; in the main checkout only where a person has not changed the same files.
 */
export async function findProved(
  repository: Repository,
  folder: WorkFolder,
  commit: string,
): Answer<ProvedWork | undefined> {
  const proved = await readProved(repository, commit);
  if (proved === undefined || proved.onto !== folder.base) return ok(undefined);
  const { tree, verified } = proved;
  if (folder.path === repository.facts.top) {
    const now = await snapshot(repository, folder);
    if (now.ok && now.value.tree === tree) return ok({ snapshot: now.value, verified });
  }
  const found = await differences(repository, tree, folder.base);
  if (!found.ok) return found;
  const isMain = folder.path === repository.facts.top;
  const put = isMain
    ? await repository.queue(() => putBeside(repository, folder, found.value))
    : await putTo(repository, folder, tree);
  if (!put.ok) return put;
  if (put.value === false) return ok(undefined);
  const changed = found.value.map(({ path }) => path);
  return ok({ snapshot: { tree, changed, unresolved: [], leftOut: false }, verified });
}
