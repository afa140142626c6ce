/** Codes of the characters that blocks are told by, and tests on them. */
export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BACKTICK = 96;
export const TILDE = 126;

/** A space, a tab, or the carriage return that a line of a CRLF text ends in. */
export function isBlankCode(code: number): boolean {
  return code === SPACE || code === TAB || code === CR;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Where the run of the character at `at` ends. */
export function runEnd(text: string, at: number, end: number): number {
  const mark = text.charCodeAt(at);
  let to = at;
  while (to < end && text.charCodeAt(to) === mark) to++;
  return to;
}

export function skipBlanks(text: string, at: number, end: number): number {
  while (at < end && isBlankCode(text.charCodeAt(at))) at++;
  return at;
}
