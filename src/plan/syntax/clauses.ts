import { isDigit, isMarkup, isSpace, isWord } from "./chars.ts";
import { readId } from "./ids.ts";

/** A part of a dependency value between separators. */
export interface Clause {
  readonly text: string;
  /** Offset of the clause in the piece. */
  readonly at: number;
  /** Text of the parentheses in it. */
  readonly remark: string;
}

/** Characters in which a joining word is looked for. */
const LONGEST_JOINT = 12;
const SEPARATORS = new Set([44, 0xff0c, 0x3001, 59, 0xff1b, 0xb7, 0x2022, 43, 38, 124, 0x3002, 10]);

/** A word that joins what stands before it to what follows. */
const JOINED = /(?:(?:^|[^\p{L}\p{N}])(?:and|or|및|그리고|또는|혹은)|[와과和或])\s*$/iu;
/**
 * Splits a value at separators outside parentheses; parentheses become remarks, unless they hold the whole clause or are joined to it
 * (`T1.1 and (T1.2, T1.3)`).
 */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let out = "";
  let remark = "";
  let from = -1;
  let depth = 0;
  let worded = false;
  const push = () => {
    if (from >= 0) clauses.push({ text: out, at: from, remark });
    out = "";
    remark = "";
    from = -1;
    worded = false;
  };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const opens = code === 40 || code === 0xff08;
    const closes = code === 41 || code === 0xff09;
    if (opens && (depth > 0 || (worded && !JOINED.test(out.slice(-LONGEST_JOINT))))) {
      depth++;
      continue;
    }
    if (closes) {
      if (depth > 0) depth--;
      continue;
    }
    if (depth > 0) {
      remark += text[i];
      out += " ";
      continue;
    }
    const ends =
      SEPARATORS.has(code) ||
      (code === 46 && (i + 1 === text.length || isSpace(text.charCodeAt(i + 1)))) ||
      isArrow(text, i);
    if (ends) push();
    else {
      if (from < 0) from = i;
      worded ||= isWord(code);
      out +=
        opens || code === 91 || code === 93 || code === 34 || code === 39 || code === 123 || code === 125
          ? " "
          : text[i];
    }
  }
  push();
  return clauses;
}

/** Whether a text holds any letter or digit. */
export function hasWord(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (isWord(text.charCodeAt(i))) return true;
  return false;
}

function isArrow(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x2192 || code === 0x21d2 || (code === 62 && text.charCodeAt(at - 1) === 45);
}

/** Cuts a clause at ` - remark` and `: remark`; a dash directly before another id is a range and stays. */
export function withoutRemark(text: string): string {
  let worded = false;
  let digits = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isDash =
      (code === 45 || code === 0x2013 || code === 0x2014) &&
      isSpace(text.charCodeAt(i - 1)) &&
      isSpace(text.charCodeAt(i + 1));
    if (isDash && worded) {
      const next = skipDecoration(text, i + 1);
      if (readId(text, next, text.length, true) === undefined && !isDigit(text.charCodeAt(next)))
        return text.slice(0, i);
    }
    if (code === 58 && digits && isSpace(text.charCodeAt(i + 1))) return text.slice(0, i);
    worded ||= isWord(code);
    digits ||= isDigit(code);
  }
  return text;
}

/** Skips spaces, markup, `#` and `@` before an id. */
export function skipDecoration(text: string, at: number): number {
  while (
    at < text.length &&
    (isSpace(text.charCodeAt(at)) || isMarkup(text.charCodeAt(at)) || text[at] === "#" || text[at] === "@")
  )
    at++;
  return at;
}
