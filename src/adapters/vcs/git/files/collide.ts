import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { caseless } from "./letter-case.ts";

/** What stands in a path's way: itself, or something that is no folder where one has to be. */
function obstacle(top: string, path: string): string | undefined {
  for (let part = path; part !== "." && part !== ""; part = dirname(part)) {
    const facts = lstatSync(join(top, part), { throwIfNoEntry: false });
    if (facts === undefined) continue;
    return part === path || !facts.isDirectory() ? part : undefined;
  }
  return undefined;
}

/**
 * Files and folders that stand where git is going to write new ones: to git, ignored ones are nothing. What goes under a name of
 * another case is in nobody's way.
 */
export function inTheWay(
  top: string,
  { fresh, gone }: { readonly fresh: readonly string[]; readonly gone: readonly string[] },
): string[] {
  const going = new Set(gone.map(caseless));
  const paths = fresh.filter(path => !going.has(caseless(path)));
  return [...new Set(paths.flatMap(path => obstacle(top, path) ?? []))];
}
