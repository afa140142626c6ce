import { keyOf, scanBlocks } from "../../markdown/index.ts";
import { findWhole } from "./words.ts";

/** Front matter lines looked at for the version. */
const SEARCHED = 100;

/**
 * The base as a message's operations see it: what the header says is done already. Where the front matter's `version:`
 * names the version the update starts from (`GC-v3`, `v3` or `3`), it names the new one.
 */
export function raised(text: string, label: string, from: number | undefined, to: number): string {
  if (from === undefined || !(text.startsWith("---") || text.startsWith("\uFEFF---"))) return text;
  const lines = text.split("\n", SEARCHED);
  const blocks = scanBlocks(lines);
  let offset = 0;
  for (const [at, line] of lines.entries()) {
    if (blocks[at]?.kind !== "front-matter") return text;
    if (keyOf(line) === "version") {
      for (const [old, next] of [
        [`${label}-v${from}`, `${label}-v${to}`],
        [`v${from}`, `v${to}`],
        [`${from}`, `${to}`],
      ] as const) {
        const found = findWhole(line, old, "version".length);
        if (found >= 0) return text.slice(0, offset + found) + next + text.slice(offset + found + old.length);
      }
      return text;
    }
    offset += line.length + 1;
  }
  return text;
}
