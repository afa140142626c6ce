import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";

/** What stands in a path's way: itself, or something that is no folder where one has to be. */
function obstacle(top: string, path: string): string | undefined {
  for (let part = path; part !== "." && part !== ""; part = dirname(part)) {
    const facts = lstatSync(join(top, part), { throwIfNoEntry: false });
    if (facts === undefined) continue;
    return part === path || !facts.isDirectory() ? part : undefined;
  }
  return undefined;
}

/** Files and folders that stand where git is going to write new ones: to git, ignored ones are nothing. */
export function inTheWay(top: string, paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap(path => obstacle(top, path) ?? []))];
}
