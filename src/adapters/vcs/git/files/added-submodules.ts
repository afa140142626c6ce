import { lstatSync } from "node:fs";
import { join, relative } from "node:path";
import { isBelow } from "../../../file/index.ts";
import type { CallOptions } from "../call/call.ts";
import { namedGitDir, realPath } from "../places/pointers.ts";
import type { Difference } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { openStoredRefs } from "../repository/stored-refs.ts";
import { MODULES } from "./submodules.ts";

/** What a repository in a folder is: a submodule that git made there, one that stands on a commit of nobody else's, or none. */
export type Added = "submodule" | "unpushed" | "none";

/** Where in the git directory of a folder git keeps a submodule of it; undefined for what is none. */
export function moduleOf(gitDir: string, folder: string, path: string): string | undefined {
  const entry = join(folder, path, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const [modules, own] = [realPath(join(gitDir, MODULES)), realPath(namedGitDir(entry) ?? "")];
  if (modules === undefined || own === undefined || !isBelow(modules, own)) return undefined;
  return join(MODULES, relative(modules, own));
}

/** Whether `.gitmodules` says where a path comes from. */
async function isNamed(
  { git }: Repository,
  folder: string,
  path: string,
  options: CallOptions,
): Promise<boolean> {
  const file = join(folder, ".gitmodules");
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const told = await git.fields(["config", "-z", "--file", file, "--get-regexp", "^submodule\\..*\\.path$"], {
    ...options,
    answers: [1],
  });
  // `submodule.<name>.path\n<path>`
  return told.ok && told.value.some(line => line.slice(line.indexOf("\n") + 1) === path);
}

/** What an attempt's new repository at a path is. Of the repository itself only its refs are read. */
export async function addedSubmodule(
  repository: Repository,
  gitDir: string,
  folder: string,
  { path, newId }: Pick<Difference, "path" | "newId">,
  options: CallOptions,
): Promise<Added> {
  const own = moduleOf(gitDir, folder, path);
  if (own === undefined || !(await isNamed(repository, folder, path, options))) return "none";
  const refs = openStoredRefs(join(gitDir, own)).list(["refs/remotes", "refs/tags"]);
  return refs !== undefined && [...refs.values()].includes(newId) ? "submodule" : "unpushed";
}
