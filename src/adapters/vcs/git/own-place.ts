import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { readBounded } from "../../file/index.ts";
import type { Git } from "./call.ts";

/** What git and we write in a repository's folder; hooks and configuration are only read. */
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

/** The first symbolic link among what is written in a repository's folder that leads out of it. */
function linkOut(common: string, folder: string, depth: number): string | undefined {
  let entries: { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
  for (const entry of entries) {
    if (folder === common && !WRITTEN.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isSymbolicLink()) {
      const target = real(path);
      if (target === undefined || !isWithin(common, target)) return path;
    } else if (entry.isDirectory() && depth > 0) {
      const found = linkOut(common, path, depth - 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/**
 * Why what git writes for a checkout would land in another place than its own repository; undefined where all is well. A
 * `.git` that is a link, or a file its repository knows nothing of, and links that lead out of git's folder come with what
 * was copied, not from git.
 */
export async function ledAway(
  git: Git,
  top: string,
  gitDir: string,
  common: string,
): Promise<string | undefined> {
  const entry = join(top, ".git");
  const facts = lstatSync(entry, { throwIfNoEntry: false });
  if (facts?.isSymbolicLink() === true) return `${entry} is a symbolic link`;
  if (facts?.isFile() === true && !(await isKnownBy(git, gitDir, entry)))
    return `${entry} names ${gitDir}, which does not know of it`;
  const link = linkOut(common, common, DEPTH);
  return link === undefined ? undefined : `${link} is a symbolic link that leads out of the repository`;
}
