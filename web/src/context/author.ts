import type { PageWords } from "../words/pages.ts";

const FILE = "file ";

/** Who published a version, as people read it: a person, an attempt, or a file of the project. */
export function authorText(by: string, { origin }: Pick<PageWords, "origin">): string {
  return by.startsWith(FILE) ? `${origin["file"]} ${by.slice(FILE.length)}` : by;
}
