import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fail, ok, type Result } from "../../../ports/index.ts";
import { readBounded } from "../../file/index.ts";
import { knownFolders } from "./folders.ts";
import { clearHalfMade, openFolder } from "./open-folder.ts";
import { type Repository, removeLeftLock } from "./repository.ts";
import type { Leftover } from "./survey.ts";

/** Mends one thing a killed process left; says what was done, or fails with why nothing could be. */
export async function mend(
  repository: Repository,
  { what, path }: Leftover,
): Promise<Result<string, string>> {
  if (what === "lock") {
    if (await removeLeftLock(repository, path)) return ok("removed: nobody held it");
    return fail("left alone: a git process that may hold it is alive");
  }
  if (path === repository.facts.gitDir)
    return fail('left alone: "espalier phase merge" or "espalier resume" finishes it');
  const folder = knownFolders(repository.facts.common).find(({ admin }) => admin === path);
  if (folder !== undefined) {
    const { branch = "", path: place } = folder;
    // A record may have come with the repository: no folder is made where one of them says.
    if (!existsSync(place)) return fail("left alone: its folder is gone; git worktree prune forgets it");
    const opened = await openFolder(repository, { branch, path: place, from: branch });
    return opened.ok
      ? ok("put back to where its branch is; anything else was saved first")
      : fail(opened.failure.message);
  }
  const note = readBounded(path, { maxBytes: 65_536 });
  if (!note.ok) return fail(note.failure.message);
  const place = Buffer.from(note.value).toString();
  clearHalfMade(repository, place);
  return existsSync(place) ? fail(`left alone: ${basename(place)}`) : ok("removed: nobody had worked there");
}
