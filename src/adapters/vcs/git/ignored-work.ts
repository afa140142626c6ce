import { basename } from "node:path";
import { ok, type Result, type VcsFailure, type WorkFolder } from "../../../ports/index.ts";
import { isRemade, newIgnored } from "./ignored.ts";
import type { Repository } from "./repository.ts";
import { enter, isLeftOut } from "./snapshot.ts";

/** Folders of what builds, tools and editors write, wherever they lie. */
const WRITTEN: ReadonlySet<string> = new Set(["dist", "build", "obj", "log", "logs", "tmp", "temp"]);
/** Folders with a dot are caches, nearly all; in these people keep texts. */
const TEXTS: ReadonlySet<string> = new Set([".github", ".gitlab", ".circleci", ".vscode", ".storybook"]);
const ENDINGS = [".log", ".pyc", ".pyo", ".tsbuildinfo", ".o", ".class", ".swp", ".tmp", "~"];
const NAMES: ReadonlySet<string> = new Set([".DS_Store", ".eslintcache", ".coverage", "Thumbs.db"]);
/** Places that git ignores as a whole, of which more are not gone through. */
const MOST_PLACES = 500;

/** Whether a path of what git ignores is most likely what a tool has written. */
function isProduct(path: string): boolean {
  const name = basename(path);
  if (isRemade(path) || NAMES.has(name) || ENDINGS.some(ending => name.endsWith(ending))) return true;
  const folders = path.split("/").slice(0, -1);
  return folders.some(folder => WRITTEN.has(folder) || (folder.startsWith(".") && !TEXTS.has(folder)));
}

/**
 * Files that git ignores and that came or changed since a worktree was made: no commit will hold them, whatever they prove here. What
 * tools write is left out, and what is no attempt's to change.
 */
export async function ignoredWork(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
): Promise<Result<readonly string[], VcsFailure>> {
  if (folder.path === repository.facts.top) return ok([]);
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const isWork = (path: string) => !isProduct(path) && !isLeftOut(repository, path);
  // Whole folders first: what packages were installed to is not gone through.
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const found = await repository.git.fields(args, entered.value.options);
  if (!found.ok) return found;
  const places = found.value.filter(isWork).slice(0, MOST_PLACES);
  const files = places.length === 0 ? ok([]) : await newIgnored(repository, folder, places);
  return files.ok ? ok(files.value.filter(isWork)) : files;
}
