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

/** `［` and `］`. */
const WIDE_OPEN = 0xff3b;
const WIDE_CLOSE = 0xff3d;

/** Longest content of a box: `[in progress]` and the like. */
const MAX_CONTENT = 14;

/** The box that begins at `at`. Links, citations and `[P]` are none. */
export function readBox(text: string, at: number, end: number): Box | undefined {
  const mark = text.charCodeAt(at);
  if (mark !== 91 && mark !== WIDE_OPEN) return undefined;
  const last = mark === 91 ? 93 : WIDE_CLOSE;
  const limit = Math.min(end, at + MAX_CONTENT + 2);
  let close = at + 1;
  while (close < limit && text.charCodeAt(close) !== last) close++;
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

/**
 * The box that begins at `at` and holds one letter or digit without a meaning (`[z]`). Only what stands behind it tells it from a
 * tag or citation; `[P]` says that a task may run beside others.
 */
export function readLetterBox(text: string, at: number, end: number): Box | undefined {
  const isOne = at + 3 < end && text.charCodeAt(at) === 91 && text.charCodeAt(at + 2) === 93;
  if (!isOne || !isAlnum(text.charCodeAt(at + 1)) || text[at + 1] === "P") return undefined;
  if (!isSpace(text.charCodeAt(at + 3))) return undefined;
  return { at, close: at + 3, end: at + 3, state: undefined, optional: false };
}
