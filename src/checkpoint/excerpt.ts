import { contentStart } from "../markdown/index.ts";
import { oneLine } from "./table.ts";

/** Marks of Markdown that are open at the end of a text. */
interface Open {
  /** `**` or `***`. */
  readonly strong: string;
  /** A run of backticks. */
  readonly code: string;
}

/** Which strong and code marks a text leaves open. */
function openIn(text: string): Open {
  let strong = "";
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === "\\") at++;
    else if (char === "`") {
      const code = text.slice(at, runEnd(text, at));
      const close = closing(text, at + code.length, code);
      if (close < 0) return { strong, code };
      at = close + code.length - 1;
    } else if (char === "*") {
      const end = runEnd(text, at);
      const run = text.slice(at, end);
      at = end - 1;
      if (run.length < 2) continue;
      if (strong !== "") strong = "";
      else if (end < text.length && text[end] !== " ") strong = run;
    }
  }
  return { strong, code: "" };
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (text[end] === text[from]) end++;
  return end;
}

/** Where the run of backticks that closes one stands, or -1. */
function closing(text: string, from: number, code: string): number {
  for (let at = text.indexOf("`", from); at >= 0; at = text.indexOf("`", at)) {
    const end = runEnd(text, at);
    if (end - at === code.length) return at;
    at = end;
  }
  return -1;
}

/** Part of a text, with `…` where something was left out; what is strong or code in it stays so on both sides. */
export function excerpt(text: string, from: number, until: number): string {
  if (from === 0 && until >= text.length) return text;
  const { strong, code } = openIn(text.slice(0, from));
  const part = `${from > 0 ? "…" : ""}${strong}${code}${text.slice(from, until).trimEnd()}`;
  return closed(until < text.length ? `${part}…` : part);
}

/** A text with the marks closed that it leaves open. */
export function closed(text: string): string {
  const { strong, code } = openIn(text);
  return `${text}${code}${strong}`;
}

/** A text on one line, cut at a word with `…` where it is longer than `most`; marks that the cut leaves open are closed behind it. */
export function shorten(text: string, most: number): string {
  const line = oneLine(text, most + 1);
  if (line.length <= most) return line;
  // A word longer than half of what is shown is cut: little would be left.
  let until = most - 1;
  const space = line.lastIndexOf(" ", until);
  if (space >= most / 2) until = space;
  else while (until > 1 && "`*\\".includes(line[until - 1]!)) until--;
  const last = line.charCodeAt(until - 1);
  if (last >= 0xd800 && last <= 0xdbff) until--;
  return excerpt(line, 0, until);
}

/** Two texts of at most so many characters each, cut so that where they begin to differ is shown. */
export function apart(before: string, after: string, most: number): readonly [string, string] {
  if (Math.max(before.length, after.length) <= most) return [before, after];
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  const around = most >> 2;
  const word = before.lastIndexOf(" ", head - 1) + 1;
  let from = head <= around ? 0 : Math.max(word, head - around);
  const code = before.charCodeAt(from);
  if (code >= 0xdc00 && code <= 0xdfff) from--;
  const cut = (text: string) => shorten(excerpt(text, from, text.length), most);
  return [cut(before), cut(after)];
}

/** Where a line's own words begin, with the emphasis they begin with. */
export function markedStart(line: string): number {
  let at = contentStart(line);
  while (at > 0 && "*_`~".includes(line[at - 1]!)) at--;
  return at;
}

/** What stands behind the key of a text: marks that began before the key begin anew, or are left out where they end with it. */
export function valueAfter(text: string, key: string, from = 0): string {
  const start = text.indexOf(key, from);
  if (start < 0) return text.slice(from);
  const marked = start > from && "*_`~".includes(text[start - 1]!);
  let at = start + key.length;
  while (text[at] === ":" || (marked && at < text.length && "*_`~".includes(text[at]!))) at++;
  while (text[at] === " " || text[at] === "|") at++;
  const { strong, code } = openIn(text.slice(from, at));
  const mark = code === "" ? strong : code;
  const value = text.slice(at);
  if (mark === "" || value === "") return value;
  if (value.startsWith(mark))
    return value.slice(mark.length + (value[mark.length] === ":" ? 1 : 0)).trimStart();
  return value.indexOf(mark) === value.length - mark.length
    ? value.slice(0, -mark.length)
    : `${mark}${value}`;
}
