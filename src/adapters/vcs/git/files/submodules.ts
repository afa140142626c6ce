import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ok, type Result, type VcsFailure } from "../../../../ports/index.ts";
import type { CallOptions } from "../call/call.ts";
import { GITLINK } from "../repository/difference.ts";
import type { Repository } from "../repository/repository.ts";
import { readEntries } from "./index-entries.ts";

/** Where git keeps the submodules of a worktree, in its git directory: they go with it. */
export const MODULES = "modules";

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
  const listed = await readEntries(repository, options);
  if (!listed.ok) return listed;
  const links = [...listed.value].filter(([, entry]) => entry.startsWith(`${GITLINK} `));
  return ok(links.flatMap(([path]) => (existsSync(join(folder, path, ".git")) ? [path] : [])));
}

/** What a folder holds; undefined where nobody may look, and nothing where it has just gone. */
function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? [] : undefined;
  }
}

/**
 * The files that stand in a submodule but for these folders, without asking git: its own configuration may start programs. A folder
 * that cannot be read stands for all that is in it.
 */
export function filesIn(folder: string, submodule: string, passesOver: (path: string) => boolean): string[] {
  const found: string[] = [];
  const open = [submodule];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entries = entriesOf(join(folder, path));
    if (entries === undefined) found.push(path);
    for (const entry of entries ?? []) {
      const inner = `${path}/${entry.name}`;
      if (entry.name !== ".git" && !passesOver(inner)) (entry.isDirectory() ? open : found).push(inner);
    }
  }
  return found;
}
