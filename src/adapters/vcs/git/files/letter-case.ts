import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { inFolder } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { putEntries, readEntries } from "./index-entries.ts";

type Answer<T> = Promise<Result<T, VcsFailure>>;

/** What is the same for paths that differ in the case of their letters alone. */
export function caseless(path: string): string {
  return path.toLowerCase();
}

/**
 * Renames in our index what a folder's own one has under a name of another case, as after `git mv`: where names that differ in
 * their case are one to the file system, git takes the new one for the old, and nothing for renamed.
 */
export async function takeCase(
  repository: Repository,
  gitDir: string,
  folder: string,
  options: CallOptions,
): Answer<unknown> {
  if (!repository.facts.caseless) return ok(undefined);
  const theirs = await readEntries(repository, { ...inFolder(gitDir, folder), index: join(gitDir, "index") });
  if (!theirs.ok) return theirs;
  const ours = await readEntries(repository, options);
  if (!ours.ok) return ours;
  const renamed = new Map(
    [...theirs.value.keys()].flatMap(path => (ours.value.has(path) ? [] : [[caseless(path), path]])),
  );
  if (renamed.size === 0) return ok(undefined);
  const lines = [...ours.value].flatMap(([path, entry]) => {
    const now = theirs.value.has(path) ? undefined : renamed.get(caseless(path));
    return now === undefined
      ? []
      : [`0 ${"0".repeat(repository.facts.head.length)}\t${path}`, `${entry}\t${now}`];
  });
  return putEntries(repository, options, lines);
}
