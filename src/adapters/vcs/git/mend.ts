import { existsSync } from "node:fs";
import { basename } from "node:path";
import { readBounded } from "../../file/index.ts";
import { knownFolders } from "./folders.ts";
import { removeStaleLock } from "./locks.ts";
import { clearHalfMade, openFolder } from "./open-folder.ts";
import type { Repository } from "./repository.ts";
import type { Leftover } from "./survey.ts";

/** Mends one thing a killed process left; says what was done, or why nothing could be. */
export async function mend(repository: Repository, { what, path }: Leftover): Promise<string> {
  if (what === "lock") {
    if (await removeStaleLock(path)) return "removed: nobody held it";
    return "left alone: a git process that may hold it is alive";
  }
  if (path === repository.facts.gitDir)
    return 'left alone: "espalier phase merge" or "espalier resume" finishes it';
  const folder = knownFolders(repository.facts.common).find(({ admin }) => admin === path);
  if (folder !== undefined) {
    const { branch = "", path: place } = folder;
    const opened = await openFolder(repository, { branch, path: place, from: branch });
    return opened.ok
      ? "put back to where its branch is; anything else was saved first"
      : opened.failure.message;
  }
  const note = readBounded(path, { maxBytes: 65_536 });
  if (!note.ok) return note.failure.kind;
  const place = Buffer.from(note.value).toString();
  clearHalfMade(repository, place);
  return existsSync(place) ? `left alone: ${basename(place)}` : "removed: nobody had worked there";
}
