import { constants, copyFileSync, existsSync, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  directFileCalls,
  readBounded,
  temporaryName,
  unsyncedOwnedCalls,
  writeAtomic,
} from "../../../file/index.ts";
import type { CallOptions } from "../call/call.ts";
import { firstLine, isNobodys, namedGitDir, realPath } from "./pointers.ts";

/** The main checkout: its top folder, its git directory, and the one all worktrees share. */
export interface Checkout {
  readonly top: string;
  readonly gitDir: string;
  readonly common: string;
}

/** A linked worktree as its repository knows it. */
export interface KnownFolder {
  /** Its name below `worktrees/` in the common directory. */
  readonly name: string;
  /** Its git directory. */
  readonly admin: string;
  readonly path: string;
  /** The branch its HEAD names; undefined when detached. */
  readonly branch: string | undefined;
  /** Why it is locked, if it is. */
  readonly locked: string | undefined;
}

const HEADS = "ref: refs/heads/";

/** The branch that a git directory's HEAD names. */
export function headBranch(gitDir: string): string | undefined {
  const head = firstLine(join(gitDir, "HEAD"));
  return head?.startsWith(HEADS) === true ? head.slice(HEADS.length) : undefined;
}

/** Whether a worktree's git directory says that its repository is this one. */
export function leadsHome(common: string, worktree: string): boolean {
  const admin = join(common, "worktrees", worktree);
  const named = firstLine(join(admin, "commondir"));
  return named !== undefined && realPath(resolve(admin, named)) === common;
}

/**
 * Whether a record is of a worktree of this repository: its own `.git` file names that very record. A record alone may have
 * come with the repository, and name any folder of anybody's. A folder that is gone holds nothing to be harmed.
 */
function isMutual(common: string, folder: FolderRecord): boolean {
  if (!leadsHome(common, folder.name)) return false;
  return lstatSync(folder.path, { throwIfNoEntry: false }) === undefined || namesRecord(folder);
}

/** Whether the `.git` file of a folder names the folder's record. */
export function namesRecord({ admin, path }: Pick<KnownFolder, "admin" | "path">): boolean {
  const entry = join(path, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const named = namedGitDir(entry);
  return named !== undefined && realPath(named) === admin;
}

/** The linked worktrees of a repository: its own record and the folder's `.git` file name each other. */
export function knownFolders(common: string): KnownFolder[] {
  return records(common)
    .filter(record => isMutual(common, record))
    .map(readRecord);
}

/** The linked worktrees beside the checkout. That may be one itself: of a repository that is bare. */
export function foldersBeside({ common, gitDir }: Checkout): KnownFolder[] {
  return knownFolders(common).filter(({ admin }) => admin !== gitDir);
}

/** Where a record says that its folder is; any of them may be forged. */
type FolderRecord = Pick<KnownFolder, "name" | "admin" | "path">;

function records(common: string): FolderRecord[] {
  const root = join(common, "worktrees");
  let names: string[];
  try {
    names = readdirSync(root).sort();
  } catch {
    return [];
  }
  return names.flatMap(name => {
    const admin = join(root, name);
    const gitFile = firstLine(join(admin, "gitdir"));
    return gitFile === undefined ? [] : [{ name, admin, path: dirname(resolve(admin, gitFile)) }];
  });
}

/** What else a record says. */
function readRecord(record: FolderRecord): KnownFolder {
  return { ...record, branch: headBranch(record.admin), locked: firstLine(join(record.admin, "locked")) };
}

/**
 * Left in a folder's git directory once it was made fit to work in; it names the branch the folder was made for, and below that what
 * made it fit.
 */
const READY = "espalier-ready";

/** Whether the folder of a git directory was made fit to work in, by what makes it so now. */
export function isReady(gitDir: string, by = ""): boolean {
  const bytes = readBounded(join(gitDir, READY), { maxBytes: 65_536, calls: directFileCalls });
  if (!bytes.ok) return bytes.failure.kind !== "missing" && by === "";
  // Where nothing has to be done by now, what was done once is no harm.
  const [, made = ""] = Buffer.from(bytes.value).toString("utf8").split("\n");
  return by === "" || by === made;
}

/** Says that the folder of a branch is fit to work in, and by what. */
export function noteReady(gitDir: string, branch: string, by = ""): void {
  writeAtomic(join(gitDir, READY), by === "" ? branch : `${branch}\n${by}`, { calls: unsyncedOwnedCalls });
}

/** Whether a folder still has the branch checked out that it was made for: then that branch is ours. */
export function hasOwnBranch({ admin, branch }: KnownFolder): boolean {
  return branch !== undefined && firstLine(join(admin, READY)) === branch;
}

/**
 * Whether a folder was made here. A checkout of a person's in which attempts have worked was not, and neither was one that a person has
 * made of a branch of ours.
 */
export function isMadeHere({ admin }: KnownFolder, isOfOwnBranch: boolean): boolean {
  return existsSync(join(admin, READY)) || (isOfOwnBranch && existsSync(ownIndex(admin)));
}

/**
 * A record of ours whose folder is gone, or names another record: the repository was moved or copied, with its worktrees or without. It
 * only keeps its branch from being checked out again. `path` is where that is to be: what stands there is somebody's.
 */
export function recordLeftBehind(common: string, branch: string, path: string): KnownFolder | undefined {
  const known = records(common).map(readRecord);
  return known.find(folder => {
    if (folder.branch !== branch || folder.locked !== undefined || !isMadeHere(folder, true)) return false;
    if (!leadsHome(common, folder.name)) return false;
    try {
      const isGone = lstatSync(folder.path, { throwIfNoEntry: false }) === undefined;
      return isGone || isNobodys(folder.path) || (folder.path !== path && !isMutual(common, folder));
    } catch {
      // What cannot be looked at may be whole.
      return false;
    }
  });
}

/** The names of worktrees that are ours, by the marks we leave in them. */
export function ownWorktrees(common: string): string[] {
  return knownFolders(common)
    .filter(({ admin }) => existsSync(ownIndex(admin)))
    .map(({ name }) => name);
}

/** The linked worktree at a path. */
export function folderAt(common: string, path: string): KnownFolder | undefined {
  const found = records(common).find(record => record.path === path && isMutual(common, record));
  return found && readRecord(found);
}

/** Git directories of records that name this path, or nothing yet where they are called like it: a making was cut off there. */
export function recordsOf(common: string, path: string): string[] {
  const half = join(common, "worktrees", basename(path));
  const isHalf = (firstLine(join(half, "gitdir")) ?? "") === "";
  const named = records(common).filter(record => record.path === path);
  return [...named.map(({ admin }) => admin), ...(isHalf ? [half] : [])];
}

/** A checkout, and which of its worktrees have records that are watched. */
interface Watched {
  readonly facts: Checkout;
  isOurs(worktree: string): boolean;
}

/**
 * The git directory of the main checkout or of a linked worktree. Where the record is watched, an agent may write into the
 * folder's `.git` file what it likes.
 */
export function gitDirOf({ facts, isOurs }: Watched, path: string): string | undefined {
  const { top, gitDir, common } = facts;
  if (path === top) return gitDir;
  const isKnown = (one: FolderRecord) =>
    (isOurs(one.name) && leadsHome(common, one.name)) || isMutual(common, one);
  return records(common).find(one => one.path === path && isKnown(one))?.admin;
}

/** The record of a worktree at a path that is watched, whatever the folder's `.git` file says. */
export function watchedAt({ facts, isOurs }: Watched, path: string): KnownFolder | undefined {
  const { common } = facts;
  const found = records(common).find(
    ({ path: place, name }) => place === path && isOurs(name) && leadsHome(common, name),
  );
  return found && readRecord(found);
}

/** How git is told where a folder's repository is. The `.git` file in the folder may say anything. */
export function inFolder(
  gitDir: string,
  path: string,
): CallOptions & { readonly env: Record<string, string> } {
  return { cwd: path, env: { GIT_DIR: gitDir, GIT_WORK_TREE: path } };
}

/** Our own index of a folder: agents can set flags in theirs that hide changes. */
export function ownIndex(gitDir: string): string {
  return join(gitDir, "espalier-index");
}

/** Puts one index of a folder in place of another, whole or not at all. */
export function copyIndex(gitDir: string, from: string, to: string): void {
  // A name nobody can put a link in the place of.
  const temporary = temporaryName(gitDir);
  copyFileSync(from, temporary, constants.COPYFILE_EXCL);
  directFileCalls.rename(temporary, to);
}
