import { stateOf } from "./marks.ts";

/** What a reader sees as a bracket: plain, full-width, escaped, or as an entity. */
const OPENING = ["[", "\uff3b", "&#91;", "&#x5b;", "&lbrack;", "&lsqb;"];
const CLOSING = ["]", "\uff3d", "\\]", "&#93;", "&#x5d;", "&rbrack;", "&rsqb;"];
/** `☐`, `☑`, `☒`, `□`. */
const BALLOTS: ReadonlySet<number> = new Set([0x2610, 0x2611, 0x2612, 0x25a1]);
const MAX_CONTENT = 14;

function oneOf(marks: readonly string[], text: string, at: number): string | undefined {
  return marks.find(mark => text.startsWith(mark, at));
}

/** Offset behind what looks like a box at `at`, however it is written, or -1. It holds nothing, or a mark with a meaning. */
export function boxAt(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  if (BALLOTS.has(code)) return at + 1;
  if (code !== 91 && code !== 0xff3b && code !== 38) return -1;
  const opening = oneOf(OPENING, text, at);
  if (opening === undefined) return -1;
  const from = at + opening.length;
  const limit = Math.min(end, from + MAX_CONTENT + 1);
  for (let i = from; i < limit; i++) {
    const first = text.charCodeAt(i);
    if (first !== 93 && first !== 0xff3d && first !== 92 && first !== 38) continue;
    const closing = oneOf(CLOSING, text, i);
    if (closing !== undefined) return isMark(text.slice(from, i)) ? i + closing.length : -1;
  }
  return -1;
}

function isMark(content: string): boolean {
  const mark = content.replaceAll(/[\u200b-\u200d\u2060]|&nbsp;/g, "").trim();
  return mark === "" || stateOf(mark) !== undefined;
}
