import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import { gitDirOf, inFolder } from "../places/folders.ts";
import type { Repository } from "../repository/repository.ts";
import { isLeftOut } from "./snapshot.ts";

/** Whether a file has come or changed since: its time of change is one that no program can set back. */
export function isSince(top: string, path: string, since: number): boolean {
  const facts = lstatSync(join(top, path), { throwIfNoEntry: false });
  return facts !== undefined && facts.ctimeMs >= since;
}

/** Files of the main checkout that differ from its commit, by git's own answer, and came or changed since. */
export async function changedSince(
  repository: Repository,
  since: number,
): Promise<Result<readonly string[], VcsFailure>> {
  const { top } = repository.facts;
  const gitDir = gitDirOf(repository, top);
  if (gitDir === undefined) return ok([]);
  // A folder's own time says nothing of the files in it.
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"];
  const found = await repository.git.fields([...args, "--ignore-submodules=all"], inFolder(gitDir, top));
  if (!found.ok) return found;
  const paths = found.value.map(line => line.slice(3)).filter(path => !isLeftOut(repository, path));
  return ok(paths.filter(path => isSince(top, path, since)));
}
