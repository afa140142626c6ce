import { existsSync } from "node:fs";
import { basename } from "node:path";
import { because, fail, ok, type Reason, type Result } from "../../../../ports/index.ts";
import { said } from "../../../../text/index.ts";
import { readBounded } from "../../../file/index.ts";
import { knownFolders } from "../places/folders.ts";
import { type Repository, removeLeftLock } from "../repository/repository.ts";
import { clearHalfMade, openFolder } from "../worktrees/open-folder.ts";
import type { Leftover } from "./survey.ts";

/** Mends one thing a killed process left; says what was done, or fails with why nothing could be. */
export async function mend(
  repository: Repository,
  { what, path }: Leftover,
): Promise<Result<Reason, Reason>> {
  if (what === "lock") {
    if (await removeLeftLock(repository, path)) return ok(because("leftover-mended", { how: "unheld" }));
    return fail(because("leftover-kept", { why: "held" }));
  }
  if (path === repository.facts.gitDir) return fail(because("leftover-kept", { why: "merge" }));
  const folder = knownFolders(repository.facts.common).find(({ admin }) => admin === path);
  if (folder !== undefined) {
    const { branch = "", path: place } = folder;
    // A record may have come with the repository: no folder is made where one of them says.
    if (!existsSync(place)) return fail(because("leftover-kept", { why: "gone" }));
    const opened = await openFolder(repository, { branch, path: place, from: branch });
    if (!opened.ok) return fail(opened.failure.reason);
    const { loose } = opened.value;
    return ok(
      because("leftover-mended", { how: "put-back", ...(loose === undefined ? {} : { branch: loose }) }),
    );
  }
  const note = readBounded(path, { maxBytes: 65_536 });
  if (!note.ok) return fail(said("system", note.failure.message, 300));
  const place = Buffer.from(note.value).toString();
  await clearHalfMade(repository, place);
  return existsSync(place)
    ? fail(because("leftover-kept", { why: { folder: basename(place) } }))
    : ok(because("leftover-mended", { how: "unworked" }));
}
