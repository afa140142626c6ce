import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readBounded } from "../../../file/index.ts";

/** Bytes of a file that holds one name. */
const MOST = 65_536;
const GIT_DIR = "gitdir: ";

/** A path without links; undefined where it leads nowhere. */
export function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The first line of a small plain file; undefined for anything else. */
export function firstLine(path: string): string | undefined {
  const bytes = readBounded(path, { maxBytes: MOST });
  return bytes.ok ? (Buffer.from(bytes.value).toString("utf8").split("\n")[0] ?? "").trim() : undefined;
}

/** The git directory that a `.git` file names; undefined where it is none. */
export function namedGitDir(entry: string): string | undefined {
  const line = firstLine(entry);
  return line?.startsWith(GIT_DIR) === true ? resolve(dirname(entry), line.slice(GIT_DIR.length)) : undefined;
}

/** Whether a folder is a worktree of a repository that has no record of it: that one was deleted, and maybe cloned again. */
export function isNobodys(path: string): boolean {
  const entry = join(path, ".git");
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  if (lstatSync(entry, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const record = namedGitDir(entry);
  return (
    record !== undefined &&
    basename(dirname(record)) === "worktrees" &&
    lstatSync(record, { throwIfNoEntry: false }) === undefined
  );
}
