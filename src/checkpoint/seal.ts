import { shortHash } from "../delta/index.ts";

/**
 * The seal of a delta document: the short hash of all of it but the seal itself and the sentence under `## Summary`, which
 * may be rewritten. Line ends count as `\n`, and a byte-order mark and blanks at the end not at all.
 */
export function sealOf(text: string): string {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .trimEnd()
    .split("\n");
  const kept: string[] = [];
  let inFront = false;
  let inSummary = false;
  for (const [at, line] of lines.entries()) {
    if (line === "---" && (at === 0 || inFront)) inFront = !inFront;
    if (line.startsWith("## ")) inSummary = line.trimEnd() === "## Summary" && !kept.includes("## Changes");
    if ((inFront && line.startsWith("seal:")) || (inSummary && !line.startsWith("## "))) continue;
    kept.push(line);
  }
  return shortHash(kept.join("\n"));
}
