import { isPath, normalPath, pathsIn, spans } from "./paths.ts";

const SPLITS = new Set([44, 0xff0c, 0x3001, 59, 0xff1b, 0x2192, 0x21d2]);
const OPENS = "([{（";
const CLOSES = ")]}）";

/** `[a, b]` without the brackets around the whole of it. */
function withoutBrackets(value: string): string {
  if (!value.startsWith("[") || !value.endsWith("]")) return value;
  let depth = 0;
  for (let i = 0; i < value.length - 1; i++) {
    if (value[i] === "[") depth++;
    else if (value[i] === "]" && --depth === 0) return value;
  }
  return value.slice(1, -1);
}

/** Whether the bracket at `at` begins a remark: behind a space or a code span. Others belong to a path (`(auth)/x`). */
function beginsRemark(value: string, at: number): boolean {
  const before = value[at - 1] ?? "";
  return value[at] === "（" || (value[at] === "(" && (before === " " || before === "`"));
}

/** The parts of a list, remarks in parentheses left off. Commas in code spans and brackets do not split. */
function partsOf(value: string): string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  let remark = 0;
  let quoted = false;
  for (let i = 0; i < value.length; i++) {
    const mark = value[i]!;
    const code = value.charCodeAt(i);
    if (remark > 0) {
      if (OPENS.includes(mark)) remark++;
      else if (CLOSES.includes(mark)) remark--;
      continue;
    }
    if (mark === "`") quoted = !quoted;
    else if (!quoted && OPENS.includes(mark)) {
      if (beginsRemark(value, i)) {
        remark = 1;
        continue;
      }
      depth++;
    } else if (!quoted && CLOSES.includes(mark)) depth = Math.max(0, depth - 1);
    const isArrow = mark === "-" && value[i + 1] === ">";
    if (!quoted && (isArrow || (depth === 0 && SPLITS.has(code)))) {
      parts.push(part);
      part = "";
      if (isArrow) i++;
    } else part += mark;
  }
  parts.push(part);
  return parts;
}

/** A part without bullet, quotes, bold, a label in front (`New: x`) and what a dash adds behind. */
function bare(part: string): string {
  let text = part.trim();
  if (/^[-*+•] /.test(text)) text = text.slice(2).trim();
  text = text.replace(/["'*]/g, "").trim();
  const label = text.search(/[:：](?:\s|$)/);
  if (label >= 0 && label <= 24) text = text.slice(label + 1).trim();
  const dash = text.search(/\s[-–—]\s/);
  return dash > 0 ? text.slice(0, dash) : text;
}

const NONE = new Set(["none", "n/a", "na", "null", "tbd", "todo", "-"]);

/** A word that can be a file's or folder's name: ASCII, no address, no call, no placeholder. */
function isName(word: string): boolean {
  if (word.length > 300 || NONE.has(word.toLowerCase()) || word.includes("://") || word.endsWith("()"))
    return false;
  return /^[!-~]+$/.test(word) && !/[<>"|;]/.test(word) && /[A-Za-z]/.test(word) && !/^[-#]/.test(word);
}

/** Code spans may hold spaces where they end like a file does. */
function isSpanPath(span: string): boolean {
  if (isName(span)) return true;
  const word = span.slice(span.lastIndexOf(" ") + 1);
  return isPath(span) || (isPath(word) && !span.includes(" -") && !/[<>"|;]/.test(span));
}

/**
 * All paths of a field that lists files: code spans as they are, other parts where they are one word. A value that is rather
 * a sentence gives only what looks like a path.
 */
export function fileList(value: string): string[] {
  const trimmed = value.trim();
  if (trimmed === "") return [];
  const parts = partsOf(withoutBrackets(trimmed));
  const words = parts.map(part => (part.includes("`") ? "" : bare(part)));
  const isProse = words.some(word => /\s/.test(word) && !word.split(/\s+/).every(isPath));
  const found: string[] = [];
  for (const [index, part] of parts.entries()) {
    const word = words[index]!;
    if (part.includes("`"))
      for (const span of spans(part)) found.push(...(isSpanPath(span.trim()) ? [span.trim()] : []));
    else if (/\s/.test(word)) found.push(...(trimmed.includes("`") ? [] : pathsIn(word, true)));
    else if (isPath(word) || (!isProse && isName(word))) found.push(word);
  }
  return (found.length > 0 ? found : pathsIn(trimmed, true)).map(normalPath);
}
