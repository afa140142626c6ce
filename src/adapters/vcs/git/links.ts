import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders within a git folder that are looked into. */
const DEPTH = 12;
/** Large, and written by fetches and submodules only. */
const ELSEWHERE: ReadonlySet<string> = new Set(["remotes", "tags", "modules", "objects"]);

/**
 * Links below a folder that git writes to: a reflog, an index, a message. Git follows them when it writes, and so would
 * put words of a commit wherever one leads. Names relative to `root`, in order.
 */
export function linksBelow(root: string, name: string, depth: number = DEPTH): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(root, name), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap(entry => {
    const path = join(name, entry.name);
    if (entry.isSymbolicLink()) return [path];
    const isOpen = entry.isDirectory() && depth > 0 && !ELSEWHERE.has(entry.name);
    return isOpen ? linksBelow(root, path, depth - 1) : [];
  });
}
