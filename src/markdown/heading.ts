import { isBlankCode, runEnd, skipBlanks } from "./chars.ts";

const HASH = 35;
const EQUALS = 61;
const DASH = 45;

/** Level 1–6 of the ATX heading whose marks begin at `at`; 0 when they begin none. */
export function headingLevel(text: string, at: number, end: number): number {
  if (text.charCodeAt(at) !== HASH) return 0;
  const behind = runEnd(text, at, end);
  const level = behind - at;
  return level <= 6 && (behind >= end || isBlankCode(text.charCodeAt(behind))) ? level : 0;
}

/** Title of an ATX heading whose marks begin at `at`: `## Title ##` → `Title`. Closing marks need a blank before them. */
export function headingTitle(text: string, at: number, end: number): string {
  const title = text.slice(runEnd(text, at, end), end).trim();
  let stop = title.length;
  while (stop > 0 && title.charCodeAt(stop - 1) === HASH) stop--;
  if (stop === title.length) return title;
  if (stop === 0) return "";
  return isBlankCode(title.charCodeAt(stop - 1)) ? title.slice(0, stop).trimEnd() : title;
}

/** 1 for a run of `=`, 2 for a run of `-`, that may underline a paragraph; 0 otherwise. */
export function underlineLevel(text: string, at: number, end: number): 0 | 1 | 2 {
  const mark = text.charCodeAt(at);
  if ((mark !== EQUALS && mark !== DASH) || at >= end) return 0;
  if (skipBlanks(text, runEnd(text, at, end), end) < end) return 0;
  return mark === EQUALS ? 1 : 2;
}

/** A thematic break: three or more of one of `-`, `*`, `_`, with blanks between. */
export function isRule(text: string, at: number, end: number): boolean {
  const mark = text.charCodeAt(at);
  if (mark !== DASH && mark !== 42 && mark !== 95) return false;
  let count = 0;
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === mark) count++;
    else if (!isBlankCode(code)) return false;
  }
  return count >= 3;
}
