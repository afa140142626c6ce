import { lstatSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin, readBounded } from "../../file/index.ts";
import { makeFile, makeFolder, realPath } from "./make.ts";

/** What an agent may write of its repository, and what within that it may not. */
export interface RepositoryPaths {
  /** What the agent works in, whole: its folder, or all of the worktree that the folder lies in. */
  readonly work: string;
  /** Seen, not written: it must be there although it may lie below `/tmp`. */
  readonly seen: readonly string[];
  readonly open: readonly string[];
  readonly guarded: readonly string[];
}

/** What commits, branches and stashes of a linked worktree write in the repository it belongs to. */
const SHARED = ["objects", "refs", "logs", "reftable"];
/** What in a worktree's git folder runs programs, or leads git to another folder that would. */
const TRAPS = ["hooks", "config", "config.worktree", "commondir", "gitdir", "modules"];

/**
 * The paths of a folder's repository: an agent that could change what git runs would leave its jail with the user's next
 * command. A linked worktree's repository lies with its main checkout, of which only its own share is opened. The main
 * checkout's own is read: a `commondir` put there would lead git elsewhere, and what is not there cannot be guarded.
 * A linked worktree in which none of `keep` lies was made for the work: all of it lands, so all of it is open.
 */
export function repositoryPaths(cwd: string, keep: readonly string[]): RepositoryPaths {
  const found = entryOf(cwd);
  if (found === undefined) return { work: cwd, seen: [], open: [], guarded: [] };
  const { entry, facts } = found;
  const closed = { work: cwd, seen: [], open: [], guarded: [entry] };
  const linked = facts.isFile() ? linkedTo(entry) : undefined;
  if (linked === undefined) return closed;
  const { own, common } = linked;
  makeFolder(join(common, "logs"));
  for (const name of ["hooks", "modules"]) makeFolder(join(own, name));
  makeFile(join(own, "config.worktree"), "");
  const traps = TRAPS.map(name => join(own, name));
  const top = dirname(entry);
  return {
    work: keep.some(path => isWithin(realPath(top) ?? top, realPath(path) ?? path)) ? cwd : top,
    seen: [common],
    open: [...SHARED.map(name => join(common, name)), own],
    guarded: [...traps, entry],
  };
}

/** The `.git` that a folder belongs to: its own, or one above it. */
function entryOf(cwd: string): { readonly entry: string; readonly facts: Stats } | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    const facts = lstatSync(entry, { throwIfNoEntry: false });
    if (facts !== undefined) return { entry, facts };
    if (folder === dirname(folder)) return undefined;
  }
}

/** A file that holds one path; an agent may have put a pipe in its place. Throws. */
function smallFile(path: string): string {
  const bytes = readBounded(path, { maxBytes: 65_536 });
  if (!bytes.ok) throw new Error(bytes.failure.message);
  return Buffer.from(bytes.value).toString("utf8");
}

/**
 * The git folders of a linked worktree. Both sides must say so: an agent of an earlier attempt may have written the file
 * where there was none, to have any folder it names opened for the next one.
 */
function linkedTo(entry: string): { readonly own: string; readonly common: string } | undefined {
  try {
    const text = smallFile(entry);
    if (!text.startsWith("gitdir:")) return undefined;
    const own = resolve(dirname(entry), text.slice("gitdir:".length).trim());
    const common = resolve(own, smallFile(join(own, "commondir")).trim());
    const back = resolve(own, smallFile(join(own, "gitdir")).trim());
    const isOwn = realPath(dirname(own)) === realPath(join(common, "worktrees"));
    return isOwn && realPath(back) === realPath(entry) ? { own, common } : undefined;
  } catch {
    return undefined;
  }
}
