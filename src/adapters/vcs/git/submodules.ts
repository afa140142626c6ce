import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../ports/index.ts";
import type { CallOptions } from "./call.ts";
import { GITLINK } from "./difference.ts";
import type { Repository } from "./repository.ts";

/** Where git keeps the submodules of a worktree, in its git directory: they go with it. */
export const MODULES = "modules";
/** Files of one submodule that are looked at. */
const MOST_FILES = 20_000;

/** Whether submodules have been filled in a linked worktree. */
export function hasSubmodules(gitDir: string): boolean {
  return existsSync(join(gitDir, MODULES));
}

/** The submodules of a worktree that are filled. */
export async function submodulesOf(
  repository: Repository,
  gitDir: string,
  folder: string,
  options: CallOptions,
): Promise<Result<readonly string[], VcsFailure>> {
  if (!hasSubmodules(gitDir)) return ok([]);
  const listed = await repository.git.fields(["ls-files", "-s", "-z"], options);
  if (!listed.ok) return listed;
  const links = listed.value.filter(line => line.startsWith(`${GITLINK} `));
  const paths = links.map(line => line.slice(line.indexOf("\t") + 1));
  return ok(paths.filter(path => existsSync(join(folder, path, ".git"))));
}

/** The files that stand in a submodule, without asking git: its own configuration may start programs. */
export function filesIn(folder: string, submodule: string): string[] {
  const found: string[] = [];
  const open = [submodule];
  for (let path = open.pop(); path !== undefined && found.length < MOST_FILES; path = open.pop())
    for (const entry of readdirSync(join(folder, path), { withFileTypes: true })) {
      if (entry.name === ".git") continue;
      (entry.isDirectory() ? open : found).push(`${path}/${entry.name}`);
    }
  return found;
}
