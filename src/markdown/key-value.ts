import { lineShape } from "./line-shape.ts";

/** Keys longer than this are sentences that happen to hold a colon. */
const LONGEST_KEY = 80;
const DECORATION = new Set(["*", "_", "`", "~"]);

/**
 * The key of a line that reads `key: value`, without marker, box and emphasis: `- **Phase 2:** done` → `Phase 2`.
 * Undefined when the line has no such shape. Of a table row it is the first cell.
 */
export function keyOf(line: string): string | undefined {
  const start = contentStart(line);
  const limit = Math.min(line.length, start + LONGEST_KEY);
  if (line[lineShape(line).content] === "|") return firstCell(line, start);
  for (let at = start; at < limit; at++) {
    if (line[at] !== ":") continue;
    let after = at + 1;
    while (DECORATION.has(line[after] ?? "")) after++;
    const next = line[after];
    if (next === undefined || next === " " || next === "\r") return bare(line.slice(start, at));
  }
  return undefined;
}

/** Where a line's own words begin: after indentation, quote and list marks, box, heading marks, bar and emphasis. */
export function contentStart(line: string): number {
  let at = lineShape(line).content;
  while (line[at] === "#") at++;
  while (line[at] === "|" || line[at] === ">" || line[at] === " " || line[at] === "\t") at++;
  while (DECORATION.has(line[at] ?? "")) at++;
  return at;
}

function firstCell(line: string, start: number): string | undefined {
  const end = line.indexOf("|", start);
  return end < 0 || end - start > LONGEST_KEY ? undefined : bare(line.slice(start, end));
}

function bare(key: string): string | undefined {
  let end = key.length;
  while (end > 0 && (DECORATION.has(key[end - 1]!) || key[end - 1] === " ")) end--;
  return end === 0 ? undefined : key.slice(0, end);
}
