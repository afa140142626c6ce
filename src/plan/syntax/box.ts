import { isAlnum, isSpace } from "./chars.ts";
import { type State, stateOf } from "./marks.ts";

/** A check box: `[ ]`, `[x]`, `[]`, `[완료]` … */
export interface Box {
  /** Offset of `[`. */
  readonly at: number;
  /** Offset after `]`. */
  readonly close: number;
  /** Offset after `]`, and after a `*` directly behind it. */
  readonly end: number;
  /** Undefined when the mark inside means nothing to us. */
  readonly state: State | undefined;
  /** Kiro's `[ ]*` or `[ ] 3*`. */
  readonly optional: boolean;
}

/** Longest content of a box: `[in progress]` and the like. */
const MAX_CONTENT = 14;

/** The box that begins at `at`. Links, citations and `[P]` are none. */
export function readBox(text: string, at: number, end: number): Box | undefined {
  if (text.charCodeAt(at) !== 91) return undefined;
  const limit = Math.min(end, at + MAX_CONTENT + 2);
  let close = at + 1;
  while (close < limit && text.charCodeAt(close) !== 93) close++;
  if (close >= limit) return undefined;
  const after = close + 1;
  const next = after < end ? text.charCodeAt(after) : 0;
  if (next === 40 || next === 91) return undefined;
  const content = text.slice(at + 1, close).trim();
  const state = content === "" ? "open" : stateOf(content);
  if (state === undefined && !isUnknownMark(content)) return undefined;
  const optional = next === 42 && (after + 1 >= end || isSpace(text.charCodeAt(after + 1)));
  return { at, close: after, end: optional ? after + 1 : after, state, optional };
}

/** One symbol we have no meaning for; letters and digits are tags and citations. */
function isUnknownMark(content: string): boolean {
  const isPair = content.length === 2 && content.codePointAt(0)! > 0xffff;
  return isPair || (content.length === 1 && !isAlnum(content.charCodeAt(0)));
}
