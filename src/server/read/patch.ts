import { visible } from "../../text/index.ts";
import type { Hunk } from "../shapes/review.ts";

/** Characters of one line that reach the page. */
const LINE = 2000;

/** A unified diff of one file, cut to a number of lines. */
export interface Patch {
  readonly hunks: readonly Hunk[];
  /** Lines of all hunks, those that are left out too. */
  readonly lines: number;
  /** Lines in the hunks that are added or removed. */
  readonly changed: number;
  /** Every line shown ends in CR and LF; the marks are left out then. */
  readonly crlf: boolean;
}

const HEAD = /^@@ -(\d{1,12})(?:,\d{1,12})? \+(\d{1,12})(?:,\d{1,12})? @@ ?(.{0,500})/;

/** A line of a file as the page may show it: whatever controls, hides or reorders is an escape. Tabs stay. */
function safe(line: string): string {
  const sign = line.slice(0, 1);
  // Cut first: making a megabyte visible only to drop it costs more than the page does.
  const isLong = line.length > LINE + 1;
  const shown = (isLong ? line.slice(1, LINE + 1) : line.slice(1))
    .split("\t")
    .map(part => visible(part))
    .join("\t");
  return `${sign}${shown}${isLong ? ` … (+${line.length - LINE - 1})` : ""}`;
}

/** Reads a patch of git's; `most` lines of it are kept. Whatever is no line of a hunk is passed over. */
export function readPatch(patch: string, most: number): Patch {
  const hunks: Hunk[] = [];
  let [lines, changed, crlf] = [0, 0, true];
  for (const line of patch.split("\n")) {
    const head = HEAD.exec(line);
    const hunk = hunks.at(-1);
    if (head !== null) {
      const [, old = "0", next = "0", heading = ""] = head;
      if (lines < most)
        hunks.push({ old: Number(old), new: Number(next), heading: visible(heading, 200), lines: [] });
      continue;
    }
    // Before the first hunk, and between the two of what has become of another type, stands what git says of the file.
    if (line.startsWith("diff --git ")) hunks.push({ old: 0, new: 0, heading: "", lines: [] });
    const sign = line[0] ?? "";
    const isHunk = hunk !== undefined && hunk.old + hunk.new > 0;
    if (!isHunk || !" +-\\".includes(sign) || sign === "") continue;
    lines++;
    if (lines > most) continue;
    if (sign === "+" || sign === "-") changed++;
    if (sign !== "\\") crlf &&= line.endsWith("\r");
    hunk.lines.push(line);
  }
  const shown = hunks.filter(hunk => hunk.lines.length > 0);
  crlf &&= shown.length > 0;
  const cut = (line: string) => safe(crlf && line.endsWith("\r") ? line.slice(0, -1) : line);
  return { hunks: shown.map(hunk => ({ ...hunk, lines: hunk.lines.map(cut) })), lines, changed, crlf };
}
