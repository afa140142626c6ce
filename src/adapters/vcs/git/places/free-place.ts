import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { because, fail, ok, type Reason, type Result } from "../../../../ports/index.ts";
import { directFileCalls, makeDirectFolder } from "../../../file/index.ts";
import { isNobodys } from "./pointers.ts";

/** Names of what was moved out of the way that are tried. */
const MOST_ASIDE = 1000;

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Moves a folder to a name beside it that is free, whole. */
function moveAside(path: string): string | undefined {
  const names = Array.from({ length: MOST_ASIDE }, (_, n) => `${path}.aside${n === 0 ? "" : `-${n + 1}`}`);
  const aside = names.find(name => !isThere(name));
  if (aside !== undefined) directFileCalls.rename(path, aside);
  return aside;
}

/**
 * Sees that nothing stands where a folder is to be made, and that its parent is no link, which could lead anywhere. A worktree of a
 * repository that is gone is moved aside: returns where it is then. Fails with what stands against the place.
 */
export function freePlace(path: string): Result<string | undefined, Reason> {
  try {
    makeDirectFolder(dirname(path));
    if (!isThere(path)) return ok(undefined);
    const aside = isNobodys(path) ? moveAside(path) : undefined;
    return aside === undefined ? fail(because("place-taken", { path })) : ok(aside);
  } catch (error) {
    return fail(because("said", { by: "system", text: (error as Error).message }));
  }
}
