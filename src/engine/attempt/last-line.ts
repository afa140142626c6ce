import { firstLine, isChatter } from "../../text/index.ts";

/**
 * The last line of foreign text that says anything, as one safe line of at most `maxLength` characters; what runners say of a
 * script that failed counts where nothing else was said.
 */
export function lastLine(text: string, maxLength: number): string {
  let chatter = "";
  for (let to = text.length; to > 0; ) {
    const from = text.lastIndexOf("\n", to - 1) + 1;
    const line = firstLine(text.slice(from, to), maxLength);
    if (line !== "" && !isChatter(text.slice(from, to))) return line;
    if (chatter === "") chatter = line;
    to = from - 1;
  }
  return chatter;
}

/** What lines of test runners and compilers hold that say what is wrong. */
const COMPLAINTS = ["Error", "error:", "error TS", "FAIL", "failed", "not ok", "✖", "✗"];
/** Characters at the end of an output in which such a line is looked for. */
const LOOKED_AT = 16_384;

/** The last line that says what went wrong; where none does, the last that says anything. */
export function complaintLine(text: string, maxLength: number): string {
  const end = text.slice(-LOOKED_AT).split("\n");
  const found = end.findLast(line => COMPLAINTS.some(word => line.includes(word)) && !isChatter(line));
  const line = found === undefined ? "" : firstLine(found, maxLength);
  return line === "" ? lastLine(text, maxLength) : line;
}
