import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { failedBySystem } from "../call/failure.ts";
import { gitDirOf } from "../places/folders.ts";
import { type Difference, isMadeRepository } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { moduleOf } from "./added-submodules.ts";
import { moveOut } from "./move-out.ts";

/**
 * Moves repositories out of a folder that were made in it, whole: a tree says of one only what it stood on, and git leaves one standing.
 * Returns where they are, if there were any.
 */
export function moveMade(
  repository: Pick<Repository, "rescueDir" | "facts" | "isOurs">,
  folder: string,
  tree: string,
  found: readonly Difference[],
): Result<string | undefined, VcsFailure> {
  const made = found
    .filter(isMadeRepository)
    .map(({ path }) => path)
    .filter(path => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isDirectory() === true);
  if (made.length === 0) return ok(undefined);
  let place = join(repository.rescueDir, `${basename(folder)}-${tree.slice(0, 8)}`);
  // The same may have been left before.
  const isTaken = (one: string) =>
    made.some(path => lstatSync(join(one, path), { throwIfNoEntry: false }) !== undefined);
  for (let count = 2, first = place; isTaken(place); count++) place = `${first}-${count}`;
  // Git refuses to add a submodule while what it kept of one of that name is there.
  const gitDir = gitDirOf(repository, folder);
  const modules = gitDir === undefined ? [] : made.flatMap(path => moduleOf(gitDir, folder, path) ?? []);
  const problem =
    moveOut(folder, place, made) ?? (gitDir === undefined ? undefined : moveOut(gitDir, place, modules));
  return problem === undefined ? ok(place) : failedBySystem(problem);
}
