import { type Dirent, lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readBounded } from "../../file/index.ts";
import type { Git } from "./call.ts";

/** What git and we write in a repository's folder; hooks are only read, and often links. */
const WRITTEN: ReadonlySet<string> = new Set([
  "HEAD",
  "ORIG_HEAD",
  "espalier",
  "index",
  "logs",
  "objects",
  "packed-refs",
  "refs",
  "reftable",
  "worktrees",
]);
/** What git reads there besides, and of a checkout: at a pipe it would wait. */
const READ: ReadonlySet<string> = new Set([
  "commondir",
  "config",
  "config.worktree",
  "gitdir",
  "info",
  "shallow",
]);
const READ_OF_CHECKOUT = [".gitattributes", ".gitignore", ".gitmodules"];
/** Folders of reflogs: git appends to what stands there, and replaces all else. */
const LOGS = `${sep}logs${sep}`;

function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function firstLine(path: string): string | undefined {
  const bytes = readBounded(path, { maxBytes: 65_536 });
  return bytes.ok ? (Buffer.from(bytes.value).toString("utf8").split("\n")[0] ?? "").trim() : undefined;
}

/**
 * Whether a git directory says itself that the `.git` file `entry` leads to it, and lies where its repository keeps such: a
 * worktree's below `worktrees/` of the repository that it names, for it may name any.
 */
async function isKnownBy(git: Git, gitDir: string, common: string, entry: string): Promise<boolean> {
  const back = firstLine(join(gitDir, "gitdir"));
  if (back !== undefined)
    return real(resolve(gitDir, back)) === entry && dirname(gitDir) === join(common, "worktrees");
  if (gitDir !== common) return false;
  const named = await git.text(["config", "--get", "core.worktree"], { answers: [1] });
  return named.ok && named.value !== "" && real(resolve(gitDir, named.value)) === dirname(entry);
}

/**
 * What is wrong below a repository's folder, however deep: a link that leads out of it, a second name of what is appended to,
 * a pipe. No path can be longer than the system allows, so it ends.
 */
function trapIn(common: string, folder: string): string | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Where names cannot be listed, git may still follow one that it knows.
    return (error as NodeJS.ErrnoException).code === "EACCES" ? `${folder} cannot be looked into` : undefined;
  }
  for (const entry of entries) {
    const isWritten = folder !== common || WRITTEN.has(entry.name);
    if (!isWritten && !READ.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isFIFO()) return `${path} is a pipe, at which git would wait`;
    if (entry.isSymbolicLink() && isWritten) {
      const target = real(path);
      if (target === undefined || !isWithin(common, target))
        return `${path} is a symbolic link that leads out of the repository`;
    }
    if (entry.isFile() && path.includes(LOGS, common.length) && hasMoreNames(path))
      return `${path} has another name, under which it would be written, too`;
    const found = entry.isDirectory() ? trapIn(common, path) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What stands in the repository around a folder that would have git write elsewhere, or wait for ever; looked at before git
 * is started there. It comes with what was copied or planted, not from git.
 */
export function trapAround(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const facts = lstatSync(entry, { throwIfNoEntry: false });
    if (facts === undefined && dirname(folder) !== folder) continue;
    if (facts?.isSymbolicLink() === true) return `${entry} is a symbolic link`;
    const pipe = READ_OF_CHECKOUT.map(name => join(folder, name)).find(isPipe);
    if (pipe !== undefined) return `${pipe} is a pipe, at which git would wait`;
    return facts?.isDirectory() === true ? trapIn(entry, entry) : undefined;
  }
}

function hasMoreNames(path: string): boolean {
  return (lstatSync(path, { throwIfNoEntry: false })?.nlink ?? 1) > 1;
}

function isPipe(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** Why the repository that git found is not the one of the `.git` at a checkout's top; undefined where all is well. */
export async function ledAway(
  git: Git,
  top: string,
  gitDir: string,
  common: string,
): Promise<string | undefined> {
  const entry = join(top, ".git");
  const facts = lstatSync(entry, { throwIfNoEntry: false });
  const found = real(gitDir);
  if (facts?.isDirectory() === true)
    return found === real(entry) && found === common
      ? undefined
      : `${gitDir} is not the repository of ${entry}`;
  const named = facts?.isFile() === true ? firstLine(entry) : undefined;
  const isNamed = named?.startsWith("gitdir: ") === true;
  if (!isNamed || found === undefined || real(resolve(top, named.slice("gitdir: ".length))) !== found)
    return `${entry} does not name ${gitDir}`;
  if (!(await isKnownBy(git, found, common, entry)))
    return `${entry} names ${gitDir}, which does not know of it`;
  return trapIn(common, common);
}
