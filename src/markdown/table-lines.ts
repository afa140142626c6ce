import { isBlankCode, skipBlanks } from "./chars.ts";

/** How many cells a row has: bars that no backslash precedes part them, those at both ends do not count. */
export function cellCount(text: string, at: number, end: number): number {
  let stop = end;
  while (stop > at && isBlankCode(text.charCodeAt(stop - 1))) stop--;
  let from = at;
  if (text[from] === "|") from++;
  let cells = 1;
  let closed = false;
  let filled = false;
  for (let i = from; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === 92) i++;
    else if (code === 124) {
      closed = true;
      if (skipBlanks(text, i + 1, stop) < stop) cells++;
      continue;
    }
    filled = true;
  }
  return filled || closed ? cells : 0;
}

/** How many columns a delimiter row (`|---|:-:|`) names; 0 when the line is none. */
export function delimiterCount(text: string, at: number, end: number): number {
  let stop = end;
  while (stop > at && isBlankCode(text.charCodeAt(stop - 1))) stop--;
  if (text[stop - 1] !== "|" && text[stop - 1] !== "-" && text[stop - 1] !== ":") return 0;
  let columns = 0;
  let marked = false;
  let i = at;
  if (text[i] === "|") {
    marked = true;
    i = skipBlanks(text, i + 1, stop);
  }
  while (i < stop) {
    if (text[i] === ":") {
      marked = true;
      i++;
    }
    const from = i;
    while (i < stop && text[i] === "-") i++;
    if (i === from) return 0;
    if (i < stop && text[i] === ":") {
      marked = true;
      i++;
    }
    columns++;
    i = skipBlanks(text, i, stop);
    if (i >= stop) break;
    if (text[i] !== "|") return 0;
    marked = true;
    i = skipBlanks(text, i + 1, stop);
  }
  return marked ? columns : 0;
}
