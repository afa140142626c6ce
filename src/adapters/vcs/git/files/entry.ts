import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { directFileCalls, writeAtomic } from "../../../file/index.ts";
import { failedBySystem } from "../call/failure.ts";
import { namesRecord, watchedAt } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { moveOut } from "./move-out.ts";

const ENTRY = ".git";

/** A place for a repository of a folder that is free. */
function freeRescue(rescueDir: string, folder: string): string {
  const first = join(rescueDir, `${basename(folder)}-repository`);
  let place = first;
  for (let count = 2; lstatSync(place, { throwIfNoEntry: false }) !== undefined; count++)
    place = `${first}-${count}`;
  return place;
}

/**
 * Has the `.git` file of a worktree whose record is watched name that again, where an agent removed it, or put a repository of its own
 * or anything else in its place: nobody else could work in the folder, or remove it. Returns where is kept what stood there.
 */
export function putEntryBack(repository: Repository, path: string): Result<string | undefined, VcsFailure> {
  const record = watchedAt(repository, path);
  if (record === undefined || lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    return ok(undefined);
  if (namesRecord(record)) return ok(undefined);
  const entry = join(path, ENTRY);
  const stands = lstatSync(entry, { throwIfNoEntry: false });
  const place = stands === undefined ? undefined : freeRescue(repository.rescueDir, path);
  const problem = place === undefined ? undefined : moveOut(path, place, [ENTRY]);
  if (problem !== undefined) return failedBySystem(problem);
  const written = writeAtomic(entry, `gitdir: ${record.admin}\n`, { calls: directFileCalls });
  return written.ok ? ok(place) : failedBySystem(written.failure.message);
}
