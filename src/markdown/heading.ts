import { isBlank } from "./line-shape.ts";

/** Level 1–6 and text of an ATX heading, or undefined. */
export function atxHeading(line: string): { readonly level: number; readonly title: string } | undefined {
  let at = 0;
  while (at < 4 && line[at] === " ") at++;
  if (at > 3) return undefined;
  let level = 0;
  while (line[at + level] === "#") level++;
  const next = line[at + level];
  if (level < 1 || level > 6) return undefined;
  if (next !== undefined && next !== " " && next !== "\t" && next !== "\r") return undefined;
  return { level, title: withoutClosing(line.slice(at + level).trim()) };
}

/** `Title ##` → `Title`; the closing marks need a blank before them. */
function withoutClosing(title: string): string {
  let end = title.length;
  while (end > 0 && title[end - 1] === "#") end--;
  if (end === title.length) return title;
  if (end === 0) return "";
  return title[end - 1] === " " || title[end - 1] === "\t" ? title.slice(0, end).trimEnd() : title;
}

/** 1 for a run of `=`, 2 for a run of `-` that may underline a paragraph; 0 otherwise. */
export function setextLevel(line: string): 0 | 1 | 2 {
  let from = 0;
  while (from < 4 && line[from] === " ") from++;
  const mark = line[from];
  if (from > 3 || (mark !== "=" && mark !== "-")) return 0;
  let end = from;
  while (line[end] === mark) end++;
  if (!isBlank(line.slice(end))) return 0;
  return mark === "=" ? 1 : 2;
}

/** A thematic break: three or more of one of `-`, `*`, `_`, with blanks between. */
export function isRule(line: string): boolean {
  let mark = "";
  let count = 0;
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (char === " " || char === "\t" || char === "\r") continue;
    if (mark === "" && "-*_".includes(char)) mark = char;
    if (char !== mark) return false;
    count++;
  }
  return count >= 3;
}
