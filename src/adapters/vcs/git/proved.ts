import { ok, type ProvedWork, type Result, type VcsFailure, type WorkFolder } from "../../../ports/index.ts";
import { putTo } from "./move.ts";
import type { Repository } from "./repository.ts";
import { differences, snapshot } from "./snapshot.ts";

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
 * Work that was proved and did not come home, where its folder still stands on what it was made on. The folder then holds that
 * work; the main checkout is only asked whether it does.
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
    return ok(now.ok && now.value.tree === tree ? { snapshot: now.value, verified } : undefined);
  }
  const put = await putTo(repository, folder, tree);
  if (!put.ok) return put;
  const found = await differences(repository, folder.base, tree);
  if (!found.ok) return found;
  const changed = found.value.map(({ path }) => path);
  return ok({ snapshot: { tree, changed, unresolved: [], leftOut: false }, verified });
}
