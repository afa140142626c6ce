import { beginsMerge } from "../../markdown/index.ts";
import { visibleLines } from "../../text/index.ts";

/** Text that may stand in a file: no controls, no line that begins as a merge marker. */
export function harmless(text: string): string {
  return visibleLines(text.replaceAll(/\r\n|\r/g, "\n").replaceAll("\t", "    "))
    .split("\n")
    .map(line => (beginsMerge(line) ? ` ${line}` : line))
    .join("\n");
}
