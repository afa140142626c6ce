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
/** Levels of git's own folders that are looked at, deeper than any ref is usually named. */
const DEPTH = 12;

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

/** Whether a git directory says itself that the `.git` file `entry` leads to it. */
async function isKnownBy(git: Git, gitDir: string, entry: string): Promise<boolean> {
  const back = firstLine(join(gitDir, "gitdir"));
  if (back !== undefined) return real(resolve(gitDir, back)) === entry;
  const named = await git.text(["config", "--get", "core.worktree"], { answers: [1] });
  return named.ok && named.value !== "" && real(resolve(gitDir, named.value)) === dirname(entry);
}

/** What is wrong below a repository's folder: a link that leads out of it, a pipe. */
function trapIn(common: string, folder: string, depth: number): string | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
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
    const found = entry.isDirectory() && depth > 0 ? trapIn(common, path, depth - 1) : undefined;
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
    return facts?.isDirectory() === true ? trapIn(entry, entry, DEPTH) : undefined;
  }
}

function isPipe(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
}

/** Why a checkout's `.git` file leads to a repository that knows nothing of it; undefined where all is well. */
export async function ledAway(
  git: Git,
  top: string,
  gitDir: string,
  common: string,
): Promise<string | undefined> {
  const entry = join(top, ".git");
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  if (!(await isKnownBy(git, gitDir, entry))) return `${entry} names ${gitDir}, which does not know of it`;
  return trapIn(common, common, DEPTH);
}
