import { basename } from "node:path";
import { ok, type Result, type VcsFailure, type WorkFolder } from "../../../../ports/index.ts";
import type { Repository } from "../repository/repository.ts";
import { ignoredSince, isRemade, newIgnored, noteTold, toldIgnored } from "./ignored.ts";
import { enter, isLeftOut } from "./snapshot.ts";

/** Folders of what builds, tools and editors write and install, wherever they lie. */
const WRITTEN: ReadonlySet<string> = new Set([
  "dist",
  "build",
  "_build",
  "obj",
  "log",
  "logs",
  "tmp",
  "temp",
  "htmlcov",
  "DerivedData",
  "venv",
  "vendor",
  "bower_components",
  "Pods",
]);
/** Folders with a dot are caches, nearly all; in these people keep texts. */
const TEXTS: ReadonlySet<string> = new Set([".github", ".gitlab", ".circleci", ".vscode", ".storybook"]);
const ENDINGS = [".log", ".pyc", ".pyo", ".tsbuildinfo", ".o", ".class", ".swp", ".tmp", "~"];
const NAMES: ReadonlySet<string> = new Set([".DS_Store", ".eslintcache", ".coverage", "Thumbs.db"]);
/** Places that git ignores as a whole, of which more are not gone through. */
const MOST_PLACES = 500;
/** Files in one of them that are named one by one. */
const MOST_IN_PLACE = 20;

/** Whether a path of what git ignores is most likely what a tool has written. */
function isProduct(path: string): boolean {
  const name = basename(path);
  if (isRemade(path) || NAMES.has(name) || ENDINGS.some(ending => name.endsWith(ending))) return true;
  const folders = path.split("/").slice(0, -1);
  return folders.some(folder => WRITTEN.has(folder) || (folder.startsWith(".") && !TEXTS.has(folder)));
}

/** The folder among some, or the file itself, that was named in the place of a file; undefined where none was. */
function namedFor(path: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(path)) return path;
  for (let at = path.indexOf("/"); at >= 0; at = path.indexOf("/", at + 1)) {
    const folder = path.slice(0, at + 1);
    if (names.has(folder)) return folder;
  }
  return undefined;
}

/** What names some files: a folder that git ignores as a whole stands for the many that are in it, behind the single ones. */
function inShort(files: readonly string[], places: readonly string[]): string[] {
  const folders = new Set(places.filter(place => place.endsWith("/")));
  const within = Map.groupBy(files, path => namedFor(path, folders));
  const many = [...folders].filter(place => (within.get(place)?.length ?? 0) > MOST_IN_PLACE);
  const named = new Set(many);
  return [...files.filter(path => namedFor(path, named) === undefined), ...many];
}

/**
 * Files that git ignores and that came or changed since a worktree was made, or in the main checkout since a moment: no commit will hold
 * them, whatever they prove here. What tools write is left out, what is no attempt's to change, and what was told.
 */
export async function ignoredWork(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  since?: number,
): Promise<Result<readonly string[], VcsFailure>> {
  const isMain = folder.path === repository.facts.top;
  if (isMain && since === undefined) return ok([]);
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  const isWork = (path: string) => !isProduct(path) && !isLeftOut(repository, path);
  // Whole folders first: what packages were installed to is not gone through.
  const args = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  const found = await repository.git.fields(args, entered.value.options);
  if (!found.ok) return found;
  const places = found.value.filter(isWork).slice(0, MOST_PLACES);
  if (places.length === 0) return ok([]);
  const files =
    isMain && since !== undefined
      ? await ignoredSince(repository, folder, places, since)
      : await newIgnored(repository, folder, places);
  if (!files.ok) return files;
  const told = toldIgnored(entered.value.gitDir);
  return ok(
    inShort(
      files.value.filter(path => isWork(path) && namedFor(path, told) === undefined),
      places,
    ),
  );
}

/** Keeps with a worktree which of them were told: whoever works there next, in whatever process, has not made them. */
export function noteIgnoredWork(
  repository: Repository,
  folder: Pick<WorkFolder, "path">,
  paths: readonly string[],
): Result<void, VcsFailure> {
  const entered = enter(repository, folder);
  if (!entered.ok) return entered;
  noteTold(entered.value.gitDir, paths);
  return ok(undefined);
}
