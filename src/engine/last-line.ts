import { firstLine } from "../text/index.ts";

/** The last line of foreign text that says anything, as one safe line of at most `maxLength` characters. */
export function lastLine(text: string, maxLength: number): string {
  for (let to = text.length; to > 0; ) {
    const from = text.lastIndexOf("\n", to - 1) + 1;
    const line = firstLine(text.slice(from, to), maxLength);
    if (line !== "") return line;
    to = from - 1;
  }
  return "";
}
