import { isBlankCode, LF } from "./chars.ts";

/** Whether a paragraph consists of link reference definitions only: then nothing of it is shown, and no line underlines it. */
export function isOnlyDefinitions(paragraph: string): boolean {
  let at = 0;
  while (at < paragraph.length) {
    const next = definitionEnd(paragraph, at);
    if (next < 0) return false;
    at = next;
  }
  return true;
}

const LONGEST_LABEL = 999;

/** Where the definition `[label]: target "title"` that begins at `at` ends, its line ending included, or -1. */
function definitionEnd(text: string, at: number): number {
  const label = labelEnd(text, skipInLine(text, at));
  if (label < 0 || text[label] !== ":") return -1;
  const target = targetEnd(text, skipOverLine(text, label + 1));
  if (target < 0) return -1;
  const bare = lineEnd(text, target);
  const from = skipOverLine(text, target);
  if (from === target) return bare;
  const title = titleEnd(text, from);
  const titled = title < 0 ? -1 : lineEnd(text, title);
  return titled < 0 ? bare : titled;
}

function labelEnd(text: string, at: number): number {
  if (text[at] !== "[") return -1;
  let filled = false;
  for (let i = at + 1; i < text.length && i - at <= LONGEST_LABEL + 1; i++) {
    const code = text.charCodeAt(i);
    if (code === 93) return filled ? i + 1 : -1;
    if (code === 91) return -1;
    if (code === 92) i++;
    if (!isBlankCode(code) && code !== LF) filled = true;
  }
  return -1;
}

function targetEnd(text: string, at: number): number {
  if (text[at] === "<") {
    for (let i = at + 1; i < text.length; i++) {
      const mark = text[i];
      if (mark === ">") return i + 1;
      if (mark === "<" || mark === "\n") return -1;
      if (mark === "\\") i++;
    }
    return -1;
  }
  let depth = 0;
  let i = at;
  for (; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 127) break;
    if (code === 92 && i + 1 < text.length && text.charCodeAt(i + 1) > 32) i++;
    else if (code === 40) depth++;
    else if (code === 41 && --depth < 0) break;
  }
  return i === at || depth !== 0 ? -1 : i;
}

function titleEnd(text: string, at: number): number {
  const open = text[at];
  const close = open === "(" ? ")" : open;
  if (open !== '"' && open !== "'" && open !== "(") return -1;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === close) return i + 1;
    if (open === "(" && text[i] === "(") return -1;
    if (text[i] === "\\") i++;
  }
  return -1;
}

function skipInLine(text: string, at: number): number {
  while (at < text.length && isBlankCode(text.charCodeAt(at))) at++;
  return at;
}

/** Passes over blanks and at most one line ending. */
function skipOverLine(text: string, at: number): number {
  const next = skipInLine(text, at);
  return text.charCodeAt(next) === LF ? skipInLine(text, next + 1) : next;
}

/** Where the next line begins when nothing but blanks follows, or -1. */
function lineEnd(text: string, at: number): number {
  const next = skipInLine(text, at);
  if (next >= text.length) return text.length;
  return text.charCodeAt(next) === LF ? next + 1 : -1;
}
