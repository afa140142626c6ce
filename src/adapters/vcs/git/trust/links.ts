import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Large, and written by fetches and submodules only. */
const ELSEWHERE: ReadonlySet<string> = new Set(["remotes", "tags", "modules", "objects"]);

/**
 * Links below a folder that git writes to: a reflog, an index, a message. Git follows them when it writes, and so would
 * put words of a commit wherever one leads. Names relative to `root`, in order.
 */
export function linksBelow(root: string, name: string): string[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(root, name), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap(entry => {
    const path = join(name, entry.name);
    if (entry.isSymbolicLink()) return [path];
    const isOpen = entry.isDirectory() && !ELSEWHERE.has(entry.name);
    return isOpen ? linksBelow(root, path) : [];
  });
}
