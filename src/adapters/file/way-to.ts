import { isAbsolute, relative, sep } from "node:path";

/**
 * The way from a folder to a path in it, as `relative` tells it: `""` for the folder itself, undefined where the path lies elsewhere.
 * Both are taken as they are spelled, no link is followed.
 */
export function wayTo(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  // Parts are compared, not letters: a name may begin with two dots.
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

/** Whether a path lies in a folder or is it. */
export function isWithin(folder: string, path: string): boolean {
  return wayTo(folder, path) !== undefined;
}

/** Whether a path lies in a folder and is not the folder itself. */
export function isBelow(folder: string, path: string): boolean {
  return (wayTo(folder, path) ?? "") !== "";
}
