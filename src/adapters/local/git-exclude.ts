import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { directFileCalls, makeDirectFolder, readBounded } from "../file/index.ts";
import { cloneDirectory } from "../vcs/git/index.ts";

const OWN_FOLDER = ".espalier";
/** Files that are about to take the place of others, wherever those stand. */
const TEMPORARY = ".espalier-*.tmp*";
/** What we keep in a state directory; lessons are left to the people of the repository. */
const OWN_NAMES = [
  "espalier.db*",
  "lock.db*",
  "holder.json",
  "control.sock",
  "orchestrate-state.json*",
  "orchestrate.log",
  "attempts/",
  "memory/attempts/",
  "checkpoints/",
  "context_cache/",
  "rescued/",
  "phase-after.json*",
  "hub.json*",
  "away/",
  "copies/",
  "before-2*T*Z*/",
];

/** Bytes of a list of exclusions that is added to. */
const MOST_BYTES = 1024 ** 2;

/** What is this clone's own around a folder, and its checkout; undefined outside repositories and in odd ones. */
function cloneAround(root: string): { readonly own: string; readonly checkout: string } | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const entry = join(folder, ".git");
    if (lstatSync(entry, { throwIfNoEntry: false }) !== undefined) {
      const own = cloneDirectory(entry);
      // What is left of a repository that was deleted is none, and would be in the way of one that is put back.
      if (own === undefined || !existsSync(join(own, "HEAD"))) return undefined;
      return { own, checkout: folder };
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** A folder as a pattern of git's that means it alone; the end of a line it can only name as any one character. */
function patternOf(folder: string): string {
  return folder.replaceAll(/[\\*?[]/g, "\\$&").replaceAll("\n", "?");
}

/** Projects of one repository that begin at once add to one file: who wrote it anew would take the other's lines away. */
function append(path: string, lines: string): void {
  const { open, write, fstat, fsync, close } = directFileCalls;
  const file = open(path, "append", 0o644);
  try {
    // What has a second name may be any file of the user's.
    if (fstat(file).links > 1) return;
    write(file, Buffer.from(lines, "utf8"), 0, 0);
    fsync(file);
  } finally {
    close(file);
  }
}

/**
 * Keeps the state directory out of the repository's eyes through `.git/info/exclude`, which is nobody's file but this
 * clone's. A repository that cannot be written stays as it is: the state is then merely untracked.
 */
export function excludeFromGit(root: string, stateDir: string): void {
  try {
    const found = cloneAround(root);
    if (found === undefined) return;
    const folder = patternOf(relative(found.checkout, stateDir));
    // A folder of another name may be shared with others, whose files are theirs to exclude.
    const names = basename(stateDir) === OWN_FOLDER ? [""] : OWN_NAMES;
    const wanted = [TEMPORARY, ...names.map(name => `/${folder}/${name}`)];
    const path = join(found.own, "info", "exclude");
    const read = readBounded(path, { maxBytes: MOST_BYTES, calls: directFileCalls });
    if (!read.ok && read.failure.kind !== "missing") return;
    const text = read.ok ? Buffer.from(read.value).toString("utf8") : "";
    const known = new Set(text.split("\n"));
    const missing = wanted.filter(pattern => !known.has(pattern));
    if (missing.length === 0) return;
    makeDirectFolder(dirname(path));
    const gap = text === "" || text.endsWith("\n") ? "" : "\n";
    append(path, `${gap}${missing.join("\n")}\n`);
  } catch {
    // See above.
  }
}
