/** With what git begins the two sides that an unfinished merge leaves in a file. */
export const MERGE_MARK = "<<<<<<< ";

/** Whether the line that begins there is the first of an unfinished merge. Outside of fences it is no text of an author's. */
export function beginsMerge(text: string, at = 0): boolean {
  return text.startsWith(MERGE_MARK, at);
}
