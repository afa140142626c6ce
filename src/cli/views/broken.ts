import { textWidth } from "./terminal/width.ts";

/** Stands before what goes on in the next line. */
const INDENT = "  ";

/** A line as lines of at most `width` columns, broken between words; a word that is longer than that stays whole. */
export function broken(line: string, width: number): string[] {
  const lines: string[] = [];
  let now = "";
  for (const word of line.split(" ")) {
    const next = now === "" ? word : `${now} ${word}`;
    if (now.trim() === "" || textWidth(next) <= width) now = next;
    else {
      lines.push(now);
      now = `${INDENT}${word}`;
    }
  }
  return [...lines, now];
}
