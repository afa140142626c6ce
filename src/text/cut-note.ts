import type { Locale } from "./messages.ts";

/** Stands above an answer of which only the end is kept. */
export function cutNote(locale: Locale, bytes: number): string {
  return locale === "ko"
    ? `(잘림: 이 답변의 처음 ${bytes}바이트는 로그에만 있음)`
    : `(Cut: the first ${bytes} bytes of this answer are only in its log.)`;
}

const NOTE = /^\((?:Cut: the first [0-9]{1,16} bytes of|잘림: 이 답변의 처음 [0-9]{1,16}바이트는) /m;

/** Whether an answer says of itself that a beginning is not there: its own, or that of what was said in a later turn. */
export function isCut(answer: string): boolean {
  return NOTE.test(answer);
}

/** The end of a text from a line's beginning on; as it is where the line that it begins in goes on for more than `most` characters. */
export function fromLine(end: string, most: number): string {
  const line = end.indexOf("\n") + 1;
  return line <= most ? end.slice(line) : end;
}
